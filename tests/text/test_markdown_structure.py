"""Lists, tables, code and links: documents made of blocks whose places are known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segscore.text.markdown_blocks import markdown_structure

PIECES = {
    "lists": [
        "- a\n- b\n", "1. a\n2. b\n", "* a\n  more\n\n  and more\n* b\n", "- a\n  - b\n    - c\n",
        "1) a\nlazy\n", "+ a\n\n+ b\n", "- a\n\n      code in it\n", "10. ten\n11. eleven\n",
        "- a\n  ```\n  code\n  ```\n- b\n",
    ],
    "tables": [
        "| a | b |\n|---|:-:|\n| 1 | 2 |\n", "a | b\n--|--\n1 | 2\nno pipe\n", "| a |\n|---|\n",
        "<table>\n<tr><td>1</td></tr>\n</table>\n", "<TABLE class='x'><table></table></TABLE>\n",
        "a \\| b | c\n---|---\n",
    ],
    "code": [
        "```\nx\n\n- no list\n```\n", "~~~py\n| a |\n|---|\n~~~\n", "    x = 1\n\n    y = 2\n", "\ttab\n",
    ],
}  # fmt: skip
OTHERS = [
    "Some text.\n", "# Heading\n", "Title\n=====\n", "---\n", "> - quoted\n", "a | b\n",
    "No 1. list here, 2. neither.\n", "Line\n5. not a list\n", "Line\n    not code\n", "**bold**\n",
    "-no item\n", "<!-- - hidden -->\n", "-----\n", "* * *\n",
]  # fmt: skip


@st.composite
def documents(draw):
    kinds = st.one_of(
        st.tuples(st.just("other"), st.sampled_from(OTHERS)),
        *(st.tuples(st.just(kind), st.sampled_from(ones)) for kind, ones in PIECES.items()),
    )
    text, places = "Start.\n\nText.\n\n", {kind: [] for kind in PIECES}
    before = "other"
    for kind, block in draw(st.lists(kinds, max_size=6)):
        if (before, kind) in (("lists", "lists"), ("lists", "code"), ("code", "code")):
            text += "Between.\n\n"  # or the list, or the code, would go on
        if kind != "other":
            end = len(text) + len(block) - (block[:6].lower() == "<table")
            places[kind].append((len(text), end))
        text += block + "\n"
        before = kind
    return text, places


@given(documents())
def test_blocks_stand_where_they_were_put(case):
    text, places = case
    found = markdown_structure(text)
    assert found.lists == places["lists"]
    assert found.tables == places["tables"]
    inside = [span for span in found.code if not any(a <= span[0] < b for a, b in places["lists"])]
    assert inside == places["code"]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("See [this](http://x.y) now.", ["[this](http://x.y)"]),
        ('A [b c](<d> "t") e', ["[b c](<d> \"t\")"]),
        ("![image](a.png) and [a][b], [c][].", ["![image](a.png)", "[a][b]", "[c][]"]),
        ("[![badge](b.svg)](http://x.y/(z))", ["[![badge](b.svg)](http://x.y/(z))"]),
        ("<https://x.y/z> or https://x.y/z?q=1.", ["<https://x.y/z>", "https://x.y/z?q=1"]),
        ('<a href="x">the\nlink</a>', ['<a href="x">the\nlink</a>']),
        ("<a>one <a>two <b>bold</b></a>", ["<a>two <b>bold</b></a>"]),
        ("[not a link] (x), a[0], [x]", []),
        ("```\n[a](b)\n```\n", []),
        ("mailto: a:b c", []),
    ],
)  # fmt: skip
def test_links(text, links):
    found = markdown_structure(text).links
    assert [text[start:end] for start, end in found] == links


@pytest.mark.parametrize(
    "text",
    ["[" * 3000, "[a](" * 2000, "<a>" * 2000, "|" * 3000 + "\n" + "|-" * 3000, "<table>" * 3000,
     "- " * 3000, "\\[" * 3000, "(" * 3000, "    " * 3000],
)  # fmt: skip
def test_hostile_texts_have_no_blocks_that_never_end(text):
    found = markdown_structure(text)
    assert found.links == []
    assert found.tables == []
