"""Parameters of segmenters at extremes: an error that names them, or a segmentation, and soon."""

import math
import warnings
from dataclasses import fields
from typing import Any

import pytest

import segscore as ss
from segscore.segmenters.by_name import SEGMENTERS

WHOLE = [0, 1, -1, 2**31, 2**53, 2**53 + 1, 2**63, -(2**63), 10**400]
FLOATS = [0.0, 1e-320, 1e-100, 1e100, 1e200, 1.7e308, math.inf, -1e200, math.nan]
# What one waits for is what one asks for; that it can be stopped is tested elsewhere.
PATIENT = {"rounds", "max_iterations"}
NEED_VECTORS = {"cwm", "hcwm", "embedding"}

CATS, STARS = "the cat chased another cat", "a star shines on other stars"
UNITS = [CATS] * 4 + [STARS] * 5 + ["cats chase stars"] * 3


def parameters() -> list[tuple[str, str]]:
    """Each segmenter that needs no file, with each of its parameters that may be a number."""
    found = []
    for name, make in SEGMENTERS.items():
        if name in NEED_VECTORS:
            continue
        for field in fields(make()):  # type: ignore[arg-type]
            kinds = str(field.type)
            if ("int" in kinds or "float" in kinds) and "preprocessing" not in field.name:
                found.append((name, field.name))
    return found


@pytest.mark.parametrize(("name", "field"), parameters())
def test_extreme_parameters(name: str, field: str) -> None:
    for value in [*WHOLE, *FLOATS]:
        if field in PATIENT and 1000 < value < math.inf:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                segmenter = SEGMENTERS[name](**{field: value})
                number: Any = (
                    3 if segmenter.needs_n_segments or name in ("uniform", "random") else None
                )
                segmentation = segmenter(UNITS, number)
        except ss.SegmentationError as error:
            assert field in str(error), error  # noqa: PT017  either will do
            continue
        assert segmentation.n_units == len(UNITS)


@pytest.mark.parametrize("name", [name for name in SEGMENTERS if name not in NEED_VECTORS])
def test_extreme_numbers_of_segments(name: str) -> None:
    for value in WHOLE:
        try:
            segmentation = SEGMENTERS[name]()(UNITS, value)
        except ss.SegmentationError as error:
            assert "segment" in str(error), error  # noqa: PT017  either will do
            continue
        assert segmentation.n_units == len(UNITS)
