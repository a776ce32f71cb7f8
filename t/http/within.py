"""How long something may take. Other tests may hold the processor for seconds, so ./check runs tests of short times
twice: beside the others, where only the order of what happens is judged, and while nothing else runs, where times are."""

import os

BESIDE_OTHERS = "STACK_BESIDE_OTHERS" in os.environ


def within(seconds):
    """So many seconds while nothing else runs. A test that asks for fewer than five is marked `timed`."""
    return max(10 * seconds, 10) if BESIDE_OTHERS else seconds
