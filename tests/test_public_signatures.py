"""Public names stay, and so do their parameters; new ones come by name, with a default."""

import json
from pathlib import Path
from typing import Any

from needs import needs
from public_signatures import public_names

KNOWN: dict[str, Any] = json.loads(
    Path(__file__).with_name("public_signatures.json").read_text("utf-8")
)
NOT_CALLED = {"Comparison", "Result", "datasets.Dataset"}  # results, which nobody but us makes


@needs("plot")
def test_no_name_is_gone() -> None:
    now = public_names()
    assert [name for name in KNOWN if name not in now] == []


@needs("plot")
def test_parameters_stay_in_their_order_and_new_ones_have_defaults() -> None:
    now = public_names()
    for name, before in KNOWN.items():
        after = now.get(name)
        if before is None or after is None or name in NOT_CALLED:
            continue
        assert {parameter: after.get(parameter) for parameter in before} == before, name
        order = [parameter for parameter in after if parameter in before]
        assert order == list(before), name
        assert all(after[parameter][1] for parameter in after if parameter not in before), name
