"""BayesSeg against what its authors' program gave: Choi's sets 1 and 2, and the AI lectures.

Settings of the original: prior .2, the number of segments known, no durations. Its words come out
right with Choi's stop list; the errors are those that the program itself printed.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mit_originals import N_DOCUMENTS, originals
from oracles.mit_errors import mit_pk_and_windowdiff
from segscore.segmenters import BayesSeg
from segscore.segmenters.preprocessing import MIT


@pytest.mark.parametrize(("corpus", "least_same"), [("choi", 0.98), ("lectures", 0.95)])
def test_as_the_original(data: Path, corpus: str, least_same: float) -> None:
    segmenter = BayesSeg(replace(MIT, stop_words=data / "choi" / "STOPWORD.list"))
    same, ours_off, theirs_off = [], [], []
    for units, known in originals(data, corpus):
        masses = segmenter(units, len(known["ref"])).masses.tolist()
        same.append(masses == known["bayes"])
        theirs_off.append(known["bayes_pk_wd_words"])
        if same[-1]:
            ours_off.append(known["bayes_pk_wd_words"])
        else:
            words = [len(MIT.tokenise(unit)) for unit in units]
            ours_off.append(mit_pk_and_windowdiff(known["ref"], masses, words))
    assert len(same) == N_DOCUMENTS[corpus]
    assert np.mean(same) >= least_same
    assert np.mean(ours_off, axis=0) == pytest.approx(np.mean(theirs_off, axis=0), abs=0.002)


@pytest.mark.parametrize(("corpus", "every"), [("choi", 40), ("lectures", 9)])
def test_the_errors_that_the_original_printed(data: Path, corpus: str, every: int) -> None:
    """Our transcription of its Pk and WindowDiff, on a part: what the test above relies on."""
    for units, known in list(originals(data, corpus))[::every]:
        words = [len(MIT.tokenise(unit)) for unit in units]
        for method in ("bayes", "mincut"):
            errors = mit_pk_and_windowdiff(known["ref"], known[method], words)
            assert errors == pytest.approx(known[f"{method}_pk_wd_words"], abs=1e-6)
