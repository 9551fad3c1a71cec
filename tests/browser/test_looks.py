"""Each kind of page, of the examples of the documentation: usable by everyone, at any width."""

from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import accessible, opened, press

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
KEYS = {
    "systems": ["n", "?"],
    "people": ["n", "n"],
    "annotate": [
        "a",
        "n",
        "n",
        "Enter",
        "ArrowDown",
        "ArrowDown",
        "Space",
        "2",
        "u",
        "l",
        "2",
        "d",
    ],
    "adjudicate": ["n", "1", "n", "x", "j", "a", "?"],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, ours = tmp_path_factory.mktemp("pages"), EXAMPLES / "annotating"
    reference, systems = EXAMPLES / "reference.jsonl", {"ours": EXAMPLES / "ours.jsonl"}
    people = ss.read([ours / f"{name}.jsonl" for name in ("ann", "bob", "eve")], unfinished=True)
    texts = [ours / f"{name}.txt" for name in ("harbour", "market", "station")]
    options: Any = {"levels": 2, "labels": ["place", "time"], "guidelines": ours / "guidelines.txt"}
    paths = {kind: folder / f"{kind}.html" for kind in KEYS}
    ss.report(ss.compare(reference, systems=systems, n_resamples=50), paths["systems"])
    ss.report(ss.agreement(people, draws=2, n_resamples=20), paths["people"])
    ss.pages.annotate(texts, paths["annotate"], units="lines", **options)
    ss.pages.adjudicate(people, paths["adjudicate"])
    return paths


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "dark")])
@pytest.mark.parametrize("kind", KEYS)
def test_axe_finds_nothing_and_nothing_overflows(
    browser: Any, pages: dict[str, Path], kind: str, width: int, scheme: str
) -> None:
    size = {"width": width, "height": 844}
    with opened(browser, pages[kind], viewport=size, color_scheme=scheme) as page:
        accessible(page)
        press(page, *KEYS[kind])
        accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
