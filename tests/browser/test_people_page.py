"""The page about people: consensus by slider, download, contested places, access, typed and ranked."""

import json
import random
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import accessible, opened, until, with_script
from needs import needs
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
    with page.expect_download() as held:
        page.click("#download")
    target = folder / held.value.suggested_filename
    held.value.save_as(target)
    return ss.read(target)


@pytest.mark.parametrize(
    ("share", "within"), [(50, 0), (1, 0), (100, 1), (55, 2), (30, 1), (71, 3), (72, 3)]
)
def test_the_slider_gives_what_consensus_gives(
    page: Any, corpus: ss.Corpus, tmp_path: Path, share: int, within: int
) -> None:
    put(page, "#at-least", share)
    put(page, "#within", within)
    assert downloaded(page, tmp_path) == ss.consensus(corpus, share / 100, within)


@pytest.mark.parametrize(
    ("label", "rule"),
    [("anyone", "union"), ("more than half", "majority"), ("half", 0.5), ("everyone", 1)],
)
def test_the_buttons_give_what_consensus_gives(
    page: Any, corpus: ss.Corpus, tmp_path: Path, label: str, rule: Any
) -> None:
    page.get_by_role("button", name=label, exact=True).click()
    agreed = ss.consensus(corpus, rule)
    assert downloaded(page, tmp_path) == agreed
    boundaries = sum(document["consensus"].n_segments - 1 for document in agreed.values())
    until(
        page,
        "n => document.getElementById('consensus-words').textContent.includes(`: ${n} boundar`)",
        arg=boundaries,
    )


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


def test_the_address_holds_the_consensus(browser: Any, page: Any, path: Path) -> None:
    page.select_option("#reference", "consensus by the slider")
    page.get_by_role("button", name="more than half", exact=True).click()
    put(page, "#within", 2)
    until(page, "() => location.hash.includes('share=majority&within=2')")
    counts = page.locator(".counts tbody").inner_text()
    words = page.inner_text("#consensus-words")
    where = page.evaluate("location.hash")
    with opened(browser, path, where) as again:
        assert again.locator(".counts tbody").inner_text() == counts
        until(
            again,
            "words => document.getElementById('consensus-words').textContent === words",
            arg=words,
        )
        assert again.input_value("#within") == "2"
        pressed = again.locator("[data-rule][aria-pressed=true]")
        assert pressed.all_inner_texts() == ["more than half"]
        again.locator(".places a").first.click()  # a link to a place leaves the consensus alone
        again.locator(".boundary.here").wait_for()
        assert "share=majority&within=2" in again.evaluate("location.hash")


def test_an_address_with_nonsense_for_the_consensus(browser: Any, path: Path) -> None:
    with opened(browser, path, "#document=Stargazers&share=7&within=-1") as page:
        assert (page.input_value("#at-least"), page.input_value("#within")) == ("50", "0")


@pytest.mark.parametrize(
    ("label", "share", "words"),
    [
        ("anyone", "1", "anyone"),
        ("half", "50", "at least 50 %"),
        ("more than half", "51", "more than half"),
        ("everyone", "100", "at least 100 %"),
    ],
)
def test_buttons_slider_and_words_say_the_same(
    page: Any, label: str, share: str, words: str
) -> None:
    put(page, "#at-least", 77)
    page.get_by_role("button", name=label, exact=True).click()
    assert page.input_value("#at-least") == share
    assert page.inner_text("#at-least-words") == f"Share of coders: {words}"
    until(
        page,
        "said => document.getElementById('consensus-words').textContent.startsWith(said)",
        arg=f"Marked by {words}",
    )
    assert "at the same place" in page.inner_text("#consensus-words")
    put(page, "#within", 1)
    assert page.inner_text("#within-words") == "Allow a distance of 1 unit"
    chosen = page.locator("#reference option[value='consensus by the slider']")
    assert chosen.inner_text() == f"consensus by the sliders: {words}, within 1 unit"


def test_the_file_is_named_by_the_rule(page: Any) -> None:
    def name() -> str:
        with page.expect_download() as held:
            page.click("#download")
        return held.value.suggested_filename

    assert name() == "consensus-50-percent.jsonl"
    put(page, "#within", 2)
    page.get_by_role("button", name="more than half", exact=True).click()
    assert name() == "consensus-more-than-half-within-2.jsonl"


def test_the_strip_of_the_consensus_leads_to_places(page: Any, corpus: ss.Corpus) -> None:
    page.select_option("#consensus-document", "srezagratS")
    assert page.inner_text("#document h3") == "srezagratS"
    document = corpus["srezagratS"]
    lane = page.locator("#consensus-strip .votes-lane")
    assert lane.locator(".needed").count() == 1
    place = int(ss.consensus(document).boundaries[0])
    frame = lane.bounding_box()
    lane.click(position={"x": frame["width"] * place / document.n_units, "y": 20})
    assert page.locator(".boundary.here").get_attribute("id") == f"at-{place}"


def test_people_who_did_not_code_the_open_document_are_told(page: Any) -> None:
    absent = page.locator(".tick.absent")
    assert absent.count() == 0
    page.get_by_role("link", name="srezagratS", exact=True).click()
    assert absent.all_inner_texts() == ["judge 7"]
    assert absent.get_attribute("title") == "not in the open document"
    accessible(page)


def test_side_by_side_places_are_contested_and_against_someone_disagreements(page: Any) -> None:
    page.select_option("#reference", "everyone")
    listed = page.locator("#list tbody tr").first.locator("td").last.inner_text()
    chosen = page.locator("#stops option:checked")
    assert chosen.inner_text() == f"{listed} contested places"
    assert page.inner_text("#walked") == f"{listed} places"
    page.select_option("#reference", "judge 3")
    assert chosen.inner_text().endswith(" disagreements")
    assert "near miss (1 unit off)" in page.inner_text(".legend")
    assert page.locator("#list thead").inner_text().split("\t")[3] == "observed b"


def test_contested_places_lead_to_the_text(page: Any, corpus: ss.Corpus) -> None:
    places = ss.coders.contested(corpus, 3)
    links = page.locator(".places a")
    for i, place in enumerate(places):
        link = links.nth(i)
        units = "unit" if place.first == place.last else "units"
        assert link.inner_text() == f"{place.document}, after {units} {place.where}"
        link.click()
        boundary = page.locator(f"#at-{place.position}.boundary.here")
        boundary.wait_for()
        assert page.inner_text("#document h3") == place.document
        marks = next(
            len(alternative.coders)
            for alternative in place.alternatives
            if alternative.position == place.position
        )
        assert f": {marks} of {place.n_coders}" in boundary.get_attribute("aria-label")
        assert boundary.locator(".rule.marks").count() == marks


def test_the_page_finds_the_places_that_python_finds(page: Any) -> None:
    random.seed(5)
    for _ in range(100):
        marks = [sorted(random.sample(range(1, 30), random.randint(0, 12))) for _ in range(4)]
        people = {
            str(i): ss.Segmentation.from_boundaries(boundaries, 30)
            for i, boundaries in enumerate(marks)
        }
        places = ss.coders.contested(ss.Corpus.from_dict({"d": people}), 100)
        found = page.evaluate(with_script("report", "contestedPlaces"), marks)
        assert found == sorted(place.position for place in places)


def test_any_coder_or_the_consensus_may_be_the_reference(page: Any, corpus: ss.Corpus) -> None:
    document = corpus["Stargazers"]
    agreed = ss.consensus(document)
    for name, reference in (("judge 3", document["judge 3"]), ("consensus:0.5", agreed)):
        page.select_option("#reference", name)
        rows = page.locator(".counts tbody tr:not(.is-reference)")
        for i in range(rows.count()):
            coder = rows.nth(i).locator("th").inner_text()
            edits = ss.boundary_edits(reference, document[coder])
            sides = [addition.side for addition in edits.additions]
            counts = [
                len(edits.matches),
                len(edits.transpositions),
                sides.count("a"),
                sides.count("b"),
            ]
            cells = rows.nth(i).locator("td.num").all_inner_texts()
            assert list(map(int, cells)) == [len(document[coder].boundaries), *counts]


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
            counts = [
                len(edits.matches),
                len(edits.transpositions),
                sides.count("a"),
                sides.count("b"),
            ]
            cells = rows.nth(i).locator("td.num").all_inner_texts()
            assert list(map(int, cells)) == [len(coding.boundaries), *counts]


def test_near_misses_of_random_pairs(page: Any) -> None:
    rng = random.Random(3)
    asked = []
    for _ in range(500):
        n = rng.randint(2, 30)
        asked.append([n, *(sorted(rng.sample(range(1, n), rng.randint(0, n - 1))) for _ in "ab")])
    found = page.evaluate(
        with_script(
            "report", "cases => cases.map(([n, a, b]) => adjacentPairs(new Set(a), new Set(b)))"
        ),
        asked,
    )
    for (n, a, b), pairs in zip(asked, found, strict=True):
        edits = ss.boundary_edits(
            *(ss.Segmentation.from_boundaries(boundaries, n) for boundaries in (a, b))
        )
        assert sorted(pairs) == [
            [transposition.a, transposition.b] for transposition in edits.transpositions
        ]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "light"), (1280, "dark")])
def test_the_answer_is_large_and_first(
    browser: Any, tmp_path: Path, width: int, scheme: str
) -> None:
    """Agreement with its interval, then who, then where; comments are escaped, and lead there."""
    rows = [
        {"document": f"d{i}", "coder": coder, "masses": masses, "units": list("abcdefgh"),
         "annotation": {"finished": True, "unsure": [3],
                        "comments": [{"after": 3, "text": "<b>here</b> or " + "farther " * 40}]}}
        for i in range(1, 8)
        for coder, masses in {"ann": [3, 5], "bob": [i, 8 - i], "eve": [3, 3, 2]}.items()
    ]  # fmt: skip
    codings = tmp_path / "people.jsonl"
    codings.write_text("\n".join(map(json.dumps, rows)))
    found = ss.agreement(ss.read(codings), n_resamples=50, draws=20)
    report = ss.report(found, tmp_path / "report.html")
    view = {"width": width, "height": 800}
    with opened(browser, report, viewport=view, color_scheme=scheme) as page:
        places = page.evaluate(
            "['.answer', '.verdict-line', '#overview .hurry a', '.facts', '.remark']"
            ".map(one => document.querySelector(one).getBoundingClientRect().top)"
        )
        assert places == sorted(places)
        assert places[0] < 300  # in view at once
        size = "one => parseFloat(getComputedStyle(one).fontSize)"
        sizes = [page.locator(one).first.evaluate(size) for one in (".answer b", ".answer", "h1")]
        assert sizes[0] > sizes[2]
        assert f"{found.corrected_ci.high:.3f}" in page.locator(".answer").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert "<b>here</b>" in page.locator(".remark").first.inner_text()
        accessible(page)
        page.locator("li:has(.remark) a").first.click()
        until(page, "() => document.querySelector('#document').innerText.includes('d1')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, path: Path, scheme: str) -> None:
    with opened(browser, path, color_scheme=scheme) as page:
        for reference in ("everyone", "judge 3"):
            page.select_option("#reference", reference)
            page.keyboard.press("n")
            accessible(page)


def test_the_heading_of_coefficients_stands_above_their_values(page: Any) -> None:
    table = page.locator("table:has(caption:text-is('Agreement among people'))")
    heading = (
        table.locator("thead th")
        .nth(1)
        .evaluate(
            "one => { const all = document.createRange(); all.selectNodeContents(one);"
            " return all.getBoundingClientRect().left; }"
        )
    )
    assert abs(heading - table.locator(".value").first.bounding_box()["x"]) < 3


def test_headings_landmarks_and_tables(page: Any) -> None:
    for role in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(role).count() == 1
    assert page.locator("table:not(:has(th[scope=col]))").count() == 0
    assert page.locator("svg[role=img]:not([aria-label]):not([aria-labelledby])").count() == 0


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


def test_all_details_are_open_in_print_and_shut_after_it(page: Any) -> None:
    shut = page.locator("details:not([open])").count()
    assert shut > 0
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() == shut


@needs("plot")
def test_pictures_fit_a_telephone_and_their_letters_can_be_read(
    browser: Any, corpus: ss.Corpus, tmp_path: Path
) -> None:
    import_module("matplotlib")
    path = ss.report(ss.agreement(corpus, draws=20), tmp_path / "narrow.html")
    with opened(browser, path, viewport={"width": 390, "height": 844}) as narrow:
        found = narrow.evaluate("""() => [...document.querySelectorAll('#pictures figure')].map((one) => {
          const svg = one.querySelector('svg');
          const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
          const sizes = [...svg.querySelectorAll('text')].map((text) =>
            parseFloat(getComputedStyle(text).fontSize) * scale);
          return [svg.getBoundingClientRect().right <= one.getBoundingClientRect().right,
            Math.min(...sizes)];
        })""")
    assert found
    assert all(fits for fits, _ in found)
    assert all(smallest >= 7.5 for _, smallest in found)


LAST_SIGNS_ON_TWO_LINES = """() => [...document.querySelectorAll(".rule .said")].map((one) => {
  const range = document.createRange(), text = one.firstChild;
  range.setStart(text, text.length - 2);
  range.setEnd(text, text.length);
  return range.getClientRects().length > 1 ? one.textContent : "";
})"""


def test_the_closing_quote_of_a_label_stays_with_it(browser: Any, tmp_path: Path) -> None:
    names = ["narration", "dialogue", "narration", "comment"]
    texts = {"d": [f"Sentence {i}." for i in range(1, 13)]}
    labelled = ss.Segmentation.from_masses([3, 3, 3, 3], segment_labels=names)
    codings = {"d": {f"coder {i}": labelled for i in range(6)}}
    found = ss.agreement(ss.Corpus.from_dict(codings, units=texts), draws=2, n_resamples=20)
    path = ss.report(found, tmp_path / "labels.html")
    with opened(browser, path, viewport={"width": 390, "height": 900}) as page:
        broken = page.evaluate(LAST_SIGNS_ON_TWO_LINES)
    assert len(broken) == 18
    assert [text for text in broken if text] == []


def test_heat_maps_that_are_images_are_shown(browser: Any, tmp_path: Path) -> None:
    sizes = [1001, *[20] * 24]  # more cells than a map draws one by one
    long = {
        f"document {i}": {
            coder: ss.Segmentation.from_boundaries([5 + shift], units)
            for shift, coder in enumerate("ab")
        }
        for i, units in enumerate(sizes)
    }
    found = ss.agreement(ss.Corpus.from_dict(long), n_resamples=50, draws=5)
    path = ss.report(found, tmp_path / "report.html")
    assert "<image" in path.read_text("utf-8")
    with opened(browser, path) as page:  # no image was blocked
        assert page.locator("figure image").count() == 1
