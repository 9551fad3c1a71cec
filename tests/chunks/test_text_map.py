"""Lines of a text, against a literal count."""

from hypothesis import given
from hypothesis import strategies as st

from segscore.chunks.text_map import TextMap


@given(st.text("a- \n\r"))
def test_lines_are_those_of_the_text(text):
    there = TextMap(text)
    for place in range(there.n_places):
        offset = there.offset(place)
        lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert there.line(offset) == len(lines)


def test_a_long_text_is_not_searched_again_for_each_place():
    text = Watched("- a\n" * 50)
    there = TextMap(text)
    assert there.line(there.offset(4)) == 3
    assert text.searched == 0


class Watched(str):
    """A text that counts how often it is searched for something before a place."""

    searched = 0

    def rfind(self, *given):
        self.searched += 1
        return super().rfind(*given)

    def count(self, *given):
        self.searched += 1
        return super().count(*given)
