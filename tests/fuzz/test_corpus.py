"""Every case that ever failed is checked again, and a few new ones of each family."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fuzz.families import FAMILIES, check, text_of
from fuzz.samples import SAMPLES, UNITS_OF_ANSWERS
from needs import where_needed
from segscore.io import FORMATS

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_past_failures(path: Path) -> None:
    kept = json.loads(path.read_text("utf-8"))
    check(kept["family"], kept["case"])


@pytest.mark.parametrize(
    "family", where_needed(FAMILIES, {"table": "arrow peers", "columns": "arrow peers"})
)
def test_each_family_draws_the_same_cases_from_the_same_seed(family: str) -> None:
    first, second = Random(5), Random(5)
    for _ in range(1 if family == "pool" else 10):  # each starts processes
        case = FAMILIES[family].draw(first)
        assert json.loads(json.dumps(case)) == FAMILIES[family].draw(second)
        check(family, case)


@pytest.mark.parametrize("name", where_needed(FORMATS, {"elan": "readers", "uima-xmi": "readers"}))
def test_samples_are_read_before_they_are_damaged(name: str, tmp_path: Path) -> None:
    import segscore as ss

    sample = SAMPLES[name]
    path = tmp_path / sample.name
    path.write_text(sample.content, "utf-8")
    path.with_suffix(".txt").write_text("a b") if name == "brat" else None
    more: dict[str, Any] = {}
    if name == "llm":
        (tmp_path / "units.jsonl").write_text(UNITS_OF_ANSWERS)
        more = {"text": tmp_path / "units.jsonl", "base": 0, "shape": "starts"}
    if "policy" in FORMATS[name].used_keys:
        more["policy"] = "snap"
    corpus = ss.read(
        path, name, units=sample.units, marks=sample.marks, remark=lambda _: None,
        **more,
    )  # fmt: skip
    assert corpus.n_codings > 0 or name in ("ctm", "chat")  # what nobody has cut


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_hundred_thousand_malformed_files(seed: int) -> None:
    """Each is read or refused in one line, in less than 10 s and less than 1 GB."""
    import resource
    import time

    randoms = {name: Random(f"many {seed} {name}") for name in ("reader", "table")}
    for index in range(10_000):
        name = "table" if index % 10 == 0 else "reader"
        case = FAMILIES[name].draw(randoms[name])
        start = time.monotonic()
        check(name, case)
        assert time.monotonic() - start < 10, text_of(name, case)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2**20  # KiB
