"""Lines of a text, against a literal count."""

from hypothesis import given
from hypothesis import strategies as st

from segscore.chunks.text_map import TextMap


@given(st.text("a- \n\r"))
def test_lines_are_those_of_the_text(text):
    there = TextMap(text)
    for place in range(there.n_places):
        _, offset, line, _ = there.break_place("d", place)
        lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert line == len(lines)
