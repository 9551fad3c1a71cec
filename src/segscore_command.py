"""What the script `segscore` runs, outside of the package: Ctrl-C while the package is imported,
which takes most of the time of a short command, ends the process as quietly as a later Ctrl-C."""

import os
import signal

_INTERRUPTED = 128 + signal.SIGINT


def main() -> None:
    """Import and run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    try:
        from segscore.cli import main as run

        if signal.getsignal(signal.SIGINT) is _leave:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:  # before `run` handles signals
        os._exit(_INTERRUPTED)


def _leave(*_: object) -> None:
    os._exit(_INTERRUPTED)
