"""How many cores this process may use."""

import os


def cores() -> int:
    """Cores this process may use, which may be fewer than the computer has."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
