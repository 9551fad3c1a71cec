"""The gallery shows every picture, each file is there and small, and no entry is left behind."""

import importlib.util
import re
from pathlib import Path

from needs import needs
from segscore import plot

pytestmark = needs("plot")

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "gallery.md").read_text("utf-8")
PICTURES = re.findall(r"\]\((gallery/[^)]+)\)", PAGE)


def test_every_picture_is_shown() -> None:
    called = set(re.findall(r"ss\.plot\.(\w+)\(", PAGE))
    assert set(plot.__all__) <= called


def test_files_are_there_and_small() -> None:
    assert len(PICTURES) == len(set(PICTURES)) >= 14
    for name in PICTURES:
        assert 1000 < (DOCS / name).stat().st_size < 100_000
    assert {path.name for path in (DOCS / "gallery").iterdir()} == {
        Path(name).name for name in PICTURES
    }


def test_the_page_is_as_the_script_has_it() -> None:
    spec = importlib.util.spec_from_file_location("make_gallery", DOCS / "make_gallery.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.page() == PAGE
