"""What is left when a command is stopped: no process, no unfinished file, no traceback."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import segscore as ss
from fuzz.pools import descendants, runs
from segscore.segmenters import C99
from segscore.segmenters.workers import segment_all

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

PATIENCE = 60.0  # seconds; the machine may be busy
SLOW = "hier-bayes(rounds=3000000)"


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def texts(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in paths:
        path.write_text("The cat sees another cat. " * 60 + "A star shines on stars. " * 60)
    return paths


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Starts commands in a session of their own; none outlives the test."""
    found: list[subprocess.Popen[str]] = []

    def start(*arguments: object) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "segscore", *map(str, arguments)]
        found.append(
            subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        )
        return found[-1]

    yield start
    for process in found:
        with contextlib.suppress(ProcessLookupError):  # its session is its group
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        if process.stderr is not None:
            process.stderr.close()


def unfinished(folder: Path) -> list[Path]:
    return list(folder.glob(".*.part"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_a_stopped_segment_leaves_nothing(
    number: signal.Signals,
    texts: list[Path],
    tmp_path: Path,
    started: Callable[..., "subprocess.Popen[str]"],
) -> None:
    out = tmp_path / "out.jsonl"
    process = started("segment", *texts, "--method", SLOW, "--workers", 2, "-o", out)
    wait_until(lambda: len(descendants(process.pid)) >= 3 and bool(unfinished(tmp_path)))
    own = descendants(process.pid)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    wait_until(lambda: process.poll() is not None and not any(map(runs, own)))
    stderr = process.communicate()[1]
    assert not out.exists()
    if number == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
        return
    assert process.returncode == 128 + number
    assert "Traceback" not in stderr
    assert unfinished(tmp_path) == []


def test_a_worker_that_is_killed_is_an_error(
    texts: list[Path], started: Callable[..., "subprocess.Popen[str]"]
) -> None:
    process = started("segment", *texts, "--method", SLOW, "--workers", 2)

    def workers() -> list[int]:
        found = descendants(process.pid)
        return [
            number
            for number in found
            if b"spawn_main" in Path(f"/proc/{number}/cmdline").read_bytes()
        ]

    wait_until(lambda: len(workers()) == 2)
    os.kill(workers()[0], signal.SIGKILL)
    stderr = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 2
    assert re.search("worker process ended", stderr)
    assert "Traceback" not in stderr


def test_too_many_workers_are_refused() -> None:
    tasks = [(str(i), ["cat", "star"], 1) for i in range(3)]
    with pytest.raises(ss.SegmentationError, match=r"workers is 200000: expected 1 … 1024"):
        list(segment_all(C99(), tasks, 200_000))


# ---- how signals stop a command, where a test in this process would stop itself ----


START = """
    import os, signal, sys, time
    from segscore.cli.output import Stopping
    stopping = Stopping()
    stopping.install()
    def send(number):
        os.kill(os.getpid(), number)
        for _ in range(1000):  # the handler runs between two of these
            pass
"""


def ended(script: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(START) + textwrap.dedent(script)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_a_second_signal_does_not_disturb_the_cleaning_up() -> None:
    done = ended(
        """
        try:
            send(signal.SIGTERM)
        finally:
            send(signal.SIGTERM)
            send(signal.SIGINT)
            print("clean")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (143, "clean\n", "")


def test_a_much_later_signal_ends_at_once() -> None:
    done = ended(
        """
        try:
            send(signal.SIGTERM)
        finally:
            time.sleep(2.2)
            send(signal.SIGINT)
            print("never")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_exit_code_is_settled_when_all_is_done() -> None:
    done = ended("stopping.finish(7)\nsend(signal.SIGINT)\n")
    assert (done.returncode, done.stderr) == (7, "")


def test_ignored_signals_stay_ignored() -> None:
    """`nohup` and shells with background jobs ignore signals for a command."""
    script = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    done = subprocess.run(
        [sys.executable, "-c", script + textwrap.dedent(START) + "send(signal.SIGHUP)"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("name", ["segscore", "numpy", "typer", "segscore.cli.output"])
def test_ctrl_c_while_the_package_is_imported_is_quiet(name: str) -> None:
    """The script is started as pyproject.toml declares it, and interrupted at an import."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    module, function = project["project"]["scripts"]["segscore"].split(":")
    script = f"""
        import os, signal, sys
        class Interrupt:
            def find_spec(self, name, path=None, target=None):
                if name == {name!r}:
                    os.kill(os.getpid(), signal.SIGINT)
        sys.meta_path.insert(0, Interrupt())
        sys.argv = ["segscore", "metrics"]
        from {module} import {function}
        {function}()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "")
