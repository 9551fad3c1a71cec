"""The house does not grow: each number of tests/house.py is at most its limit."""

import pytest

from house import LIMITS, MEASURES


@pytest.mark.parametrize("name", MEASURES)
def test_no_number_rises(name: str) -> None:
    measured, (limit, _) = MEASURES[name](), LIMITS[name]
    assert measured <= limit, (
        f"{name}: {measured:,}, and the limit is {limit:,}: a feature takes what it needs from "
        "somewhere else (`python tests/house.py` prints the table; CONTRIBUTING.md)"
    )
