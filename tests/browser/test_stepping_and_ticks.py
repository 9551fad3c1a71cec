"""The page of a comparison: where one stops, what stays in sight, signs, and what ticks hide."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from browser_pages import accessible, opened, with_script

N_DOCUMENTS = 40
SYSTEMS = {"first": 5, "second": 0, "third": 3}  # which boundaries of the second each leaves out


def without(segmentation: ss.Segmentation, every: int) -> ss.Segmentation:
    """Leave out each nth boundary: systems share most errors, but not all."""
    kept = [int(p) for i, p in enumerate(segmentation.boundaries, 1) if not every or i % every]
    return ss.Segmentation.from_boundaries(kept, segmentation.n_units)


@pytest.fixture(scope="module")
def comparison() -> ss.Comparison:
    refs = ss.simulate.references(ss.simulate.UniformSizes(3, 9), 15, n=N_DOCUMENTS, rng=2)
    names = [f"doc {i:02}" for i in range(1, N_DOCUMENTS + 1)]
    errors = ss.simulate.Errors(near_misses=0.3, misses=0.2, false_positives=0.12)
    drawn = [codings["1"] for codings in ss.simulate.coders(refs, errors, 1, rng=3).values()]
    systems = {
        name: {doc: without(coding, every) for doc, coding in zip(names, drawn, strict=True)}
        for name, every in SYSTEMS.items()
    }
    texts = {names[0]: [f"Sentence {i}. " + "Words follow. " * 12 for i in range(refs[0].n_units)]}
    corpus = ss.Corpus.from_dict(
        {doc: {"gold": ref} for doc, ref in zip(names, refs, strict=True)}, units=texts
    )
    return ss.compare(corpus, systems=systems, metrics=["windowdiff", "b"], n_resamples=50)


@pytest.fixture(scope="module")
def path(comparison: ss.Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ss.report(comparison, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture
def page(browser: Any, path: Path) -> Iterator[Any]:
    with opened(browser, path) as open_page:
        yield open_page


# ---- where one stops ----


def verdicts(ref: ss.Segmentation, hyp: ss.Segmentation) -> dict[int, str]:
    """What a system has at each place of the reference, and what is extra."""
    edits = ss.boundary_edits(ref, hyp)
    found = {match.position: "match" for match in edits.matches}
    found |= {
        transposition.a: f"near {transposition.b - transposition.a}"
        for transposition in edits.transpositions
    }
    return found | {addition.position: f"alone {addition.side}" for addition in edits.additions}


def stops(comparison: ss.Comparison, document: str, systems: list[str]) -> dict[str, list[int]]:
    gold = comparison.background[document].codings["gold"]
    outputs = [comparison.hypotheses(system)[document] for system in systems]
    judgements = [verdicts(gold, output) for output in outputs]
    places = sorted(set().union(*judgements))
    everything = set(gold.boundaries.tolist()).union(
        *(output.boundaries.tolist() for output in outputs)
    )
    return {
        "disagreements": [
            p for p in places if {judgement.get(p) for judgement in judgements} - {"match", None}
        ],
        "differ": [p for p in places if len({judgement.get(p) for judgement in judgements}) > 1],
        "all": sorted(everything),
    }


def walked(page: Any, key: str = "n") -> list[int]:
    """The places at which a key stops, until it leads nowhere."""
    found: list[int] = []
    while True:
        page.keyboard.press(key)
        position = int(page.locator("#document .boundary.here").get_attribute("data-at"))
        if found[-1:] == [position]:
            return found
        found.append(position)


@pytest.mark.parametrize("kind", ["disagreements", "differ", "all"])
def test_stops(page: Any, comparison: ss.Comparison, kind: str) -> None:
    for document in comparison.documents[:4]:
        page.evaluate("where => { location.hash = where; }", f"document={document}&stop={kind}")
        page.wait_for_selector(f"#document h3 bdi:text-is('{document}')")
        wanted = stops(comparison, document, list(SYSTEMS))
        assert wanted["disagreements"] != wanted["differ"] != wanted["all"]
        assert page.input_value("#stops") == kind
        assert walked(page) == wanted[kind]
        assert page.inner_text("#walked") == f"{len(wanted[kind])} of {len(wanted[kind])}"
        assert walked(page, "p") == wanted[kind][-2::-1]


def test_the_choice_of_stops(
    browser: Any, path: Path, page: Any, comparison: ss.Comparison
) -> None:
    wanted = stops(comparison, "doc 01", list(SYSTEMS))
    options = page.locator("#stops option").all_inner_texts()
    assert options == [
        f"{len(wanted['disagreements'])} disagreements",
        f"{len(wanted['differ'])} places where systems differ",
        f"all {len(wanted['all'])} boundaries",
    ]
    page.select_option("#stops", "differ")
    assert "stop=differ" in page.evaluate("location.hash")
    with opened(browser, path, page.evaluate("location.hash")) as other:
        assert other.input_value("#stops") == "differ"
    page.get_by_role("checkbox", name="third").uncheck()  # of those shown
    two = stops(comparison, "doc 01", ["first", "second"])
    assert page.inner_text("#walked") == f"{len(two['differ'])} places"
    assert walked_by_button(page) == two["differ"][0]
    page.get_by_role("checkbox", name="second").uncheck()  # one cannot differ
    assert page.locator("#stops option").count() == 2
    assert page.input_value("#stops") == "disagreements"
    page.select_option("#reference", "everyone")
    assert page.locator("#stops option").all_inner_texts()[0].endswith(" contested places")


def walked_by_button(page: Any) -> int:
    page.get_by_role("button", name="next").click()
    return int(page.locator("#document .boundary.here").get_attribute("data-at"))


# ---- what stays in sight ----


def frame(page: Any, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    return {**found, "bottom": found["y"] + found["height"]}


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (360, 700), (320, 640)])
def test_counts_and_strip_stay_in_sight_and_cover_nothing(
    browser: Any, path: Path, width: int, height: int
) -> None:
    with opened(browser, path, viewport={"width": width, "height": height}) as page:
        for _ in range(9):
            page.keyboard.press("n")
        assert page.evaluate("scrollY") > 1000
        for part in (".counts td.num:not(.all)", ".counts .lane", "#walked"):
            box = frame(page, f"#document {part}")
            assert 0 <= box["y"] < box["bottom"] <= height, part
            assert 0 <= box["x"] < box["x"] + box["width"] <= width, part
        below = max(
            frame(page, selector)["bottom"] for selector in ("#document .counts", ".document-bar")
        )
        boundary = frame(page, ".boundary.here")
        assert below <= boundary["y"] < boundary["bottom"] <= height
        assert below < 0.5 * height  # most of the window is for the text
        page.keyboard.press("p")
        boundary = frame(page, ".boundary.here")
        assert below <= boundary["y"] < boundary["bottom"] <= height
        accessible(page)


def test_in_a_low_window_nothing_is_in_the_way(browser: Any, path: Path) -> None:
    with opened(browser, path, viewport={"width": 320, "height": 256}) as page:  # 1280 at 400 %
        page.keyboard.press("n")
        page.keyboard.press("n")
        assert frame(page, "#document .counts")["bottom"] < 0
        assert 0 <= frame(page, ".boundary.here")["y"] < 256


def test_controls_stay_in_sight_beside_the_text(page: Any) -> None:
    for _ in range(9):
        page.keyboard.press("n")
    for selector in ("#filter", "#reference", "#list"):
        box = frame(page, selector)
        assert 40 < box["y"] < box["bottom"] <= 900, selector


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (1280, 641), (360, 700)])
def test_the_last_row_of_the_list_is_whole(
    browser: Any, path: Path, width: int, height: int
) -> None:
    with opened(browser, path, viewport={"width": width, "height": height}) as page:
        cut = """() => {
            const box = document.getElementById("list");
            const end = box.getBoundingClientRect().top + box.clientTop + box.clientHeight;
            const rows = [...document.querySelectorAll("#list tbody tr")];
            const ends = rows.map((row) => row.getBoundingClientRect());
            return ends.filter((one) => one.top < end - 1 && one.bottom > end + 1).length;
        }"""
        rows = page.locator("#list tbody tr")
        assert rows.count() == N_DOCUMENTS
        assert frame(page, "#list tbody tr:last-child")["y"] > frame(page, "#list")["bottom"]
        assert page.evaluate(cut) == 0
        page.evaluate("document.getElementById('list').scrollTop = 1e6")
        assert page.evaluate(cut) == 0
        assert frame(page, "#list tbody tr:last-child")["bottom"] <= frame(page, "#list")["bottom"]
        page.fill("#filter", "doc 1")
        assert page.evaluate(cut) == 0


# ---- signs ----


def has_everything(comparison: ss.Comparison, document: str) -> bool:
    gold = comparison.background[document].codings["gold"]
    judgements = {
        word
        for system in SYSTEMS
        for word in verdicts(gold, comparison.hypotheses(system)[document]).values()
    }
    return {"match", "alone a", "alone b"} <= judgements and bool(
        judgements & {"near 1", "near -1"}
    )


def test_the_legend_has_the_signs_of_the_strip(page: Any, comparison: ss.Comparison) -> None:
    document = next(name for name in comparison.documents if has_everything(comparison, name))
    page.evaluate("where => { location.hash = where; }", f"document={document}")
    page.wait_for_selector(f"#document h3 bdi:text-is('{document}')")
    read = """(where) => Object.fromEntries([...document.querySelectorAll(where)].map((one) =>
        [[...one.classList].at(-1), [...new Set(one.textContent)].join("")]))"""
    in_strip = page.evaluate(read, "#document .strip text.sign")
    assert set(in_strip) == {"reference", "match", "near", "missed", "extra"}
    assert page.evaluate(read, "#document .legend .swatch text.sign") == in_strip
    assert page.evaluate(read, "#document .rule .sign") == in_strip
    lines = """(where) => Object.fromEntries([...document.querySelectorAll(where)].map((one) => {
        const look = getComputedStyle(one);
        return [[...one.classList].at(-1), [look.stroke, look.strokeWidth, look.strokeDasharray]];
    }))"""
    drawn = page.evaluate(lines, "#document .strip .mark")
    assert page.evaluate(lines, "#document .legend .mark") == drawn
    gold = comparison.background[document].codings["gold"]
    for row, system in enumerate(SYSTEMS, 1):
        signs = page.locator("#document .strip tbody tr").nth(row).locator("text.sign")
        places = {
            signs.nth(i).get_attribute("class").split()[-1]: [
                round(float(x.removesuffix("%")) * gold.n_units / 100)
                for x in signs.nth(i).get_attribute("x").split()
            ]
            for i in range(signs.count())
        }
        edits = ss.boundary_edits(gold, comparison.hypotheses(system)[document])
        assert sorted(places.get("near", [])) == [
            transposition.b for transposition in edits.transpositions
        ]
        missed = [addition.position for addition in edits.additions if addition.side == "a"]
        assert sorted(places.get("missed", [])) == missed


# ---- ticks ----


def headings(page: Any) -> list[str]:
    return page.locator("#list thead th button").all_inner_texts()  # type: ignore[no-any-return]


def test_what_is_unticked_disappears(
    browser: Any, path: Path, page: Any, comparison: ss.Comparison
) -> None:
    assert headings(page) == ["document", "units", *SYSTEMS, "spread"]
    page.get_by_role("checkbox", name="second").uncheck()
    assert headings(page) == ["document", "units", "first", "third", "third − first"]
    values = comparison.values("windowdiff")
    shown = page.locator("#list tbody tr").all_inner_texts()
    for row, a, b in zip(shown, values["first"], values["third"], strict=True):
        cells = [float(cell.replace("−", "-")) for cell in row.split("\t")[-3:]]
        assert cells == pytest.approx([a, b, b - a], abs=6e-4)
    assert page.locator("#document .values tbody th").all_inner_texts() == ["first", "third"]
    assert "second" not in page.inner_text("#document")
    table = page.locator("table.systems tbody tr:visible th")
    assert [name.split()[0] for name in table.all_inner_texts()][:2] == ["first", "third"]
    notes = page.locator(".hidden-note:visible")
    assert notes.count() == 2
    assert "not ticked under Documents: second" in notes.first.inner_text()
    accessible(page)
    with opened(browser, path, page.evaluate("location.hash")) as other:
        assert headings(other) == headings(page)
        other.locator(".hidden-note:visible button").first.click()
        assert headings(other) == ["document", "units", *SYSTEMS, "spread"]
        assert other.get_by_role("checkbox", name="second").is_checked()
        assert other.locator("table.systems tbody tr:visible").count() > table.count()
        assert other.locator(".hidden-note:visible").count() == 0


def test_what_is_unticked_disappears_from_pictures(page: Any) -> None:
    covered = """() => [...document.querySelectorAll("#pictures svg[role=img]")].flatMap((picture) => {
        const seen = (one) => one.getClientRects().length > 0;
        const covers = [...picture.querySelectorAll(".cover")].filter(seen)
            .map((one) => one.getBoundingClientRect());
        return [...picture.querySelectorAll("text")].filter((one) => seen(one) &&
            ["first", "second", "third"].includes(one.textContent) &&
            !covers.some((cover) => {
                const box = one.getBoundingClientRect();
                return cover.top <= box.top + 1 && box.bottom - 1 <= cover.bottom;
            })).map((one) => one.textContent);
    })"""
    pictures = page.locator("#pictures svg[role=img]").count()
    assert pictures == 4  # intervals of two metrics, box plots, precision and recall
    assert page.evaluate(covered) == pictures * ["first", "second", "third"]
    page.get_by_role("checkbox", name="second").uncheck()
    assert page.evaluate(covered) == pictures * ["first", "third"]


def test_people_who_are_unticked_disappear(browser: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    coders = ["ann", "bob", "cyd", "dan"]
    corpus = ss.Corpus.from_dict({
        f"d{i}": {
            coder: ss.Segmentation.from_boundaries(sorted(rng.choice(range(1, 30), 6, False)), 30)
            for coder in coders
        }
        for i in range(6)
    })  # fmt: skip
    found = ss.agreement(corpus, n_resamples=20, draws=10)

    def counts(page: Any) -> list[int]:
        return [int(text) for text in page.locator("#list tbody td:last-child").all_inner_texts()]

    def contested(shown: list[str]) -> list[int]:
        places = ss.coders.contested(corpus.select(coders=shown), 10_000)
        return [sum(place.document == name for place in places) for name in corpus]

    with opened(browser, ss.report(found, tmp_path / "people.html")) as page:
        assert counts(page) == contested(coders)
        assert headings(page)[2] == "observed b"
        page.get_by_role("checkbox", name="cyd").uncheck()
        assert counts(page) == contested(["ann", "bob", "dan"]) != contested(coders)
        assert headings(page)[2] == "observed b (all coders)"
        for table in ("table.matrix", "table:has(caption:text('Each person left out'))"):
            names = page.locator(f"{table} tbody tr:visible th").all_inner_texts()
            assert sorted(names) == ["ann", "bob", "dan"]
        assert page.locator("table.matrix thead th:visible").count() == 4
        assert page.locator("#pictures .cover:visible").count() == 1
        consensus = page.inner_text("#consensus-words")
        assert "of 4" in consensus  # the consensus is about all of them


def test_people_beside_systems_are_all_of_them_until_one_is_ticked(
    browser: Any, tmp_path: Path
) -> None:
    cut = ss.Segmentation.from_masses
    corpus = ss.Corpus.from_dict({
        f"d{i}": {"ann": cut([2, 3, 6]), "bob": cut([5, 6]), "cyd": cut([2, 9])} for i in range(3)
    })  # fmt: skip
    systems = {"mine": {f"d{i}": cut([3, 8]) for i in range(3)}}
    found = ss.compare(corpus, systems=systems, metrics=["b"], n_resamples=20)
    with opened(browser, ss.report(found, tmp_path / "both.html")) as page:
        last = page.locator("#list tbody td:last-child")
        assert last.all_inner_texts() == ["2"] * 3
        assert page.locator(".hidden-note:visible").count() == 0
        for name in ("ann", "cyd"):
            page.get_by_role("checkbox", name=name).check()
        assert last.all_inner_texts() == ["1"] * 3
        assert "bob" in page.locator(".hidden-note:visible").first.inner_text()
        shown = json.dumps(page.locator("table.matrix tbody tr:visible th").all_inner_texts())
        assert shown == '["ann", "cyd"]'


def test_a_question_mark_shows_the_keys(browser: Any, path: Path) -> None:
    with opened(browser, path) as page:
        before = page.inner_text("#document h3")
        page.keyboard.press("?")
        keys = page.locator("dialog tbody th")
        assert [text.split() for text in keys.all_inner_texts()] == [
            ["n"],
            ["p"],
            ["j"],
            ["k"],
            ["?"],
        ]
        accessible(page)
        page.keyboard.press("j")
        assert page.inner_text("#document h3") == before
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        assert page.inner_text("#document h3") != before


def test_times_of_units(browser: Any, path: Path) -> None:
    with opened(browser, path) as page:
        asked = [0, 5, 59.999, 61.5, 3600, 3723.25, 0.1 * 3]
        found = page.evaluate(with_script("report", "all => all.map(timecode)"), asked)
        assert found == ["0:00", "0:05", "1:00", "1:01.50", "1:00:00", "1:02:03.25", "0:00.30"]
