"""BayesSeg against what its authors' program gave: Choi's sets 1 and 2, and the AI lectures.

Settings of the original: prior .2, the number of segments known, no durations. Its words come out
right with Choi's stop list; the errors are those that the program itself printed.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from oracles.mit_errors import mit_pk_and_windowdiff
from segscore.segmenters import BayesSeg
from segscore.segmenters.preprocessing import MIT


def choi(data: Path) -> Iterator[tuple[str, ss.Document]]:
    for part in sorted(data.glob("choi/[12]/*/")):
        for name, one in ss.read(part, format="choi").items():
            yield f"{part.parent.name}_{part.name}_{name}.ref", one


def lectures(data: Path) -> Iterator[tuple[str, ss.Document]]:
    for name, one in ss.read(data / "lectures_ai" / "manual", format="choi").items():
        yield f"{name}.ref", one


def originals(data: Path, file: str) -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = json.loads((data / "reference_outputs" / file).read_text())
    return made


@pytest.mark.parametrize(
    ("documents", "file", "n_documents", "least_same"),
    [
        (choi, "choi_bayesseg_mincut.json", 400, 0.98),
        (lectures, "ai_bayesseg_mincut.json", 19, 0.95),
    ],
    ids=["choi", "lectures"],
)
def test_as_the_original(
    data: Path, documents: Any, file: str, n_documents: int, least_same: float
) -> None:
    segmenter = BayesSeg(replace(MIT, stop_words=data / "choi" / "STOPWORD.list"))
    theirs, same, ours_off, theirs_off = originals(data, file), [], [], []
    for name, one in documents(data):
        if name not in theirs:  # the lectures for development
            continue
        known, units = theirs[name], list(one.units)
        assert one["reference"].masses.tolist() == known["ref"]
        made = segmenter(units, len(known["ref"])).masses.tolist()
        same.append(made == known["bayes"])
        theirs_off.append(known["bayes_pk_wd_words"])
        if same[-1]:
            ours_off.append(known["bayes_pk_wd_words"])
        else:
            words = [len(MIT.tokenise(unit)) for unit in units]
            ours_off.append(mit_pk_and_windowdiff(known["ref"], made, words))
    assert len(same) == n_documents
    assert np.mean(same) >= least_same
    assert np.mean(ours_off, axis=0) == pytest.approx(np.mean(theirs_off, axis=0), abs=0.002)


def test_the_errors_that_the_original_printed(data: Path) -> None:
    """Our transcription of its Pk and WindowDiff, on a part: what the test above relies on."""
    for documents, file, every in (
        (choi, "choi_bayesseg_mincut.json", 40),
        (lectures, "ai_bayesseg_mincut.json", 9),
    ):
        theirs = originals(data, file)
        for name, one in list(documents(data))[::every]:
            known = theirs[name]
            words = [len(MIT.tokenise(unit)) for unit in one.units or ()]
            for method in ("bayes", "mincut"):
                made = mit_pk_and_windowdiff(known["ref"], known[method], words)
                assert made == pytest.approx(known[f"{method}_pk_wd_words"], abs=1e-6)
