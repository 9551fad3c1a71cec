"""How signals stop a command, where a test in this process would stop itself."""

import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

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
