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


def test_it_opens_with_all_pictures() -> None:
    opening = PAGE.partition("\n## ")[0]
    cards = re.findall(
        r"\{grid-item-card\} (\S+)\n:link: '#(\S+)'\n:link-type: url\n"
        r":img-top: (\S+)\n:img-alt: (\S.+)\n",
        opening,
    )
    headings = re.findall(r"^## (\S+)$", PAGE, re.MULTILINE)
    assert [(name, link, path) for name, link, path, _ in cards] == [
        (name, name, f"gallery/{name}.png") for name in headings
    ]
    assert opening.index("grid-item-card") < opening.index("Made by")


def test_the_home_page_shows_a_report_and_a_plot() -> None:
    home = (DOCS / "index.md").read_text("utf-8")
    found = re.findall(r":link: (\w+)\n:link-type: doc\n:img-top: (\S+)\n:img-alt: (\S.+)\n", home)
    assert [(link, path) for link, path, _ in found] == [
        ("report", "pictures/report.png"), ("gallery", "gallery/boundaries.png"),
    ]  # fmt: skip
    for _, path, _ in found:
        assert 5000 < (DOCS / path).stat().st_size < 200_000


def test_the_page_is_as_the_script_has_it() -> None:
    spec = importlib.util.spec_from_file_location("make_gallery", DOCS / "make_gallery.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.page() == PAGE
