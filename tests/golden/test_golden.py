"""What the commands computed when the house was frozen (issue *Less*): their numbers are law.

`outputs.json` was written once, by `python tests/golden/test_golden.py`, and is not written again:
a command that is spelt anew is spelt anew in COMMANDS. Numbers and signatures count; words,
seconds and fields that were added since do not. No number differs on purpose. Pages,
pictures and `demo` print no JSON, `accumulate` is gone, and papers are in reproduction/frozen.json.
"""

import json
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

FOLDER = Path(__file__).parent
OUTPUTS = FOLDER / "outputs.json"
FAST = "--resamples 500"
LINEAR = """
    pk pk-prime windowdiff winpr f1 f1(tolerance=2) s b b(n_t=3) multwindowdiff multf1 cseg pd
    ghd misplaced-units purity-coverage covering rand ari deviation hausdorff e-pk e-wd e-winpr
    e-f1 e-s e-b e-cseg e-pd e-ghd e-covering e-hausdorff t-measure segment-f1 f1@10 f1@50
    count-mae windowdiff(edges=wrap) windowdiff(edges=pad) pk(k=3) f1(matching=many)
    windowdiff(weighted=yes)
"""
LABELLED = "titles label-edit pairwise-f nce v-measure mof mapped-mof segment-f1"


def metrics(names: str) -> str:
    """The options of metrics."""
    return " ".join(f"-m '{name}'" for name in names.split())


COMMANDS = {
    "score": f"score reference.jsonl ours.jsonl {metrics(LINEAR)} -f json",
    "score, parts": "score reference.jsonl ours.jsonl -m f1 -m winpr -m b -m s -m deviation --show parts -f json",
    "score, documents": "score reference.jsonl baseline.jsonl -m pk -m b --per-document -f json",
    "score, labels": f"score labels.jsonl --reference ann {metrics(LABELLED)} -f json",
    "score, chunks": "score guide.md chunks_fixed.jsonl -m windowdiff -m b -f json",
    "score, sections": "score guide.md sections.jsonl -m windowdiff -m b -f json",
    "compare": f"compare reference.jsonl ours.jsonl baseline.jsonl -m pk -m windowdiff -m b {FAST} -f json",
    "compare, pairs": f"compare reference.jsonl ours.jsonl baseline.jsonl -m b --show pairs {FAST} -f json",
    "compare, macro": f"compare reference.jsonl ours.jsonl baseline.jsonl -m winpr --average macro {FAST} -f json",
    "compare, people": f"compare people.jsonl ours.jsonl -m b -m multwindowdiff {FAST} -f json",
    "agree": "agree people.jsonl --draws 100 -f json",
    "agree, s": "agree people.jsonl -m s --draws 100 --show coefficients --show decisions -f json",
    "agree, lengths": "agree people.jsonl --chance lengths --draws 100 --show agreement -f json",
    "agree, tables": "agree people.jsonl --draws 50 --show coders --show clusters --show matrix --show support"
    " --show deviation --show pairwise --show segments --show misses --show granularity --show contested -f json",
    "agree, labels": "agree labels.jsonl --show labels --show label-use --show label-confusion -f json",
    "agree, rounds": "agree people.jsonl round2.jsonl --rounds --draws 50 -f json",
    "audit": "audit reference.jsonl ours.jsonl -f json",
    "audit, expected": "audit reference.jsonl ours.jsonl --expect 0.1792 -f json",
    "check": "check reference.jsonl ours.jsonl -f json",
    "curve": f"curve reference.jsonl scores.jsonl {FAST} -f json",
    "curve, all": "curve reference.jsonl scores.jsonl --all -f json",
    "sweep": f"curve reference.jsonl ours.jsonl -m b --vary n_t=1:4 {FAST} -f json",
    "evidence": f"chunks guide.md fixed.jsonl sections.jsonl --questions questions.jsonl {FAST} -f json",
    "evidence, retrieved": "chunks guide.md sections.jsonl --questions questions.jsonl --retrieved fetched.jsonl --no-intervals -f json",
    "chunks": f"chunks guide.md fixed.jsonl sections.jsonl --max-size 50 {FAST} -f json",
    "consensus": "convert people.jsonl -o out.jsonl --consensus 0.5",
    "feedback": "agree reference.jsonl people.jsonl --reference gold -f json",
    "simulate": "simulate -n 3 --hypotheses 2 --misses 0.3 --near-misses 0.3 --seed 5",
    "segment": "segment harbour.txt market.txt --method c99",
    "segment, ui": "segment harbour.txt market.txt",
    "segment, texttiling": "segment harbour.txt --method texttiling",
    "benchmark": f"benchmark texts.jsonl --method c99 --method 'texttiling(w=5)' {metrics('b pk')} -f json",
    "tune": "benchmark texts.jsonl --tune --method texttiling -n reference -m pk -f json",
    "convert": "convert sheet.csv out.jsonl --read marks=start --read ignore-columns=comments",
}


def counts(value: Any) -> bool:
    """Whether it is a number or a signature, and not a word."""
    return isinstance(value, int | float) or (isinstance(value, str) and "|v:" in value)


def differences(found: Any, known: Any, at: str = "") -> Iterator[str]:
    """Where numbers and signatures differ; fields that were added since the freeze do not count."""
    if isinstance(known, dict):
        for key, part in known.items():
            if key != "seconds_per_document":
                yield from differences(found.get(key), part, f"{at}.{key}")
    elif isinstance(known, list) and (found is not None or any(map(counts, known))):
        if len(found) != len(known):
            yield f"{at}: {len(found)} entries instead of {len(known)}"
        for i, (part, other) in enumerate(zip(found, known, strict=False)):
            yield from differences(part, other, f"{at}[{i}]")
    elif counts(known):
        is_text = isinstance(known, str)
        same = known if is_text else pytest.approx(known, rel=1e-9, abs=1e-12, nan_ok=True)
        if found != same:
            yield f"{at}: {found!r} instead of {known!r}"


def run(name: str, folder: Path) -> Any:
    """What a command prints, or writes into `out.jsonl`: JSON, or lines of it."""
    from command_line import segscore

    done = segscore(*shlex.split(COMMANDS[name]), cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    written = folder / "out.jsonl"
    text = written.read_text("utf-8") if "out.jsonl" in COMMANDS[name] else done.stdout
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(FOLDER / "data", tmp_path / "data")


@pytest.mark.parametrize("name", COMMANDS)
def test_numbers_are_those_of_the_freeze(name: str, folder: Path) -> None:
    known = json.loads(OUTPUTS.read_text("utf-8"))[name]
    assert list(differences(run(name, folder), known)) == []


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.resolve().parent))
    with TemporaryDirectory() as copy:
        shutil.copytree(FOLDER / "data", copy, dirs_exist_ok=True)
        lines = [f"{json.dumps(name)}: {json.dumps(run(name, Path(copy)))}" for name in COMMANDS]
    OUTPUTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
