"""Headings, code, lists, tables and links of Markdown, and the units of technical text."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_linear
from segscore.text.markdown_blocks import markdown_blocks, markdown_structure
from segscore.text.unit_splitting import text_units, units_of

PAGE = """\
### 2. JSON parsing. Why?
Use `json`. It is fast:
```python
data = json.loads(text)  # Really. Fast.

print(data)
```
1. Open the file:

    ~~~sh
    # no heading
    ~~~

Then close it.
"""


def test_headings_and_code_of_technical_text_are_units() -> None:
    expected = [
        "### 2. JSON parsing. Why?",
        "Use `json`.",
        "It is fast:",
        "```python data = json.loads(text) # Really. Fast. print(data) ```",
        "1. Open the file:",
        "~~~sh # no heading ~~~",
        "Then close it.",
    ]
    assert units_of(PAGE) == expected
    assert units_of(PAGE, "paragraphs") == [
        expected[0], "Use `json`. It is fast:", *expected[3:]
    ]  # fmt: skip
    assert units_of(PAGE.replace("\n", "\r\n")) == expected
    assert units_of(PAGE.replace("\n", "\r")) == expected


FENCES = {  # a text, and its fenced blocks
    "one": ("a\n```\nb\n```\nc", ["```\nb\n```\n"]),
    "inside a longer one": ("````\n```\nx\n```\n````", ["````\n```\nx\n```\n````"]),
    "of the other kind": ("~~~\n```\n~~~\n```", ["~~~\n```\n~~~\n"]),
    "a closing fence has no words": ("```\n```sh\n# a\n```", ["```\n```sh\n# a\n```"]),
    "code in a line is none": ("```x``` y\n\n# a\n\n```z```", []),
    "never closed": ("a\n```\n# b\nc. D.", []),
    "deep, never closed": ("a\n\n    ```\n# b", []),
    "in a comment": ("<!--\n```\n-->\n# a\n```\nb\n```", ["```\nb\n```"]),
}


@pytest.mark.parametrize("name", FENCES)
def test_fences(name: str) -> None:
    text, expected = FENCES[name]
    assert [text[slice(*fence)] for fence in markdown_blocks(text).fences] == expected


def test_underlined_headings() -> None:
    text = "Title. Of one line\n===\nText here.\nMore. Text\n---\nEnd."
    assert units_of(text) == ["Title. Of one line ===", "Text here.", "More.", "Text ---", "End."]
    found = markdown_blocks(text).headings
    assert [(heading.rank, heading.n_lines) for heading in found] == [(1, 1), (2, 2)]


@pytest.mark.parametrize(
    "text",
    ["# a\n", "- a\n===\n", "===\n", "    ```sh\n", "```\n", "~~~a\n", "<!--", "a\n---\n", "`" * 9],
)
def test_long_texts_take_no_square_of_time(text: str) -> None:
    assert_linear(lambda n: partial(text_units, text * n, "sentences"), 2_000)


# ---- documents made of blocks whose places are known ----

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
