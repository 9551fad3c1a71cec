"""Families of calls: the API with values that nobody should give, and commands with such options.

A call gives a result or a SegmentationError; a command ends with an exit code of its own, and with
one line on stderr if that is 2.
"""

import contextlib
import io
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import segscore as ss
from fuzz.samples import HOSTILE, SAMPLES
from segscore import cli
from segscore.io import ReadOptions

Case = dict[str, Any]


def _read(value: Any, other: Any) -> object:
    # a folder that is there would be read; no string among the values names one
    return ss.read(value, None, coder=other)


CALLS: dict[str, Callable[[Any, Any], object]] = {
    "from_masses": lambda a, _: ss.Segmentation.from_masses(a),
    "from_boundaries": ss.Segmentation.from_boundaries,
    "from_boundaries types": lambda a, _: ss.Segmentation.from_boundaries([1], 3, types=a),
    "from_boundaries ranks": lambda a, _: ss.Segmentation.from_boundaries([1], 3, ranks=a),
    "from_boundaries candidates": lambda a, _: ss.Segmentation.from_boundaries([1], 3, candidates=a),
    "from_masses labels": lambda a, _: ss.Segmentation.from_masses([1, 2], segment_labels=a),
    "from_gaps": lambda a, _: ss.Segmentation.from_gaps(a),
    "from_labels": lambda a, b: ss.Segmentation.from_labels(a, marks=b),
    "from_segment_ids": lambda a, _: ss.Segmentation.from_segment_ids(a),
    "from_spans": lambda a, _: ss.Segmentation.from_spans(a),
    "read": _read,
    "read format": lambda a, _: ss.read("/nowhere.jsonl", a),
    "read options": lambda a, b: ReadOptions(units=a, policy=b),
    "metric": lambda a, _: ss.metric(a),
    "score threads": lambda a, _: ss.score([ss.Segmentation.from_masses([1, 2])] * 2,
                                           [ss.Segmentation.from_masses([2, 1])] * 2, metrics=["pk"], threads=a),
    "corpus": lambda a, b: ss.Corpus.from_dict({"d": {"c": a}} if b is None else a),
}  # fmt: skip


def draw_call(random: Random) -> Case:
    """A call and two values."""
    numbers = range(len(HOSTILE))
    return {
        "call": random.choice(list(CALLS)),
        "values": [random.choice(numbers), random.choice(numbers)],
    }


def check_call(case: Case, folder: Path) -> None:
    """A result or a SegmentationError."""
    del folder
    first, second = (HOSTILE[number] for number in case["values"])
    with contextlib.suppress(ss.SegmentationError):
        CALLS[case["call"]](first, second)


# ---- commands ----

_VALUES = (
    "", "0", "1", "-1", "3", "2147483648", "9223372036854775808", "1" * 30, "0.5", "nan", "inf", "1e308", "auto", "all", "x",
    "pk", "wd(k=3)", "wd(k=0)", "wd(", "b(n_t=1)", "f1(beta=0)", "s", "\x1b[31m", "é", "a=b", "policy=snap", "text-encoding=x", "{ref}", "{hyp}", "{missing}",
    "{out}", "words", "seconds:1", "seconds:0", "json", "csv", "text", "latex", "html", "markdown", "jsonl", "gaps", "wide",
    "error", "skip", "snap", "nan", "raise", "micro", "macro", "gold", "sys",
)  # fmt: skip
_OPTIONS: dict[str, tuple[str, ...]] = {
    "score": ("-m", "--reference", "--from", "--average", "--missing", "--on-undefined", "--units", "--read",
              "-f", "-o", "--per-document"),
    "convert": ("--from", "--to", "--coder", "--coders", "--units", "--read", "--lossy"),
    "audit": ("--expect", "--reference", "--hypothesis", "--from", "-f", "-o"),
    "agree": ("-m", "--from", "-f", "-o", "--level"),
    "segment": ("--method", "-n", "-u", "--from", "--read", "--stemmer", "-o"),
    "simulate": ("--sizes", "--misses", "--near-misses", "--false-positives", "--within", "--seed", "--to", "-o"),
}  # fmt: skip
_FIXED = {"simulate": ["-n", "3", "--hypotheses", "2"]}


def draw_command(random: Random) -> Case:
    """A command with a few options."""
    name = random.choice(list(_OPTIONS))
    words = [name, *_FIXED.get(name, [])]
    files = {"score": 2, "convert": 2, "audit": 2, "agree": 1, "segment": 1, "simulate": 0}[name]
    choices = ("{ref}", "{ref}", "{hyp}", "{hyp}", "{missing}", "{empty}", "{out}")
    words += [random.choice(choices) for _ in range(files)]
    for _ in range(random.randint(0, 3)):
        option = random.choice(_OPTIONS[name])
        flag = option in ("--per-document", "--lossy")
        words += [option] if flag else [option, random.choice(_VALUES)]
    return {"words": words}


def check_command(case: Case, folder: Path) -> None:
    """An exit code, and a line if it is 2."""
    paths = {
        name: str(folder / f"{name}.jsonl") for name in ("ref", "hyp", "missing", "empty", "out")
    }
    for name, coder in (("ref", "gold"), ("hyp", "sys")):
        text = SAMPLES["jsonl"].content.replace('"b"', f'"{coder}"').replace('"ü"', f'"{coder}"')
        Path(paths[name]).write_text(text, "utf-8")
    Path(paths["empty"]).write_text("")
    before = {name: Path(paths[name]).read_bytes() for name in ("ref", "hyp", "empty")}
    words = case["words"]
    for name, path in paths.items():
        words = [word.replace(f"{{{name}}}", path) for word in words]
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        code = cli.run(words)
    stderr = err.getvalue()
    assert code in (0, 1, 2), code
    assert "Traceback" not in stderr
    assert "\x1b" not in out.getvalue() + stderr
    if code == 2:
        *_, last = stderr.splitlines()  # remarks may come before
        assert last.startswith("segscore: ") or "Usage" in stderr, stderr
        assert len(stderr) < 3000, stderr
    for name in _read_by(case["words"]) & before.keys():
        assert Path(paths[name]).read_bytes() == before[name], name


def _read_by(words: list[str]) -> set[str]:
    """Which files a command reads, and so must not change: all but -o and TARGET."""
    arguments = [word for before, word in pairwise(["", *words]) if not before.startswith("-")]
    read = arguments[1:2] if words[0] == "convert" else arguments[1:]
    return {argument.strip("{}") for argument in read}
