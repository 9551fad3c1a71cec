"""Every case that ever failed is checked again, and a few new ones of each family."""

import json
from pathlib import Path
from random import Random

import pytest

from fuzz.families import FAMILIES, check, text_of
from needs import where_needed

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_past_failures(path: Path) -> None:
    kept = json.loads(path.read_text("utf-8"))
    check(kept["family"], kept["case"])


@pytest.mark.parametrize("family", where_needed(FAMILIES, {"columns": "arrow peers"}))
def test_each_family_draws_the_same_cases_from_the_same_seed(family: str) -> None:
    first, second = Random(5), Random(5)
    for _ in range(1 if family == "pool" else 10):  # each starts processes
        case = FAMILIES[family].draw(first)
        assert json.loads(json.dumps(case)) == FAMILIES[family].draw(second)
        check(family, case)


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


@pytest.mark.slow
def test_a_hundred_interrupted_pools() -> None:
    """Each ends in time, without a traceback, and leaves neither a process nor a file."""
    random = Random("interrupted")
    for _ in range(100):
        check("pool", FAMILIES["pool"].draw(random))
