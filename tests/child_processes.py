"""Python in a process of its own, where it may crash, or take memory up to a limit."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

PROJECT = Path(__file__).parents[1]
_LIMITED = """
import resource, sys
if {limit}:
    resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
sys.argv[1:] = {arguments!r}
try:
    exec(compile({code!r}, "<child>", "exec"), {{"__name__": "__main__"}})
finally:
    # not ru_maxrss, which begins with that of the parent process
    with open("/proc/self/status") as status:
        peak = next(line for line in status if line.startswith("VmHWM")).split()[1]
    print("peak", int(peak) // 1024, file=sys.__stderr__)
"""


if not Path("/proc/self/status").exists():
    pytest.skip("needs the limits and the /proc of Linux", allow_module_level=True)


class Ended(NamedTuple):
    """How a process ended: below 0 by a signal; and the most memory it had, in MB."""

    code: int
    out: str
    err: str
    peak: int


def python(code: str, *arguments: object, gigabytes: float = 4, seconds: float = 120) -> Ended:
    """Run code in a child process with a limit on its addresses (0: none)."""
    limit = int(gigabytes * 2**30)
    if os.environ.get("LD_PRELOAD"):  # a sanitizer reserves terabytes of addresses
        limit = 0
    text = _LIMITED.format(
        limit=limit, arguments=[str(argument) for argument in arguments], code=code
    )
    places = [str(PROJECT / "src"), str(PROJECT / "tests"), os.environ.get("PYTHONPATH", "")]
    if os.environ.get("LD_PRELOAD"):  # the build to test stands first there
        places.reverse()
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=seconds, check=False,
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places), "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    lines = done.stderr.splitlines()
    peak = int(lines[-1].split()[1]) if lines and lines[-1].startswith("peak ") else 0
    return Ended(done.returncode, done.stdout, "\n".join(lines[:-1] if peak else lines), peak)
