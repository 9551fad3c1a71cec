"""Similarities of neighbours by the words that they share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import chunk_description as oracle

from segscore.text.folding import neighbour_cosines

sentences = st.lists(st.sampled_from("abcd"), max_size=4).map(" ".join)


@given(st.lists(st.lists(sentences, min_size=1, max_size=5), min_size=1, max_size=3))
def test_cosines_are_those_of_the_oracle(texts):
    for found, expected in zip(neighbour_cosines(texts), oracle.cosines(texts), strict=True):
        wanted = [np.nan if cosine is None else cosine for cosine in expected]
        assert found.tolist() == pytest.approx(wanted, nan_ok=True)
