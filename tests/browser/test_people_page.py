"""The page about people: consensus by slider, download, contested places, access, typed and ranked."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import opened, save, with_script
from segscore.simulate.sample_codings import STARGAZER

cut = ss.Segmentation.from_masses


def people() -> ss.Corpus:
    stargazers = {f"judge {name}": cut(masses) for name, masses in STARGAZER.items()}
    reversed_ = {f"judge {name}": cut(masses[::-1]) for name, masses in STARGAZER.items()}
    del reversed_["judge 7"]
    texts = {"Stargazers": [f"Paragraph {i}." for i in range(1, 22)]}
    return ss.Corpus.from_dict(
        {"Stargazers": stargazers, "srezagratS": reversed_}, units=texts, groups={"Stargazers": "é"}
    )


@pytest.fixture(scope="module")
def corpus() -> ss.Corpus:
    return people()


@pytest.fixture(scope="module")
def path(corpus: ss.Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = ss.agreement(corpus, n_resamples=200, draws=50)
    return ss.report(found, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture
def page(browser: Any, path: Path) -> Iterator[Any]:
    with opened(browser, path) as open_page:
        yield open_page


def put(page: Any, slider: str, value: int) -> None:
    page.locator(slider).evaluate(
        "(one, value) => { one.value = value; one.dispatchEvent(new Event('input')); }", str(value)
    )


def downloaded(page: Any, folder: Path) -> ss.Corpus:
    save(page, "#download", folder / "consensus.jsonl")
    return ss.read(folder / "consensus.jsonl")


@pytest.mark.parametrize(
    ("share", "within"), [(50, 0), (1, 0), (100, 1), (55, 2), (30, 1), (71, 3), (72, 3)]
)
def test_the_slider_gives_what_consensus_gives(
    page: Any, corpus: ss.Corpus, tmp_path: Path, share: int, within: int
) -> None:
    put(page, "#at-least", share)
    put(page, "#within", within)
    assert downloaded(page, tmp_path) == ss.consensus(corpus, share / 100, within)


def test_consensus_and_votes_of_random_codings(page: Any) -> None:
    rng = random.Random(7)
    asked = []
    for _ in range(400):
        n = rng.randint(2, 40)
        coders = rng.randint(1, 8)
        asked.append([
            n,
            [sorted(rng.sample(range(1, n), rng.randint(0, min(n - 1, 12)))) for _ in range(coders)],
            rng.choice(["majority", "union", 1, 0.5, 0.3, 0.29, 1 / 3, 2 / 3, rng.random() + 1e-9]),
            rng.choice([0, 0, 1, 1, 2, 3, 7]),
        ])  # fmt: skip
    found = page.evaluate(
        with_script(
            "report",
            """cases => cases.map(([n, codings, share, within]) => {
             const { kept, left } = countVotes(codings, share, within);
             const needed = votesNeeded(share, codings.length);
             return [consensus(codings, share, within), [...kept], [...left], needed];
           })""",
        ),
        asked,
    )
    for (n, codings, share, within), (agreed, kept, left, needed) in zip(asked, found, strict=True):
        made = [ss.Segmentation.from_boundaries(boundaries, n) for boundaries in codings]
        assert agreed == ss.consensus(made, share, within).boundaries.tolist()
        assert agreed == sorted(place for place, _ in kept)
        # a bar reaches the line of the votes needed where there is a consensus, and only there
        assert all(votes >= needed for _, votes in kept)
        assert all(votes < needed for _, votes in left)
        supported = dict(ss.coders.support(made, within))
        for place, votes in [*kept, *left]:
            assert 0 < votes <= supported[place] * len(made) + 1e-9
        if not within:
            assert sorted(place for place, _ in [*kept, *left]) == sorted(supported)
        assert sum(votes for _, votes in kept) <= sum(map(len, codings))  # each votes once


def test_the_consensus_of_the_slider_may_be_the_reference(page: Any, corpus: ss.Corpus) -> None:
    document = corpus["Stargazers"]
    page.select_option("#reference", "consensus by the slider")
    for share, within in ((50, 0), (30, 1), (100, 2)):
        put(page, "#at-least", share)
        put(page, "#within", within)
        agreed = ss.consensus(document, share / 100, within)
        rows = page.locator(".counts tbody tr:not(.is-reference)")
        assert rows.count() == len(document)
        for i, coding in enumerate(document.values()):
            edits = ss.boundary_edits(agreed, coding)
            sides = [each.side for each in edits.additions]
            counts = [len(edits.matches), len(edits.transpositions), *map(sides.count, "ab")]
            cells = rows.nth(i).locator("td.num").all_inner_texts()
            assert list(map(int, cells)) == [len(coding.boundaries), *counts]


def test_types_and_ranks(browser: Any, tmp_path: Path) -> None:
    make = ss.Segmentation.from_boundaries
    typed = {
        "ann": make([2, 5, 8], 12, types=["topic", "scene", "topic"]),
        "bob": make([2, 5, 9], 12, types=["topic", "topic", "topic"]),
    }
    ranked = {
        "ann": make([2, 5, 8], 12, ranks=[1, 2, 3]),
        "bob": make([2, 6, 8], 12, ranks=[2, 1, 2]),
    }
    corpus = ss.Corpus.from_dict({"typed": typed, "ranked": ranked})
    path = ss.report(
        ss.agreement(corpus, "b(substitution=unit)", n_resamples=50, draws=10), tmp_path / "r.html"
    )
    with opened(browser, path, "#document=typed&reference=ann") as page:
        assert "topic, not scene" in page.inner_text("#at-5 .rule.differs")
        assert "near: 1 too late (topic)" in page.inner_text("#at-9 .rule.near")
        assert page.locator("#at-2 .rule.match").count() == 1
        page.get_by_role("link", name="ranked", exact=True).click()
        assert page.locator("#document .level").count() == 3 + 2
        lanes = page.locator("#document .strip .lane:has(.level)")
        for i in range(lanes.count()):  # signs of low ranks are whole, too
            high = float(lanes.nth(i).get_attribute("height"))
            for sign in lanes.nth(i).locator("text.sign").all():
                assert all(7 <= float(y) <= high - 7 for y in sign.get_attribute("y").split())
