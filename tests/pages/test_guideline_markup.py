"""Guidelines in Markdown: a few forms are markup, all else is text."""

from collections.abc import Callable
from functools import partial

import pytest

from browser.hostile import STRINGS
from growth import assert_linear
from segscore.pages.guideline_markup import guideline_markup

ALLOWED = {
    "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em",
    "span", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# One #\n## Two", "<h3>One</h3>\n<h4>Two</h4>\n"),
        ("###### Six", "<h6>Six</h6>\n"),
        ("a\nb\n\nc", "<p>a b</p>\n<p>c</p>\n"),
        ("- a\n- b\n  goes on\n\nc", "<ul><li>a</li><li>b goes on</li></ul>\n<p>c</p>\n"),
        (
            "- a\n  - b\n    1. c\n  - d\n- e",
            "<ul><li>a<ul><li>b<ol><li>c</li></ol></li><li>d</li></ul></li><li>e</li></ul>\n",
        ),
        ("1. a\n   - b\n\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>\n"),
        ("- a\n\n- b\n\nc", "<ul><li>a</li><li>b</li></ul>\n<p>c</p>\n"),
        ("  - a\n- b", "<ul><li>a</li><li>b</li></ul>\n"),
        ("- a\n---\nb", "<ul><li>a</li></ul>\n<p>b</p>\n"),
        (
            "Cues:\n| cue | *level* |\n|:---|--:|\n| a \\| `b` | 1 |\n\nc",
            "<p>Cues:</p>\n<table><thead><tr><th>cue</th><th><em>level</em></th></tr></thead>"
            "<tbody><tr><td>a | <code>b</code></td><td>1</td></tr></tbody></table>\n<p>c</p>\n",
        ),
        ("| no | table |", "<p>| no | table |</p>\n"),
        ("1. a\n2) b", "<ol><li>a</li><li>b</li></ol>\n"),
        ("* a\n1. b", "<ul><li>a</li></ul>\n<ol><li>b</li></ol>\n"),
        ("> a\n> b", "<blockquote><p>a b</p></blockquote>\n"),
        ("```py\n# *x*\n```\nb", "<pre><code># *x*</code></pre>\n<p>b</p>\n"),
        ("~~~\nnever closed", "<pre><code>never closed</code></pre>\n"),
        ("**a** *b* `*c*`", "<p><strong>a</strong> <em>b</em> <code>*c*</code></p>\n"),
        ("2 * 3 * 4, a*b*c", "<p>2 * 3 * 4, a*b*c</p>\n"),
        ("[a](x.html)", '<p>a <span class="address">(x.html)</span></p>\n'),
        ("text\n# Head\r\ntext", "<p>text</p>\n<h3>Head</h3>\n<p>text</p>\n"),
        ("a\n\n---\n\n***\n\nb", "<p>a</p>\n<p>b</p>\n"),
        ("", ""),
    ],
)
def test_forms(markdown: str, html: str) -> None:
    assert guideline_markup(markdown) == html


@pytest.mark.parametrize("string", STRINGS)
def test_hostile_strings_are_text(string: str) -> None:
    from html.parser import HTMLParser

    found: list[tuple[str, list[tuple[str, str | None]]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, attrs))

    for form in ("{}", "# {}", "- {}", "> {}", "**{}**", "`{}`", "[{0}]({0})", "```\n{}\n```",
                 "| {} |\n|---|\n| {} |", "- a\n  - {}"):  # fmt: skip
        Reader().feed(guideline_markup(form.replace("{0}", "{}").replace("{}", string)))
    assert {tag for tag, _ in found} <= ALLOWED
    assert all(attrs in ([], [("class", "address")]) for _, attrs in found)


def test_lists_in_lists_end_somewhere() -> None:
    deep = "\n".join(f"{'  ' * i}- {i}" for i in range(400))
    assert guideline_markup(deep).count("<ul>") == 6


@pytest.mark.parametrize(
    "made",
    [
        lambda n: "# a" + n * " " + "b", lambda n: "# a" + n * " #" + "b", lambda n: n * "- " + "x",
        lambda n: "- a\n" + n * "b\n", lambda n: n * "**a", lambda n: n * "[a](", lambda n: n * "```\n",
        lambda n: "|a|\n|" + n * " -|" + "x",
    ],
)  # fmt: skip
def test_time_grows_with_the_guidelines(made: Callable[[int], str]) -> None:
    def work_of(n: int) -> Callable[[], str]:
        return partial(guideline_markup, made(n))

    assert_linear(work_of, 10_000)
