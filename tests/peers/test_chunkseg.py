"""audit against chunkseg 0.4.0 itself: times become chunks, labels become gaps, fallbacks included."""

from importlib.metadata import version
from typing import Any

import chunkseg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from needs import needs
from segscore.conventions import audit

pytestmark = needs("peers")

MEASURES = (
    ("pk", "chunkseg", "pk"),
    ("windowdiff", "chunkseg", "window_diff"),
    ("b", "chunkseg", "boundary_similarity"),
    ("f1", "chunkseg-collar", "collar_f1"),
)


def test_the_version_is_the_one_that_is_named() -> None:
    assert version("chunkseg") == "0.4.0"


def segmentation(times: list[float], duration: float) -> ss.Segmentation:
    return ss.Segmentation.from_times([0.0, *times], duration, resolution=0.001)


@st.composite
def recordings(draw: Any) -> tuple[list[float], list[float], float]:
    """Starts of both sides and a duration, in eighths of a second: their differences are exact, so
    that chunkseg sees ties where there are any."""
    duration = draw(st.integers(6 * 8, 400 * 8))
    times = st.lists(st.integers(1, duration - 1), max_size=8, unique=True)
    ref, hyp = ([eighths / 8 for eighths in sorted(draw(times))] for _ in range(2))
    return ref, hyp, duration / 8


@given(recordings())
def test_one_recording(recording: Any) -> None:
    ref, hyp, duration = recording
    theirs = chunkseg.evaluate(hyp, ref, duration)
    sides = segmentation(ref, duration), segmentation(hyp, duration)
    found = audit(*sides, tolerance="3s")
    for measure, name, key in MEASURES:
        assert found[name, measure].prints == pytest.approx(theirs[key]), key
    row = audit(*sides, measures=["f1"])["chunkseg", "f1"]
    precision, recall = theirs["precision"], theirs["recall"]
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert row.prints == pytest.approx(f1)


@settings(max_examples=20)
@given(st.lists(recordings(), min_size=2, max_size=5))
def test_several_recordings(some: Any) -> None:
    samples = [{"reference": ref, "hypothesis": hyp, "duration": n} for ref, hyp, n in some]
    theirs = chunkseg.evaluate_batch(samples, num_bootstrap=2)
    refs, hyps = (
        [segmentation(recording[side], recording[2]) for recording in some] for side in (0, 1)
    )
    found = audit(refs, hyps, tolerance="3s")
    for measure, name, key in MEASURES:
        assert found[name, measure, "mean"].prints == pytest.approx(theirs[key]["mean"]), key
    row = audit(refs, hyps, measures=["f1"])["chunkseg", "f1", "mean-rates"]
    assert row.prints == pytest.approx(theirs["f1"]["mean"])
    assert row.precision == pytest.approx(theirs["precision"]["mean"])
    assert row.recall == pytest.approx(theirs["recall"]["mean"])
