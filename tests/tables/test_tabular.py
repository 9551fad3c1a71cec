"""Every result that has a table shows and exports it in the same way; data have an HTML form."""

import json
import pkgutil
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from needs import needs, where_needed
from panels import panel
from segscore.tables import FORMATS, Cell, Column, Table, Tabular
from segscore.tables.table import cell_of_text, text_of_cell
from segscore.tables.tabular import MOST_ROWS, flat_name, flat_numbers
from summed_documents import summed_result

BAD = "<script>alert('x')</script>"  # a name that must not become markup
CUT = ss.Segmentation.from_masses
CODINGS = {BAD: CUT([2, 3, 6]), "bob": CUT([5, 6]), "cat": CUT([2, 2, 7]), "c99": CUT([11])}
CORPUS = ss.Corpus.from_dict(
    {BAD: CODINGS, "ch2": {**CODINGS, "bob": CUT([2, 9])}},
    labels={BAD: {BAD: ["x", "y", "z"], "bob": ["x", BAD]}},
    groups={BAD: BAD},
)
TEXT = ss.Corpus.from_dict(
    {"d": {"gold": CUT([7, 8])}},
    units={"d": ["the cat chased another cat"] * 7 + ["a star shines on other stars"] * 8},
)
TYPED = [ss.Segmentation.from_boundaries(b, 11, types=[BAD, "b"]) for b in ([2, 5], [2, 6])]

ASKED = (
    [{"question": BAD, "document": "d", "evidence": ["One"]}],
    {"d": "One. Two."},
)


def accumulated() -> Tabular:
    """Averages of two groups."""
    both = [CODINGS[BAD]], [CODINGS["bob"]]
    found: Tabular = summed_result(
        {((group,), ""): both for group in (BAD, "talk")}, "pk", ["genre"]
    )
    return found


MADE: dict[str, Callable[[], Tabular]] = {
    "Result of sums": accumulated,
    "Agreement": lambda: ss.agreement(CORPUS),
    "AgreementSummary": lambda: ss.agreement(CORPUS).summary(),
    "Alignment": lambda: ss.corpus.align(["One.", "Two."], ["one", "two"], CUT([1, 1])),
    "Audit": lambda: ss.audit(
        CODINGS[BAD], CODINGS["bob"], expect=0.3636, measures=["pk", "windowdiff"]
    ),
    "Benchmark": lambda: ss.segmenters.benchmark(TEXT, {BAD: "c99"}, workers=1),
    "BoundaryEdits": lambda: ss.boundary_edits(*TYPED, substitution="unit"),
    "ChunkDescription": lambda: ss.chunks.describe(
        {BAD: {"d": [(0, 6), (4, 17)]}}, {"d": "One two. Three. x"}, n_resamples=50
    ),
    "CoderClusters": lambda: ss.coders.coder_clusters(CORPUS),
    "CoderHabits": lambda: ss.coders.boundaries_per_coder(CORPUS),
    "Comparison": lambda: ss.compare(
        CORPUS, reference="bob", systems=["cat", BAD], n_resamples=50, metrics=["pk", "b"]
    ),
    "ConfusionMatrix": lambda: ss.boundary_edits(*TYPED, substitution="unit").confusion(),
    "ContestedPlaces": lambda: ss.coders.contested(CORPUS),
    "Curve": lambda: ss.curve(
        [CUT([2, 3]), CUT([1, 3])], [[0.1, 0.9, 0.3, 0.2], [0.3, 0.2, 0.1]], n_resamples=50
    ),
    "Comparison of chunkers": lambda: ss.chunks.compare(
        {BAD: {"d": [(0, 9)]}, "b": {"d": [(0, 5), (5, 9)]}}, *ASKED, n_resamples=50
    ),
    "EvidenceScores": lambda: ss.chunks.evidence({"d": [(0, 9)]}, *ASKED),
    "Feedback": lambda: ss.coders.feedback(CORPUS, reference="bob", coder=BAD),
    "LabelReliability": lambda: ss.coders.label_reliability(CORPUS),
    "ModelOutputs": lambda: ss.answers.read(
        {BAD: "[0, 1]", "b": "no"}, {BAD: 2, "b": ["x"]}, shape="starts", base=0
    ),
    "ParameterSweep": lambda: ss.curves.sweep(
        [CODINGS[BAD]], [CODINGS["bob"]], "b", n_t=range(1, 3), n_resamples=50
    ),
    "AgreementDifference": lambda: ss.coders.compare_rounds(
        CORPUS, CORPUS, names=("pilot", BAD), draws=20, n_resamples=50
    ),
    "WidthPlan": lambda: ss.agreement(panel(1, 8, 3), draws=20, n_resamples=50).plan_width(0.05),
    "Deviation": lambda: ss.coders.who_deviates(CORPUS, n_resamples=50),
    "DecisionAgreement": lambda: ss.coders.fleiss_kappa(CORPUS),
    "LabelSimilarity": lambda: ss.coders.label_similarity(CORPUS[BAD]),
    "PairwiseMean": lambda: ss.coders.pairwise(CORPUS, "windowdiff"),
    "Windows": lambda: ss.metrics.windows(
        ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
    ),
    "Placement": lambda: ss.chunks.place("One. Two.", ["One. T", "wo."]),
    "Plan": lambda: ss.compare(
        CORPUS, reference="bob", systems=["cat", BAD], n_resamples=50, metrics=["pk", "b"]
    ).plan(0.02),
    "Result": lambda: ss.score({BAD: CODINGS[BAD]}, {BAD: CODINGS["bob"]}),
    "Support": lambda: ss.coders.support(CORPUS[BAD], within=1),
    "Table": lambda: Table([Column(BAD), Column("n")], [[BAD, Cell(1.5, error=0.5)], ["", None]]),
    "Tuning": lambda: ss.segmenters.tune(TEXT, "aps", grid={"preference": [0.5, -1]}, workers=1),
}
NAMELESS = (  # show no name of the input
    "Alignment WidthPlan ParameterSweep Placement Curve Windows Audit LabelSimilarity "
    "Support Tuning Result EvidenceScores"
)
DRAWN = {"BoundaryEdits"}  # prints its drawing
NUMBERS = {"DecisionAgreement"}  # its repr is that of the float
LONGER = {"Comparison", "Comparison of chunkers", "EvidenceScores", "Result"}  # as in `to_dicts`


@pytest.fixture(scope="module")
def results() -> Callable[[str], Any]:
    return cache(lambda name: MADE[name]())


def _below(kind: type) -> set[type]:
    return {kind}.union(*(_below(subclass) for subclass in kind.__subclasses__()))


def test_no_result_is_forgotten() -> None:
    for module in pkgutil.walk_packages(ss.__path__, "segscore."):
        if not module.name.endswith(("__main__", "pytest_plugin")):
            try:
                import_module(module.name)
            except ImportError:  # an extra that is not installed
                continue
    ours = {kind.__name__ for kind in _below(Tabular) if kind.__module__.startswith("segscore.")}
    assert ours - {"Tabular"} == {name.split()[0] for name in MADE}, (
        "give each Tabular an example here"
    )


@pytest.mark.parametrize("name", where_needed(MADE, {"Alignment": "align"}))
def test_text(name: str, results: Callable[[str], Any]) -> None:
    made = results(name)
    table = made.to_table()
    assert type(made).__name__ == name.split(maxsplit=1)[0]
    assert isinstance(table, Table)
    if name in NUMBERS:
        assert repr(made) == repr(float(made)) == f"{made}"
        assert str(made) == table.render("text")
    elif name in DRAWN:
        assert repr(made) == str(made) != table.render("text")
        assert "object at" not in repr(made)
    else:
        assert repr(made) == str(made) == table.render("text")
    header = replace(table, lead=()).render("text").splitlines()[table.title is not None]
    people = ("all", "people")
    assert all(column.name in header for column in table.columns if column.audience in people)


class _Tags(HTMLParser):
    """The tags that a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        del attrs
        self.found.append(tag)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", where_needed(MADE, {"Alignment": "align"}))
def test_every_format(name: str, form: Any, results: Callable[[str], Any]) -> None:
    made = results(name)
    text = made.render(form)
    assert text == made.to_table().render(form)
    assert text.strip()
    if form == "json":
        assert json.loads(text) == made.records()
    if form in ("html", "markdown"):
        assert "<script" not in text
    if form == "html":
        html = made._repr_html_()
        assert "table" in _Tags(html).found
        assert html.count("<tr") == html.count("</tr>") > 1
        assert "&lt;script&gt;" in html or name in NAMELESS.split(" ")


@needs("dataframes")
@pytest.mark.parametrize("name", where_needed(MADE, {"Alignment": "align"}))
def test_frames(name: str, results: Callable[[str], Any]) -> None:
    made = results(name)
    rows = made.to_dicts() if name in LONGER else made.records()
    pandas, polars = made.to_pandas(), made.to_polars()
    assert (type(pandas).__module__, type(polars).__module__) == (
        "pandas",
        "polars.dataframe.frame",
    )
    assert len(pandas) == len(polars) == len(rows) > 0
    assert list(pandas.columns) == polars.columns
    if name not in LONGER:
        assert polars.columns == list(made.records()[0])


def test_a_long_table_is_folded_where_it_is_shown_and_whole_in_render() -> None:
    table = Table([Column("n", better="higher")], [[n] for n in range(1000)])
    shown, rendered = str(table).splitlines(), table.render().splitlines()
    assert repr(table) == str(table)
    assert len(rendered) == 1000 + 2 + 2
    assert len(shown) == MOST_ROWS + 1 + 2 + 3
    assert shown[-1] == "1000 rows: 940 of them are not shown; .render() gives all"
    assert shown[2].strip() == "0"
    assert shown[2 + 30].strip() == "…"
    assert shown[-4].strip() == "999*"  # the best of all rows, not of those shown
    assert table._repr_html_().count("<tr>") == MOST_ROWS + 1 + 1 + 1
    assert "940 of them" in table._repr_html_()
    exact = Table([Column("n")], [[n] for n in range(MOST_ROWS)])
    assert str(exact) == exact.render()


# ---- data ----

DATA = {
    "Segmentation": ss.Segmentation.from_boundaries([2, 5], 11, types=[BAD, "b"], ranks=[1, 2]),
    "Document": CORPUS[BAD],
    "Corpus": CORPUS,
    "BoundaryEdits": ss.boundary_edits(*TYPED, substitution="unit"),
}


@pytest.mark.parametrize("name", DATA)
def test_data_have_a_line_and_a_page(name: str) -> None:
    example: Any = DATA[name]
    tags = _Tags(example._repr_html_()).found
    assert "script" not in tags
    assert "&lt;script&gt;" in example._repr_html_()
    if name != "BoundaryEdits":  # which is drawn
        assert repr(example).startswith(f"{name}(")
        assert "\n" not in repr(example)


# ---- results as flat dicts of floats, with names that experiment trackers take ----


cut = ss.Segmentation.from_masses
REFS = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
HYPS = {f"d{i}": cut([3, 5, 1 + i]) for i in range(8)}
ALLOWED = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")  # MLflow, W&B and TensorBoard


def comparison() -> ss.Comparison:
    return ss.compare(
        REFS,
        systems={"mine (v2)": HYPS, "old": REFS},
        metrics=["windowdiff(k=3,edges=wrap)", "b"],
        baselines=["none"],
        n_resamples=100,
    )


def agreement(codings: Any, draws: int) -> ss.Agreement:
    return ss.agreement(ss.Corpus.from_dict(codings), draws=draws)


def added_up() -> Any:
    both = [*REFS.values()], [*HYPS.values()]
    parts = {(("Q & A",), system): both for system in ("x", "y")}
    return summed_result(parts, ["b", "f1"], by=["genre"])


NUMBERS_OF = {
    "result": lambda: ss.score(
        REFS, HYPS, metrics=["windowdiff(k=3,edges=wrap)", "b.recall", ss.WinPR(k=3)]
    ),
    "comparison": comparison,
    "agreement": lambda: agreement({"d": {"a": cut([2, 3]), "b": cut([3, 2])}}, draws=20),
    "added_up": added_up,
}


@pytest.mark.parametrize("make", NUMBERS_OF.values(), ids=NUMBERS_OF)
def test_names_are_allowed_and_values_are_floats(make: Any) -> None:
    found = make().to_metrics("epoch/")
    assert found
    for name, value in found.items():
        assert ALLOWED.fullmatch(name), name
        assert name.startswith("epoch/")
        assert type(value) is float


def test_a_comparison_says_values_intervals_and_tests() -> None:
    compared = comparison()
    found = compared.to_metrics()
    assert found["mine.v2/b/value"] == compared["mine (v2)", "b"].value
    assert found["old/windowdiff.k_3.edges_wrap/rank"] == 1
    assert found["mine.v2-vs-old/b/p"] == compared.pairs[-1].p_corrected
    assert "none/b/rank" not in found  # baselines are not ranked


def test_two_numbers_of_one_name_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="numbers would.*'a_b/b/micro'"):
        flat_numbers([(("a b", "b", "micro"), 1.0), (("a/b", "b", "micro"), 2.0)])


@given(st.text())
def test_any_text_makes_a_name(text: str) -> None:
    assert ALLOWED.fullmatch(flat_name(text))
    assert flat_name(flat_name(text)) == flat_name(text)


HOSTILE = ("=HYPERLINK(0)", "+1+1", "-2+3", "@SUM(1)", "'=x", "''@x")


@given(st.text("='+-@\t\r01.eE a"))
def test_texts_come_back(text: str) -> None:
    cell = cell_of_text(text)
    assert text_of_cell(cell) == text
    if cell[:1] in ("=", "@", "\t", "\r"):
        raise AssertionError(cell)
    if cell[:1] in ("+", "-"):
        float(cell)  # or it would be a formula


@pytest.mark.parametrize("form", ["csv", "wide", "segeval-tsv"])
def test_files_of_codings(form: str, tmp_path: Path) -> None:
    codings = {name: ss.Segmentation.from_masses([2, 3]) for name in (*HOSTILE, "-0.5")}
    corpus = ss.Corpus.from_dict({"d": codings})
    path = tmp_path / ("x.tsv" if form == "segeval-tsv" else "x.csv")
    ss.write(corpus, tmp_path, form) if form != "csv" else ss.write(corpus, path, form)
    (path,) = [file for file in tmp_path.iterdir() if file.is_file()]
    cells = [cell for line in path.read_text().splitlines() for cell in line.replace("\t", ",").split(",")]  # fmt: skip
    assert "'=HYPERLINK(0)" in cells
    assert "-0.5" in cells
    assert not [cell for cell in cells if cell[:1] in ("=", "@", "+")]
    assert list(ss.read(path, form).coders) == list(corpus.coders)
