"""Makes the files and pictures of docs/annotating.md: `make annotation-pictures`.

Three people mark three texts in the annotation page, and somebody adjudicates them, all in a real
browser (Chromium, as in the tests), with a clock that stands still. What they export goes to
docs/examples/annotating, and what they see to docs/annotating.
"""

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import segscore as ss
from segscore.cli import run

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS / "examples" / "annotating"
PICTURES = DOCS / "annotating"
sys.path.append(str(DOCS.parent / "tests"))

from browser_pages import chromium  # noqa: E402

TEXTS = [EXAMPLES / f"{name}.txt" for name in ("harbour", "market", "station")]
MARKS = {
    "ann": {"harbour": [3, 8, 11], "market": [5, 7], "station": [3, 9]},
    "bob": {"harbour": [3, 7, 11], "market": [3, 5, 7], "station": [3, 7, 9]},
    "eve": {"harbour": [4, 8, 11], "market": [7], "station": [3]},
}
OPEN = ("eve", "station")  # not finished
DOUBT = ("eve", "harbour", 4, "Is the salt still the harbour?")
SYSTEMS = ("utiyama-isahara", "bayesseg")
SIZE = {"width": 1180, "height": 760}
TIME = "2026-05-04T12:03:00Z"
COLOURS = 128  # of a picture: what a page has, and small files


@contextmanager
def opened(browser: Any, path: Path, where: str = "") -> Iterator[Any]:
    """A page in light colours, on a clock that stands still."""
    context = browser.new_context(
        offline=True, accept_downloads=True, viewport=SIZE, color_scheme="light", timezone_id="UTC",
        locale="en-GB", reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    page.clock.set_fixed_time(TIME)
    page.goto(path.as_uri() + where)
    page.wait_for_selector("html[data-ready]", state="attached")
    yield page
    context.close()


def picture(page: Any, name: str) -> None:
    """What is seen, as a small PNG."""
    from PIL import Image

    shot = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide")))
    few = shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(PICTURES / f"{name}.png", optimize=True)


def saved(page: Any, button: str, target: Path) -> None:
    """What a button downloads."""
    with page.expect_download() as held:
        page.click(button)
    held.value.save_as(target)


def annotate(browser: Any, path: Path, coder: str) -> None:
    """One person marks all texts, and exports them."""
    with opened(browser, path) as page:
        page.fill("#name", coder)
        page.keyboard.press("Enter")
        for document, positions in MARKS[coder].items():
            for position in positions:
                page.click(f"#text .gap[data-p='{position}']")
            if DOUBT[:2] == (coder, document):
                doubt(page, *DOUBT[2:])
                page.evaluate("scrollTo(0, 0)")
                picture(page, "annotate")
            if (coder, document) != OPEN:
                page.click("#done")
            page.keyboard.press("n")
        saved(page, "#export", EXAMPLES / f"{coder}.jsonl")


def doubt(page: Any, position: int, words: str) -> None:
    """Unsure about a boundary, with a comment."""
    page.focus(f"#text .gap[data-p='{position}']")
    page.keyboard.press("u")
    page.keyboard.press("c")
    page.keyboard.type(words)
    page.keyboard.press("Control+Enter")


def adjudicate(browser: Any, path: Path) -> None:
    """Somebody decides each open place: y is what most coders mark, x none."""
    with opened(browser, path) as page:
        for number, key in enumerate("yyxyx"):
            page.keyboard.press("n")
            if number == 1:
                picture(page, "adjudicate")
            page.keyboard.press(key)
        saved(page, "#export", EXAMPLES / "adjudicated.jsonl")


def command(*words: Any) -> None:
    """A command that must end well."""
    if run([str(word) for word in words]):
        raise SystemExit(f"segscore {words[0]} failed")


def main() -> None:
    """All of it."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made, chromium() as browser:
        folder = Path(made)
        guidelines = EXAMPLES / "guidelines.txt"
        page = ss.pages.annotate(TEXTS, folder / "annotate.html", guidelines=guidelines)
        for coder in MARKS:
            annotate(browser, page, coder)
        codings = [EXAMPLES / f"{coder}.jsonl" for coder in MARKS]
        command("report", *codings, "--as", "people", "-o", folder / "people.html")
        with opened(browser, folder / "people.html", "#documents") as page:
            page.keyboard.press("n")
            picture(page, "discuss")
        command("adjudicate", *codings, "-o", folder / "adjudicate.html")
        adjudicate(browser, folder / "adjudicate.html")
        systems = []
        for method in SYSTEMS:
            systems.append(folder / f"{method}.jsonl")
            command("segment", *TEXTS, "--method", method, "-o", systems[-1])
        gold = EXAMPLES / "adjudicated.jsonl"
        command("report", gold, *systems, "-m", "b", "-o", folder / "systems.html")
        with opened(browser, folder / "systems.html", "#documents") as page:
            page.keyboard.press("n")
            picture(page, "systems")


if __name__ == "__main__":
    main()
