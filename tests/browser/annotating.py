"""A coder at an annotation page: what the tests of it share."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
    options = {"viewport": {"width": 1280, "height": 900}, **options}
    context = browser.new_context(offline=True, accept_downloads=True, **options)
    page = sat_down(context, path, coder)
    yield page
    context.close()
    assert page.wrong == []


def sat_down(context: Any, path: Path, coder: str | None = "ann") -> Any:
    """The page, opened in a tab of a context, by somebody who gives a name if asked."""
    page = context.new_page()
    page.set_default_timeout(6000)
    page.wrong, page.asked = [], []
    page.on("console", lambda message: page.wrong.append(message.text))
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("dialog", lambda dialog: (page.asked.append(dialog.type), dialog.accept()))
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith(("file:", "blob:")) else page.wrong.append(request.url)
        ),
    )
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
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


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def exported(page: Any, target: Path, button: str = "#export") -> list[dict[str, Any]]:
    """What a click on Export gives, also written to a file."""
    with page.expect_download() as held:
        page.click(button)
    held.value.save_as(target)
    if button != "#export":
        return []
    return [json.loads(line) for line in target.read_text("utf-8").split("\n") if line]


def imported(page: Any, file: Path) -> None:
    with page.expect_file_chooser() as held:
        page.click("#import")
    held.value.set_files(file)


def said(page: Any) -> str:
    return str(page.locator("#said").text_content()).strip("\u00a0")
