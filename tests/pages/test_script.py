"""The script and the style sheet: typed, without what could run or fetch, and in the package."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from segscore.pages.page_frame import SCRIPTS, asset, script_of

PROJECT = Path(__file__).parents[2]


def test_types(tmp_path: Path) -> None:
    """With TypeScript, if it is there (npm install --global typescript)."""
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("no tsc: npm install --global typescript")
    options = "--allowJs --checkJs --noEmit --strict --target es2023 --module es2022 --lib es2023,dom,dom.iterable"
    scripts = [tmp_path / f"{page}.js" for page in SCRIPTS]
    for path in scripts:
        texts = [asset(f"scripts/{name}.js") for name in SCRIPTS[path.stem]]
        path.write_text("\n".join([*texts, "export {};"]), "utf-8")
    given = [compiler, *options.split(), *scripts]
    done = subprocess.run(given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("page", SCRIPTS)
def test_no_two_files_of_a_page_declare_a_name(page: str) -> None:
    """They are joined into one function, where the last of them would win."""
    declared = re.findall(
        r"^(?:(?:async )?function ?\*? ?|class |const |let |var )([\w$]+)",
        script_of(page), re.MULTILINE,
    )  # fmt: skip
    assert len(declared) == len(set(declared)) > 100


def test_every_file_belongs_to_a_page() -> None:
    folder = PROJECT / "src/segscore/pages/scripts"
    assert {name for names in SCRIPTS.values() for name in names} == {
        path.stem for path in folder.glob("*.js")
    }


@pytest.mark.parametrize("page", SCRIPTS)
def test_nothing_is_made_of_text(page: str) -> None:
    script = script_of(page)
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
                 "fetch(", "XMLHttpRequest", "import(", "WebSocket", "</script"):  # fmt: skip
        assert word not in script
    assert "localStorage" not in script or page != "report"  # who reads leaves no trace
    style = asset("page.css") + asset(f"{page}.css")
    assert len(script) + len(style) < 130_000
    for word in ("url(", "@import", "</style"):
        assert word not in style
