"""Headings and fenced blocks of Markdown, and the units of technical text that follow from them."""

from functools import partial

import pytest

from growth import assert_linear
from segscore.text.markdown_blocks import markdown_blocks
from segscore.text.unit_splitting import lined_units, text_units, units_of

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


def test_code_by_lines() -> None:
    found = list(lined_units(PAGE, "sentences").texts or ())
    assert found[3:7] == [
        "```python", "data = json.loads(text) # Really. Fast.", "print(data)", "```",
    ]  # fmt: skip
    assert found[8:11] == ["~~~sh", "# no heading", "~~~"]


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
    assert text_units(text * 1_000, "sentences").n > 0
    assert_linear(lambda n: partial(text_units, text * n, "sentences"), 5_000)
