"""The processor time of processes."""
import os
import pathlib

TICK_US = 1e6 / os.sysconf("SC_CLK_TCK")


def processor_us(parent):
    """That of a server and its processes, including those that have exited."""
    total = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(stat.parent.name) == parent or int(fields[1]) == parent:
            total += int(fields[11]) + int(fields[12])
            if int(stat.parent.name) == parent:
                total += int(fields[13]) + int(fields[14])
    return total * TICK_US
