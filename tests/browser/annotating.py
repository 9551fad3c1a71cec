"""A coder at an annotation page: what the tests of it share."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser_pages import new_context, new_page, save

GATE = [
    "We met at the gate.", "It rained.", "Nobody had an umbrella.", "Inside it smelled of paint.",
    "A man took our names.", "We waited.", "They called the first.", "She came back smiling.",
]  # fmt: skip
TALK = ["One.", "Two.", "Three.", "Four.", "Five."]
ASIDE = {"x": 8, "y": 8}  # of a gap: on its line, and on no label
TEXTS = {"gate": GATE, "talk": TALK}


@contextmanager
def at_desk(browser: Any, path: Path, coder: str | None = "ann", **options: Any) -> Iterator[Any]:
    """A page of a browser of its own; at the end nothing may have gone wrong."""
    with new_context(browser, **options) as context:
        page = sat_down(context, path, coder)
        yield page
    assert page.wrong == []


def sat_down(context: Any, path: Path, coder: str | None = "ann") -> Any:
    """The page, opened in a tab of a context, by somebody who gives a name if asked."""
    page = new_page(context, path)
    if coder is not None and page.locator("#ask-name").count():
        page.fill("#name", coder)
        page.keyboard.press("Enter")
        page.locator("#ask-name").wait_for(state="detached")
    return page


def gap(page: Any, position: int) -> Any:
    return page.locator(f"#text .gap[data-p='{position}']")


def marked(page: Any) -> list[int]:
    """Where the open document has boundaries."""
    found = page.locator("#text .gap[aria-pressed='true']")
    return [
        int(position) for position in found.evaluate_all("all => all.map(one => one.dataset.p)")
    ]


def exported(page: Any, target: Path) -> list[dict[str, Any]]:
    """What a click on Export gives, also written to a file."""
    save(page, "#export", target)
    return [json.loads(line) for line in target.read_text("utf-8").split("\n") if line]


def said(page: Any) -> str:
    return str(page.locator("#said").text_content()).strip("\u00a0")
