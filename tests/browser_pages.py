"""Pages in a real browser: Chromium without a network, in which any request or error fails a test.

They take minutes, and run with `--browser`; `make browser` installs Chromium.
"""

import base64
import gzip
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NO_BROWSER = "pages in Chromium: make browser, then make test ARGS=--browser"
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-gpu-rasterization", "--disable-software-rasterizer",
    "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def executable() -> str | None:
    """Where Chromium is."""
    found = os.environ.get("SEGSCORE_CHROMIUM")
    return found or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; one per module, because its event loop must not outlive the module."""
    path = executable()
    if path is None:
        pytest.skip(NO_BROWSER)
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def new_context(browser: Any, **options: Any) -> Iterator[Any]:
    """A profile of its own, without a network."""
    options = {"viewport": {"width": 1280, "height": 900}, **options}
    context = browser.new_context(offline=True, accept_downloads=True, **options)
    yield context
    context.close()


def new_page(context: Any, path: Path, where: str = "") -> Any:
    """A page in a tab, when its script has run: it takes note of what goes `wrong`, and of what is
    `asked` before it is left, which it then is."""
    page = context.new_page()
    page.set_default_timeout(8000)
    page.wrong, page.asked = [], []
    page.on("console", lambda message: page.wrong.append(message.text))
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("dialog", lambda dialog: (page.asked.append(dialog.type), dialog.accept()))
    page.on("request", lambda request: _own(request.url) or page.wrong.append(request.url))
    page.goto(path.as_uri() + where)
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


@contextmanager
def opened(browser: Any, path: Path, where: str = "", **options: Any) -> Iterator[Any]:
    """A page in a profile of its own; at the end nothing may have gone wrong."""
    with new_context(browser, **options) as context:
        page = new_page(context, path, where)
        yield page
    assert page.wrong == page.asked == []


def data_of(page: str) -> Any:
    """The data that a page holds for its script."""
    found = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    if "gzip" in found:
        found = json.loads(gzip.decompress(base64.b64decode(found["gzip"])))
    return found


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def save(page: Any, button: str, target: Path) -> None:
    """What a button downloads, in a file."""
    with page.expect_download() as held:
        page.click(button)
    held.value.save_as(target)


def imported(page: Any, file: Path) -> None:
    with page.expect_file_chooser() as held:
        page.click("#import")
    held.value.set_files(file)


_STORED = """(() => {
  try { return Object.keys(localStorage).filter((key) => /:(work|setting):/.test(key)).length; }
  catch { return 0; }
})()"""  # entries that stay, without the words that tabs exchange


def reloaded(page: Any) -> None:
    """Reload a page, as fast as a person could.

    Chromium writes what a page stores a little later, and sometimes gives a new document of a fresh
    profile an empty storage at first: seen with a page of one line, in 4 of 180 reloads on a busy
    machine. What the page finds is seen before its own script runs.
    """
    stored = page.evaluate(_STORED)
    page.wait_for_timeout(250)
    page.add_init_script(f"window.storedAtFirst = {_STORED};")
    for _ in range(5):
        page.reload()
        if page.evaluate("window.storedAtFirst") >= stored:
            return
        page.wait_for_timeout(300)


def until(page: Any, condition: str, arg: Any = None) -> None:
    """Wait until a condition holds. It is asked by a timer: a page that lies behind another one has
    few frames, by which Playwright asks otherwise."""
    page.wait_for_function(condition, arg=arg, polling=30)


def with_script(page: str, function: str) -> str:
    """A function for `evaluate` that may call what the script of a page declares."""
    from segscore.pages.page_frame import SCRIPTS, asset

    body = "".join(asset(f"scripts/{name}.js") for name in SCRIPTS[page][:-1])
    return f"(given) => {{\n{body}\nreturn ({function})(given);\n}}"


def accessible(page: Any) -> None:
    """axe-core finds nothing; nor does its rule that what is seen of a button is in its name."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    rules = {"label-content-name-mismatch": {"enabled": True}}
    found = axe.Axe().run(page, options={"rules": rules}).response["violations"]
    assert [
        (violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
        for violation in found
    ] == []


def harmless(page: Any) -> None:
    """Nothing of the data has run, or has become an element that could."""
    risky = "iframe, img, object, embed, link, base, style, meta, video, audio, marquee, svg image"
    assert page.evaluate("window.hit") is None
    assert page.locator("script").count() == 2
    assert page.locator(f"main :is({risky})").count() == 0
    assert page.locator("[onload], [onerror], [onfocus], [ontoggle]").count() == 0


def _own(url: str) -> bool:
    return url.startswith(("file:", "blob:"))
