"""Segmenters by name, over many documents, and from the command line."""

import json
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

import segscore as ss
from pool_work import work
from segscore.cli import run as command
from segscore.segmenters import C99, segmenter
from segscore.segmenters.workers import Done, WorkerPool, segment_all

CATS, STARS = "Cats chase mice. Mice fear cats. A cat purrs.", "Stars shine. A star is far."


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("c98", "no segmenter is called 'c98'"),
        ("c99(depth=2)", "parameter is called 'depth'"),
        ("none(k=2)", "none.*because.*no parameters"),
        ("c99(radius=3,radius=5)", "cannot read 'radius=5'"),
        ("uniform", "give n_segments="),
    ],
)
def test_names_that_cannot_be_read(spec: str, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        segmenter(spec)(["a", "b"])


def test_processes_give_what_one_gives() -> None:
    units = ["cat mouse", "cat", "star moon", "star", "tree leaf", "leaf"]
    tasks = [(str(i), units[i % 3 :], 2) for i in range(9)]

    def plain(done: Iterable[Done]) -> list[tuple[str, ss.Segmentation]]:
        return [result[:2] for result in done]

    alone = plain(segment_all(C99(), tasks, workers=1))
    assert [name for name, _ in alone] == [str(i) for i in range(9)]
    assert plain(segment_all(C99(), tasks, workers=2)) == alone
    segmenter = C99()

    def local(units: list[str], n_segments: int | None) -> ss.Segmentation:
        return segmenter(units, n_segments)  # cannot be sent to another process

    assert plain(segment_all(local, tasks, workers=2)) == alone


@pytest.mark.parametrize("from_stdin", [False, True])
def test_processes_do_not_run_a_script_without_a_guard(tmp_path: Path, from_stdin: bool) -> None:
    path = tmp_path / "script.py"
    path.write_text(
        "import segscore as ss\n"
        "from segscore.segmenters.workers import segment_all\n"
        "print('once')\n"
        "def mine(units): return ss.Segmentation.from_masses([1, len(units) - 1])\n"
        "def masses(one, n):\n"
        "    tasks = [(str(i), ['cat', 'star', 'star'], n) for i in range(4)]\n"
        "    return [coding.masses.tolist() for _, coding, _ in segment_all(one, tasks, 2)]\n"
        "print(masses(ss.segmenters.C99(), 2), masses(ss.segmenters.segmenter(mine), None))\n"
    )
    done = subprocess.run(
        [sys.executable, "-" if from_stdin else path],
        input=path.read_text() if from_stdin else None,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == f"once\n{[[1, 2]] * 4} {[[1, 2]] * 4}\n"


# ---- the command ----


def test_no_document_is_lost_to_another_of_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / name / "a.txt" for name in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(CATS, "utf-8")
    assert command(["segment", *map(str, paths)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["document"] for line in lines] == ["a", str(paths[1])]
    assert command(["segment", *map(str, paths), str(paths[1])]) == 2
    assert re.search("twice.*different names", capsys.readouterr().err)
    corpora = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for path in corpora:
        path.write_text('{"document": "d", "coder": "x", "masses": [1, 1], "units": ["a", "b"]}\n')
    assert command(["segment", *map(str, corpora), "--from", "jsonl"]) == 2
    assert "two.jsonl: document 'd' is there twice" in capsys.readouterr().err


# ---- the pool: answers in order, errors as they were raised, and an end to it ----


def test_answers_come_in_order() -> None:
    with WorkerPool(2, work) as pool:
        assert list(pool.map([0.3, 1, "x" * 10**6, 2])) == [0.3, 1, "x" * 10**6, 2]
        assert list(pool.map([3])) == [3]
        assert list(pool.map([])) == []


def test_errors_are_raised_here_and_end_the_pool() -> None:
    with WorkerPool(2, work) as pool:
        for item, kind, message in (
            ("wrong", ss.SegmentationError, "^wrong item$"),
            ("mistake", KeyError, "nothing"),
            ("untold", RuntimeError, "^Untold: it was so$"),
            ("unsent", (AttributeError, RuntimeError, TypeError), "local object|pickle"),
            ("die", ss.SegmentationError, "worker process ended"),
        ):
            with pytest.raises(kind, match=message) as caught:  # type: ignore[arg-type]
                list(pool.map([1, item, 60.0]))  # nobody waits for the last
            notes = "\n".join(getattr(caught.value, "__notes__", []))
            assert ("in work\n" in notes) == (item == "mistake")
        assert list(pool.map([1, 2])) == [1, 2]


def test_whoever_stops_iterating_does_not_wait() -> None:
    start = time.monotonic()
    with WorkerPool(2, work) as pool:
        results = pool.map([1, 600.0, 2])
        assert list(islice(results, 1)) == [1]
        results.close()
        assert list(pool.map([4, 5])) == [4, 5]  # and nothing of the old work
    assert time.monotonic() - start < 60


def test_an_iterator_that_is_left_alone_does_not_hold_python_back() -> None:
    script = """
        import time
        from segscore.segmenters.workers import WorkerPool
        pool = WorkerPool(2, time.sleep).__enter__()
        results = pool.map([0, 600, 600])
        next(results)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_workers_do_not_get_the_arguments_of_the_command() -> None:
    """They would fill the pipe by which a process is started: one that dies would block us."""
    script = """
        import sys
        from operator import methodcaller
        from segscore.segmenters.workers import WorkerPool
        with WorkerPool(1, eval) as pool:
            print(*pool.map(["__import__('sys').argv[1:]"]), len(sys.argv))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *["x" * 100] * 1000],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[] 1001\n", "")
