"""Pools of processes that are interrupted at random moments.

A command that uses worker processes gets a signal, or one of its workers does. It ends within two
seconds with the exit code of that signal (or with 2, if a worker was killed), without a traceback,
and leaves neither a process nor an unfinished file. A command that is done before the signal comes
ends with 0.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

# A shell makes jobs in the background ignore Ctrl-C, and so do all processes that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

Case = dict[str, Any]

POSSIBLE = Path("/proc/self/stat").exists()
LIMIT = 15.0  # seconds: what takes longer hangs (2 are meant, where cores are free)
_HANG = 30.0  # seconds after which nobody waits any longer
_COMMANDS = {
    "segment": ["segment", "--from", "jsonl", "{data}", "--method", "c99", "-o", "{out}"],
    "segment to stdout": ["segment", "--from", "jsonl", "{data}", "--method", "texttiling(w=5,k=3)"],
    "benchmark": ["benchmark", "{data}", "--method", "c99 utiyama-isahara", "-o", "{out}"],
    "tune": ["benchmark", "{data}", "--tune", "--method", "c99", "--vary", "radius=3,5,7,9,11,13", "-o", "{out}"],
}  # fmt: skip
_ENDS = {  # who gets which signals, and the exit code that is right then
    "ctrl-c": ("group", ["SIGINT"], 130),
    "ctrl-c twice": ("group", ["SIGINT", "SIGINT"], 130),
    "interrupt": ("command", ["SIGINT"], 130),
    "terminate": ("command", ["SIGTERM"], 143),
    "terminate all": ("group", ["SIGTERM"], 143),
    "hang up": ("group", ["SIGHUP"], 129),
    "kill a worker": ("worker", ["SIGKILL"], 2),
    "kill": ("command", ["SIGKILL"], -9),
}


def draw_pool(random: Random) -> Case:
    """A command, a signal and a moment."""
    return {
        "command": random.choice(list(_COMMANDS)),
        "end": random.choice(list(_ENDS)),
        "after": round(random.uniform(0, 3.5), 3),
        "workers": random.choice((2, 2, 3, 5)),
    }


def check_pool(case: Case, folder: Path) -> None:
    """It ends in time, as it should, and leaves nothing."""
    if not POSSIBLE:
        return
    data = folder / "data.jsonl"
    out = folder / ("out.jsonl" if case["command"] == "segment" else "out.csv")
    _write_texts(data)
    words = [word.format(data=data, out=out) for word in _COMMANDS[case["command"]]]
    command = [sys.executable, "-m", "segscore", *words, "--workers", str(case["workers"])]
    with (folder / "err").open("w+") as err:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=err, start_new_session=True
        )
        try:
            _wait_until_it_listens(process)
            time.sleep(case["after"])
            own = descendants(process.pid)
            if not _send(process, own, case["end"]):
                return  # it is done, or has no worker yet
            seconds = _ended(process, own)
        finally:
            with suppress(ProcessLookupError):  # its session is its group
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        err.seek(0)
        stderr = err.read()
    _judge(case, process.returncode, seconds, stderr)
    if process.returncode != -signal.SIGKILL:
        assert list(folder.glob(".*.part")) == []


def _judge(case: Case, code: int, seconds: float, stderr: str) -> None:
    # Python ends by SIGINT itself, cleaned up, if Ctrl-C came while it imported: shells say 130
    code = 128 + signal.SIGINT if code == -signal.SIGINT else code
    # a signal that comes when all is done changes nothing
    assert code in (_ENDS[case["end"]][2], 0), (case, code, stderr)
    assert seconds < LIMIT * _load(), (case, seconds, stderr)
    assert "Traceback" not in stderr, (case, stderr)
    assert "Exception ignored" not in stderr, (case, stderr)


def _load() -> float:
    """How many times longer things take, because others are busy, too."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _write_texts(path: Path) -> None:
    units = [f"the cat {i % 7} sees cat {i % 3}" for i in range(40)]
    units += [f"a star {i % 7} shines on star {i % 4}" for i in range(40)]
    lines = [
        {"document": f"d{i}", "coder": "gold", "masses": [40, 40], "units": units}
        for i in range(150)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def _wait_until_it_listens(process: "subprocess.Popen[bytes]") -> None:
    """Wait until the command handles SIGTERM: until then Python starts, not segscore."""
    mask = 1 << (signal.SIGTERM - 1)
    end = time.monotonic() + _HANG
    while process.poll() is None and time.monotonic() < end:
        with suppress(OSError, StopIteration, ValueError):
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            caught = next(line for line in lines if line.startswith("SigCgt"))
            if int(caught.split()[1], 16) & mask:
                return
        time.sleep(0.005)


def _send(process: "subprocess.Popen[bytes]", own: list[int], end: str) -> bool:
    """Send the signals; whether they reached anybody."""
    receiver, signals, _ = _ENDS[end]
    for name in signals:
        number = getattr(signal, name)
        try:
            if receiver == "group":
                os.killpg(process.pid, number)
            elif receiver == "command":
                os.kill(process.pid, number)
            else:
                workers = [pid for pid in own if b"spawn_main" in _words(pid)]
                if not workers:
                    return False
                os.kill(workers[0], number)
        except ProcessLookupError:
            return False
        time.sleep(0.1 if len(signals) > 1 else 0)
    return True


def _ended(process: "subprocess.Popen[bytes]", own: list[int]) -> float:
    """Seconds until the command and all that it started are gone; a killed worker ends only it."""
    start = time.monotonic()
    while process.poll() is None or any(map(runs, own)):
        assert time.monotonic() - start < _HANG, "it hangs"
        time.sleep(0.01)
    return time.monotonic() - start


def _words(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _stat(process: int) -> list[str]:
    """State and parent of a process; nothing if there is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return []


def runs(process: int) -> bool:
    return _stat(process)[:1] not in ([], ["Z"])


def descendants(process: int) -> list[int]:
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    own = [number for number in numbers if _stat(number)[1:] == [str(process)] and runs(number)]
    return own + [other for child in own for other in descendants(child)]
