"""What the script `segscore` runs, outside of the package: Ctrl-C while the package is imported,
which takes most of the time of a short command, ends the process as quietly as a later Ctrl-C.

A short command should cost little: NumPy starts no threads for products of large matrices, unless
OPENBLAS_NUM_THREADS asks for them, and no garbage is looked for in what is imported.
"""

import gc
import os
import signal

_INTERRUPTED = 128 + signal.SIGINT


def main() -> None:
    """Import and run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    try:
        from segscore.cli import main as run

        gc.freeze()
        gc.enable()
        if signal.getsignal(signal.SIGINT) is _leave:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:  # before `run` handles signals
        os._exit(_INTERRUPTED)


def _leave(*_: object) -> None:
    os._exit(_INTERRUPTED)
