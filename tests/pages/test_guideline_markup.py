"""Guidelines in Markdown: HTML in them is text, and links lead to web pages or mail only."""

import pytest

from browser.hostile import STRINGS
from segscore.pages.annotate_page import guideline_markup

ALLOWED = {
    "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em",
    "a", "br", "hr", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip

LINKS = ("http://", "https://", "mailto:")


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# One #\n## Two\n###### Six", "<h3>One</h3>\n<h4>Two</h4>\n<h6>Six</h6>\n"),
        ("a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>\n"),
        (
            "- a\n  - b\n    1. c\n- e",
            "<ul>\n<li>a\n<ul>\n<li>b\n<ol>\n<li>c</li>\n</ol>\n</li>\n</ul>\n</li>\n<li>e</li>\n</ul>\n",
        ),
        (
            "| cue | *level* |\n|:---|--:|\n| a \\| `b` | 1 |",
            "<table>\n<thead>\n<tr>\n<th>cue</th>\n<th><em>level</em></th>\n</tr>\n</thead>\n"
            "<tbody>\n<tr>\n<td>a | <code>b</code></td>\n<td>1</td>\n</tr>\n</tbody>\n</table>\n",
        ),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>\n"),
        ("```py\n# *x* <b>\n```\nb", "<pre><code># *x* &lt;b&gt;\n</code></pre>\n<p>b</p>\n"),
        ("a <b>c</b>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n"),
        ("[a](x.html) [b](JavaScript:x) ![i](data:x)",
         "<p>[a](x.html) [b](JavaScript:x) ![i](data:x)</p>\n"),
        ("[a](https://a.org)",
         '<p><a href="https://a.org" target="_blank" rel="noopener noreferrer">a</a></p>\n'),
        ("", ""),
    ],
)  # fmt: skip
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
    for tag, attrs in found:
        assert [name for name, _ in attrs] == (["href", "target", "rel"] if tag == "a" else [])
        assert tag != "a" or str(attrs[0][1]).lower().startswith(LINKS) or not attrs[0][1]
