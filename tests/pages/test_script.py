"""The script and the style sheet: typed, without what could run or fetch, and in the package."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from segscore.pages.page_frame import asset, joined

PROJECT = Path(__file__).parents[2]
PAGES = ["report", "annotate", "adjudicate"]


def test_types() -> None:
    """With TypeScript, if it is there (npm install --global typescript)."""
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("no tsc: npm install --global typescript")
    options = "--allowJs --checkJs --noEmit --strict --target es2023 --module es2022 --lib es2023,dom,dom.iterable"
    scripts = sorted((PROJECT / "src/segscore/pages/scripts").glob("*.js"))
    given = [compiler, *options.split(), *scripts]
    done = subprocess.run(given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_made_of_text(page: str) -> None:
    script = joined(f"{page}.js")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
                 "fetch(", "XMLHttpRequest", "import(", "WebSocket", "</script"):  # fmt: skip
        assert word not in script
    assert "localStorage" not in script or page != "report"  # who reads leaves no trace
    style = asset("page.css") + asset(f"{page}.css")
    for word in ("url(", "@import", "</style"):
        assert word not in style


@pytest.mark.parametrize("page", PAGES)
def test_size(page: str) -> None:
    script = joined(f"{page}.js")
    assert len(script) + len(asset("page.css")) + len(asset(f"{page}.css")) < 130_000


def test_all_are_in_the_package() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    held = settings["tool"]["setuptools"]["package-data"]["segscore"]
    assert {"pages/scripts/*.js", "pages/*.css", "pages/templates/*.html", "pages/*.bib"} <= set(
        held
    )
    manifest = (PROJECT / "MANIFEST.in").read_text("utf-8")
    assert re.search(
        r"^recursive-include src/segscore/pages \*\.js \*\.css \*\.html \*\.bib$",
        manifest,
        re.MULTILINE,
    )
