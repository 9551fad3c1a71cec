"""What the commands computed when the house was frozen (issue *Less*): their numbers are law.

`outputs.json` was written once, by `python tests/golden/test_golden.py`, and is not written again:
a command that is spelt anew is spelt anew in COMMANDS. Numbers and signatures count, in the order
in which they stand in the output; words do not.
"""

import json
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent
OUTPUTS = FOLDER / "outputs.json"
FAST = "--resamples 500"
LINEAR = """pk pk-prime windowdiff winpr f1 f1(tolerance=2) s b b(n_t=3) multwindowdiff multf1 cseg pd ghd
misplaced-units purity-coverage covering rand ari deviation hausdorff e-pk e-wd e-winpr e-f1 e-s e-b
e-cseg e-pd e-ghd e-covering e-hausdorff t-measure segment-f1 f1@10 f1@50 count-mae windowdiff(edges=wrap)
windowdiff(edges=pad) pk(k=3) f1(matching=many) windowdiff(weighted=yes)""".split()
LABELLED = "titles label-edit pairwise-f nce v-measure mof mapped-mof segment-f1".split()


def metrics(names: list[str]) -> str:
    """The options of metrics."""
    return " ".join(f"-m '{name}'" for name in names)


COMMANDS = {
    "score": f"score reference.jsonl ours.jsonl {metrics(LINEAR)} -f json",
    "score, parts": "score reference.jsonl ours.jsonl -m f1 -m winpr -m b -m s -m deviation --parts -f json",
    "score, documents": "score reference.jsonl baseline.jsonl -m pk -m b --per-document -f json",
    "score, labels": f"score labels.jsonl --reference ann {metrics(LABELLED)} -f json",
    "score, chunks": "score chunks_guide.md chunks_fixed.jsonl chunks_sections.jsonl -m windowdiff -m b -f json",
    "compare": f"compare reference.jsonl ours.jsonl baseline.jsonl -m pk -m windowdiff -m b {FAST} -f json",
    "compare, pairs": f"compare reference.jsonl ours.jsonl baseline.jsonl -m b --show pairs {FAST} -f json",
    "compare, macro": f"compare reference.jsonl ours.jsonl baseline.jsonl -m winpr --average macro {FAST} -f json",
    "compare, people": f"compare people.jsonl ours.jsonl -m b -m multwindowdiff {FAST} -f json",
    "agree": f"agree people.jsonl --draws 100 {FAST} -f json",
    "agree, s": f"agree people.jsonl -m s --draws 100 {FAST} --show coefficients --show decisions -f json",
    "agree, lengths": f"agree people.jsonl --chance lengths --draws 100 {FAST} --show agreement -f json",
    "agree, tables": f"agree people.jsonl --draws 50 {FAST} --show coders --show clusters --show matrix --show support"
    " --show deviation --show pairwise --show segments --show misses --show granularity --show contested -f json",
    "agree, labels": f"agree labels.jsonl --draws 50 {FAST} --show labels --show label-use --show label-confusion -f json",
    "agree, rounds": f"agree people.jsonl round2.jsonl --rounds --draws 50 {FAST} -f json",
    "audit": "audit reference.jsonl ours.jsonl -f json",
    "audit, expected": "audit reference.jsonl ours.jsonl --expect 0.1792 -f json",
    "check": "check reference.jsonl ours.jsonl -f json",
    "curve": f"curve reference.jsonl scores.jsonl {FAST} -f json",
    "curve, all": "curve reference.jsonl scores.jsonl --all --no-intervals -f json",
    "sweep": f"sweep reference.jsonl ours.jsonl -m b --parameter n_t=1:4 {FAST} -f json",
    "evidence": f"evidence guide.md questions.jsonl fixed.jsonl sections.jsonl {FAST} -f json",
    "evidence, retrieved": "evidence guide.md questions.jsonl sections.jsonl --retrieved fetched.jsonl --no-intervals -f json",
    "chunks": f"chunks guide.md fixed.jsonl sections.jsonl --max-size 50 {FAST} -f json",
    "consensus": "consensus people.jsonl -o -",
    "feedback": "feedback reference.jsonl people.jsonl -f json",
    "simulate": "simulate -n 3 --hypotheses 2 --misses 0.3 --near-misses 0.3 --seed 5",
    "segment": "segment harbour.txt market.txt --method c99",
    "segment, ui": "segment harbour.txt market.txt",
    "segment, texttiling": "segment harbour.txt --method texttiling",
    "convert": "convert sheet.csv - --to jsonl --marks start --ignore-columns comments",
}


def numbers(value: Any) -> Iterator[float | str]:
    """The numbers and signatures of an output, in order."""
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, int | float) or (isinstance(value, str) and "|v:" in value):
        yield value


def run(name: str, folder: Path) -> Any:
    """What a command prints: JSON, or lines of it."""
    from command_line import segscore

    done = segscore(*shlex.split(COMMANDS[name]), cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return [json.loads(line) for line in done.stdout.splitlines()]


def matches(found: float | str, known: float | str) -> bool:
    """Whether two entries are the same number, but for its last digits, or the same signature."""
    if isinstance(found, str) or isinstance(known, str):
        return found == known
    return found == pytest.approx(known, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(FOLDER / "data", tmp_path / "data")


@pytest.mark.parametrize("name", COMMANDS)
def test_numbers_are_those_of_the_freeze(name: str, folder: Path) -> None:
    known = list(numbers(json.loads(OUTPUTS.read_text("utf-8"))[name]))
    found = list(numbers(run(name, folder)))
    assert len(found) == len(known)
    assert [pair for pair in zip(found, known, strict=True) if not matches(*pair)] == []


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.resolve().parent))
    OUTPUTS.write_text(
        "{\n"
        + ",\n".join(
            f"{json.dumps(name)}: {json.dumps(run(name, FOLDER / 'data'))}" for name in COMMANDS
        )
        + "\n}\n",
        "utf-8",
    )
