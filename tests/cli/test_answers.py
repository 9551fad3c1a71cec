"""What the command line answers is what the library says: parts, consensus, windows, constants."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from command_line import segscore
from panels import panel
from segscore.simulate.sample_codings import STARGAZER

PARTS = ["precision", "recall", "f", "tp", "fp", "fn", "tn"]


@pytest.fixture
def codings(tmp_path: Path) -> Path:
    """Two texts, coded by seven people and a system."""
    path = tmp_path / "codings.jsonl"
    rows = [
        {"document": name, "coder": coder, "masses": masses[::step]}
        for name, step in (("x", 1), ("y", -1))
        for coder, masses in STARGAZER.items()
    ]
    rows += [
        {"document": name, "coder": "sys", "masses": [7, 7, 7], "kind": "system"} for name in "xy"
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def records(*arguments: object) -> list[dict[str, object]]:
    done = segscore(*arguments, "-f", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


# ---- parts ----


@pytest.mark.parametrize("metric", ["b", "b(n_t=3)", "winpr", "f1(tolerance=1)"])
@pytest.mark.parametrize("part", PARTS)
def test_parts_are_those_of_the_score(metric: str, part: str) -> None:
    if metric.startswith("f1") and part == "tn":
        pytest.skip("f1 has no true negatives")
    refs = [ss.Segmentation.from_masses(masses) for masses in STARGAZER.values()]
    hyps = refs[1:] + refs[:1]
    whole, part_result = (ss.score(refs, hyps, name) for name in (metric, f"{metric}.{part}"))
    scores = part_result[f"{metric}.{part}"]
    assert float(scores.micro) == whole[metric].micro.parts[part]
    assert scores.values.tolist() == [score.parts[part] for score in whole[metric]]
    assert ss.metric(scores.signature) == ss.metric(f"{metric}.{part}")
    assert str(ss.metric(f"{metric}.{part}")) == f"{metric}.{part}"


def test_parts_in_compare_have_intervals_and_tests() -> None:
    rng = np.random.default_rng(0)
    refs = {f"d{i}": ss.baselines.random(60, n_segments=8, rng=rng) for i in range(15)}
    systems = {
        name: {doc: ss.baselines.random(60, n_segments=n, rng=rng) for doc in refs}
        for name, n in (("few", 4), ("many", 20))
    }
    made = ss.compare(refs, systems=systems, metrics=["b.recall", "b.fp"], n_resamples=300)
    recall = made["many", "b.recall"]
    rows = ss.score(refs, systems["many"], "b")["b"]
    assert recall.value == rows.micro.recall
    assert recall.low < recall.value < recall.high
    assert recall.rank == 1
    assert made["many", "b.fp"].rank == 2  # lower is better
    assert next(pair for pair in made.pairs if pair.metric == "b.recall").significant


def test_parts_where_the_metric_has_no_value() -> None:
    coding = ss.Segmentation.from_masses([1])
    with pytest.raises(ss.SegmentationError, match="windowdiff.errors is undefined"):
        ss.score([coding], [coding], "windowdiff.errors")
    part = ss.score([coding], [coding], "windowdiff.errors", on_undefined="nan")[
        "windowdiff.errors"
    ]
    assert np.isnan(part.micro)  # not 0 errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b.precison", "no part 'precison'.*did you mean 'precision'"),
        ("b.", r"'b\.'"),
        ("nothing.tp", "no metric is called 'nothing'"),
    ],
)
def test_parts_that_there_are_not(text: str, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.metric(text)


def test_score_parts(codings: Path) -> None:
    rows = records("score", codings, "--reference", "1", "-m", "b", "--show", "parts", "--no-check")
    assert rows == records(
        "score", codings, "--reference", "1", "-m", "b", "--show", "parts", "--no-check"
    )
    micro = ss.score(ss.read(codings), reference="1", hypothesis="sys", metrics="b")["b"].micro
    found = {row["part"]: row["micro"] for row in rows if row["system"] == "sys"}
    assert {part: found[part] for part in PARTS} == {part: micro.parts[part] for part in PARTS}
    assert found["ci.low"] == micro.ci[0]


# ---- consensus ----


@pytest.mark.parametrize(
    ("rule", "at_least", "within"),
    [("0.5", 0.5, 0), ("majority", "majority", 0), ("0.5:1", 0.5, 1)],
)
def test_consensus(
    codings: Path, tmp_path: Path, rule: str, at_least: float | str, within: int
) -> None:
    target = tmp_path / "gold.jsonl"
    assert segscore("convert", codings, "--consensus", rule, "-o", target).returncode == 0
    corpus = ss.read(codings)
    gold = ss.read(target)
    assert gold == ss.consensus(corpus, at_least, within)
    for name, document in corpus.items():
        people = [coding for coder, coding in document.items() if coder != "sys"]
        assert gold[name]["consensus"] == ss.consensus(people, at_least, within)


def test_a_consensus_is_written_where_o_says(codings: Path, tmp_path: Path) -> None:
    before = codings.read_bytes()
    for words, message in (
        ((tmp_path / "gold.jsonl",), "expected -o FILE"),
        (("-o", codings), "read as input"),
    ):
        done = segscore("convert", codings, *words, "--consensus", "0.5")
        assert done.returncode == 2
        assert message in done.stderr
    done = segscore("convert", codings, "-o", tmp_path / "gold.jsonl", "--consensus", "most")
    assert "consensus is 'most'" in done.stderr
    assert codings.read_bytes() == before
    assert not (tmp_path / "gold.jsonl").exists()


def test_consensus_as_reference(codings: Path, tmp_path: Path) -> None:
    target = tmp_path / "gold.jsonl"
    segscore("convert", codings, "--consensus", "0.5", "-o", target)
    system = tmp_path / "sys.jsonl"
    ss.write(ss.read(codings).select(coders=["sys"]), system)
    once = records("score", target, system, "-m", "b", "--no-check")
    assert once == records(
        "score", codings, system, "-m", "b", "--reference", "consensus:0.5", "--no-check"
    )
    fast = ("-m", "b", "--resamples", "100", "--no-check")
    by_file = records("compare", target, system, *fast)
    assert by_file == records("compare", codings, system, "--reference", "consensus:0.5", *fast)
    assert by_file == records("compare", codings, "--reference", "consensus:0.5", *fast)
    for wrong in ("consensus:x", "consensus:2", "consensus:0.5:x"):
        assert segscore("score", codings, system, "--reference", wrong).returncode == 2


# ---- windows ----


def test_windows(codings: Path) -> None:
    done = segscore(
        "score", codings, "--reference", "1", "-m", "windowdiff", "--show", "windows",
        "-f", "json", "--no-check",
    )  # fmt: skip
    tables = json.loads(done.stdout)
    corpus = ss.read(codings)
    found = ss.metrics.windows(corpus["x"]["1"], corpus["x"]["sys"], "windowdiff")
    rows = tables["sys x windowdiff"]
    assert [(row["first"], row["last"], row["why"]) for row in rows] == [
        (run.first, run.last, run.why) for run in found.penalised
    ]
    none = segscore("score", codings, "--reference", "1", "-m", "b", "--show", "windows")
    assert none.returncode == 2
    assert "needs a window metric" in none.stderr


# ---- agree ----


def agreed(codings: Path, *options: object) -> list[dict[str, object]]:
    return records("agree", codings, *options)


def test_any_metric_over_pairs_of_coders(codings: Path) -> None:
    corpus = ss.read(codings)
    done = segscore("agree", codings, "-m", "windowdiff", "-f", "json")
    tables = json.loads(done.stdout)
    assert list(tables) == ["pairwise", "matrix"]
    ours = ss.coders.pairwise(corpus, "windowdiff")
    assert tables["pairwise"][-1]["mean"] == ours.mean
    assert tables["pairwise"][-1]["mean_sd"] == ours.sd
    assert tables["pairwise"][-1]["pairs"] == 2 * 2 * 28  # both ways round, two documents
    values = ours.by_coders()
    place = {name: i for i, name in enumerate(ours.coders)}
    for row in tables["matrix"]:
        assert row["mean"] == values[place[row["reference"]], place[row["hypothesis"]]]
    assert len(tables["matrix"]) == 8 * 7


def test_who_deviates(codings: Path) -> None:
    people = ss.read(codings).select(coders=list(STARGAZER))
    target = codings.with_name("people.jsonl")
    ss.write(people, target)
    rows = ss.coders.who_deviates(people, coefficient="pi").records()
    assert len(rows) == 7
    whole = ss.agreement(people, draws=0).pi
    for row in rows:
        others = [name for name in STARGAZER if name != row["coder"]]
        without = ss.agreement(people.select(coders=others), draws=0).pi
        assert row["joined"] == pytest.approx(whole)
        assert row["without"] == pytest.approx(without)
        assert row["drop"] == pytest.approx(without - whole)
    assert rows == sorted(rows, key=lambda row: -row["drop"])  # type: ignore[operator]
    found = {coder.name: coder.drop for coder in ss.coders.who_deviates(people).coders}
    assert {row["coder"]: row["drop"] for row in agreed(target, "--show", "deviation")} == found


def test_quartiles_misses_and_contested_places(codings: Path) -> None:
    corpus = ss.read(codings)
    counts = [coding.n_segments for coding in corpus["x"].values()]
    row = agreed(codings, "--show", "segments")[0]
    assert [row["q1"], row["median"], row["q3"]] == np.quantile(counts, [0.25, 0.5, 0.75]).tolist()
    shares = ss.coders.support(corpus["y"]).shares
    row = agreed(codings, "--show", "support")[1]
    assert row["median"] == np.median(shares)
    total = agreed(codings, "--show", "misses")[-1]
    edits = [
        ss.boundary_edits(a, b)
        for document in corpus.values()
        for i, a in enumerate(document.values())
        for b in list(document.values())[i + 1 :]
    ]
    assert total["near_misses"] == sum(len(edit.transpositions) for edit in edits)
    assert total["full_misses"] == sum(len(edit.additions) for edit in edits)
    assert total["matches"] == sum(len(edit.matches) for edit in edits)
    places = agreed(codings, "--contested", "5")
    assert len(places) == 5
    for row in places:  # who marks what is what their codings say, and one line is one place
        document = corpus[str(row["document"])]
        marks = dict(mark.split(": ") for mark in str(row["marks"]).split("; "))
        assert {p: ", ".join(coder for coder in document if int(p) in document[coder].boundaries)
                for p in marks} == marks  # fmt: skip
        assert min(map(int, marks)) == row["first"] <= row["position"] <= row["last"]  # type: ignore[operator]
    assert [row["n_marks"] for row in places] == [
        sum(names.count(",") + 1 for names in str(row["marks"]).split(";")) for row in places
    ]


def test_contested_places_that_are_left_out_are_told(codings: Path) -> None:
    whole = ss.coders.contested(ss.read(codings), None)
    assert len(whole) == whole.n_all > 20
    assert len(agreed(codings, "--contested", "all")) == whole.n_all
    done = segscore("agree", codings, "--contested", "all", "-f", "csv", "--no-check")
    assert done.stderr == ""
    for form in ("csv", "json"):
        done = segscore("agree", codings, "--show", "contested", "-f", form, "--no-check")
        assert f"20 of {whole.n_all} contested places" in done.stderr
        assert "--contested all has all" in done.stderr
    assert f"20 of {whole.n_all} contested places" in str(ss.coders.contested(ss.read(codings)))
    for wrong in ("0", "x", "-1"):
        done = segscore("agree", codings, "--contested", wrong)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert re.search(f"--contested is '{wrong}'", done.stderr)


def test_the_text_of_a_place_says_of_which_alternative_it_is() -> None:
    cut = ss.Segmentation.from_masses
    people = {"ann": cut([1, 3]), "bob": cut([2, 2]), "cyd": cut([2, 2])}
    texts = {"d": ["One.", "Two.", "Three.", "Four."]}
    note = "at the unit that most coders mark, or the first of equals"
    with_text = ss.coders.contested(ss.Corpus.from_dict({"d": people}, units=texts))
    assert (with_text[0].before, with_text[0].after) == ("Two.", "Three.")
    assert note in " ".join(str(with_text).split())
    assert note not in " ".join(
        str(ss.coders.contested(ss.Corpus.from_dict({"d": people}))).split()
    )


def test_latex_says_how_to_leave_documents_out(tmp_path: Path) -> None:
    ss.write(panel(3, 7, 3), tmp_path / "people.jsonl")
    words = ("agree", tmp_path / "people.jsonl", "--show", "coefficients", "--draws", "20", "-f")
    done = segscore(*words, "latex")
    assert "--per-document" in done.stderr
    assert "not corrected for chance" in done.stdout
    every = segscore(*words, "latex", "--per-document")
    assert every.stderr == segscore(*words, "csv").stderr == ""
    assert ("d6 " in every.stdout, "d6 " in done.stdout) == (True, False)


def test_a_document_with_everyone_beside_its_text(tmp_path: Path) -> None:
    units = ["One went out.", "Two came <b>in</b>.", "Three stayed."]
    rows = [
        {"document": "d", "coder": "ann", "masses": [1, 2], "units": units},
        {"document": "d", "coder": "bob", "masses": [2, 1]},
    ]
    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = segscore("agree", path, "--document", "d").stdout
    assert "1  One went out." in text
    assert "█·" in text
    found = agreed(path, "--document", "d")
    assert [row["coder ann"] for row in found] == [True, False, None]
    assert found[1]["text"] == units[1]
    near = segscore("agree", path, "--contested", "20").stdout
    assert "Two came <b>in</b>." in near
    missing = segscore("agree", path, "--document", "e")
    assert (missing.returncode, "no document is called 'e'" in missing.stderr) == (2, True)


def test_labels(tmp_path: Path) -> None:
    rows = [
        {"document": "d", "coder": "ann", "masses": [2, 2], "labels": ["x", "y"]},
        {"document": "d", "coder": "bob", "masses": [3, 1], "labels": ["x", ["y", "z"]]},
    ]
    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert agreed(path, "--show", "labels")[0]["mean"] == 0.625
    assert ss.coders.label_similarity(ss.read(path)["d"]).mean == 0.625
