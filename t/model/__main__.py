"""t/model/run [SECONDS] [SEED]: golden cases, then random histories until the time is up. Each difference is shrunk,
printed and saved as a case. Exits with 1 if there was one."""

import argparse
import os
import sys
import time

from . import boards, check, domain, histories
from .commands import Cast
from .replay import CAST
from .server import Stack


def arguments():
    parser = argparse.ArgumentParser(prog="t/model/run", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=int, help="of random histories; 60 by default")
    parser.add_argument("seed", nargs="?", type=int, help="where chance begins; another one each time by default")
    parser.add_argument("--most", type=int, default=120, help="commands of a history")
    parser.add_argument("--crowds", action="store_true", help="nothing but crowds")
    parser.add_argument("--alone", action="store_true", help="no crowds, which go otherwise each time")
    parser.add_argument("--histories", type=int, default=10 ** 9, help="at most, cases included")
    parser.add_argument("--clients", type=int, default=4, help="at once in a crowd")
    parser.add_argument("--domain", type=int, metavar="N", help="N commands to the rules alone, without a server; "
                        "the only other argument is the seed")
    parser.add_argument("--boards", type=int, metavar="N", help="N rounds of two boards' models on a bad network; "
                        "the only other argument is the seed")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="of --domain; one for each processor")
    parser.add_argument("--counts", action="store_true", help="how often each command was answered by which status")
    parser.add_argument("--no-cases", action="store_true", help="neither replay nor write cases")
    options = parser.parse_args()
    if options.domain or options.boards:
        options.seed = options.seconds
    options.seconds = 60 if options.seconds is None else options.seconds
    options.seed = int(time.time()) if options.seed is None else options.seed
    return options


def report(found, options):
    history, text = found
    print(f"\n--- a difference{'' if history is None else f', after {len(history)} commands'}:\n{text}")
    for command in history or []:
        print(f"    {command}")
    if history and not options.no_cases:
        print(f"kept as {check.write_case(history, text)}")
    sys.stdout.flush()


def random(run, options, seed):
    """Runs one seed after the other, because each ends at its first difference, and sometimes a crowd."""
    end = time.monotonic() + options.seconds
    turn = max(10, min(120, options.seconds / 4))
    while (left := end - time.monotonic()) > 0 and run.histories < options.histories:
        if options.crowds or (seed % 3 == 2 and not options.alone):
            found = run.random_crowds(min(left, turn), seed, options.clients)
        else:
            found = run.random(min(left, turn), seed, histories.histories((options.most, options.most // 3)[seed % 2]))
        if found:
            report(found, options)
        seed += 1


def main():
    options = arguments()
    build = os.environ.get("STACK_BUILD") or sys.exit("set STACK_BUILD to a folder with planwright.fcgi and planwrightctl")
    seed = options.seed
    if options.domain:
        return domain.main(build, options.domain, seed, options.processes)
    if options.boards:
        return boards.main(build, options.boards, seed)
    stack = Stack(build)
    try:
        run = check.Run(Cast(stack, CAST, stack.add_person), options.histories)
        if not options.no_cases:
            run.cases()
            for _, text in run.found:
                print(f"\n--- a case differs: {text}")
        random(run, options, seed)
        complaints = stack.complaints()
        for line in complaints:
            print(f"wrong: {line}")
        print(f"\nseed {seed}: {run.histories} histories, {run.crowds} of crowds, {run.commands} commands; "
              f"{len(run.found)} differences")
        if options.counts:
            for (do, status), count in sorted(run.cast.seen.items()):
                print(f"  {count:6} {do} {status}")
        if stack.patience:
            print(f"  {stack.patience} requests were sent again, since the server had no time for them (503)")
        if run.late:
            print(f"  {run.late} commands of crowds were done after the right to them had gone")
        for name, count in run.excused.items():
            print(f"  {count} histories ended with a known difference: {name}")
    finally:
        stack.close()
    return 1 if run.found or complaints else 0


sys.exit(main())
