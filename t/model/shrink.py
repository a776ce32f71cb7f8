"""Finds the shortest history that still shows a difference."""

import time

SECONDS = 45  # the most that shrinking takes


def smaller(history):
    """Smaller histories, the smallest first."""
    size = len(history) // 2
    while size:
        for at in range(len(history) - size, -1, -size):
            yield history[:at] + history[at + size:]
        size //= 2
    for n, command in enumerate(history):
        for body in smaller_bodies(command.get("body", {})):
            yield history[:n] + [{**command, "body": body}] + history[n + 1:]


def smaller_bodies(body):
    for name, value in body.items():
        if len(body) > 1:
            yield {key: item for key, item in body.items() if key != name}
        if isinstance(value, list) and len(value) > 1:
            for at in range(len(value)):
                yield {**body, name: value[:at] + value[at + 1:]}
        if isinstance(value, dict) and len(value) > 1:
            for rest in smaller_bodies(value):
                yield {**body, name: rest}


def shortest(history, replay):
    """(history, what differs). A history that no longer differs is returned as it is."""
    end = time.monotonic() + SECONDS
    difference = replay(history)
    broken = str(difference).startswith("the model breaks")
    if not difference:
        return history, "it differed once, and not again"
    progress = True
    while progress:
        progress = False
        for candidate in smaller(history):
            if time.monotonic() > end:
                return history, str(difference)
            found = replay(candidate)
            if found and str(found).startswith("the model breaks") == broken:
                history, difference, progress = candidate, found, True
                break
    return history, str(difference)
