"""The hash of a document's units: the value that JavaScript would compute, and nothing for broken characters."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segscore.corpus.record import unit_hash
from segscore.errors import SegmentationError

_WHOLE = st.text(st.characters(exclude_categories=["Cs"]))


def test_what_javascript_says():
    # await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([...])))
    # of ["One.", "é \"x\"\n\u0001\u2028\u007f", "😀 <b>&amp;\\/"]
    assert unit_hash(["One.", 'é "x"\n\u0001\u2028\u007f', "😀 <b>&amp;\\/"]) == (
        "sha256:6e665a0e1973682ccbf93d04f3890fd08ccc68afa8e050847d30bb5579b3da62"
    )


@given(st.lists(_WHOLE))
def test_the_hashed_text_is_json(units):
    written = json.dumps(units, ensure_ascii=False, separators=(",", ":"))
    assert json.loads(written) == units
    assert unit_hash(units) == "sha256:" + hashlib.sha256(written.encode("utf-8")).hexdigest()


@pytest.mark.parametrize("half", ["\ud800", "x\udc00y"])
def test_half_a_character_is_refused(half):
    with pytest.raises(SegmentationError, match="unit 2.*surrogate pair"):
        unit_hash(["fine", half])
