"""Curves over thresholds: each point against a segmentation made by that threshold; average
precision against its definition and scikit-learn; thresholds from development documents only."""

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import segscore as ss
from needs import needs
from oracles.curves import average_precision, value_at
from segscore.cli.curve import parameter_values
from segscore.curves import computing
from strategies import pairs, places

METRICS = ["f1", "f1(tolerance=2)", "f1.precision", "f1.recall", "pk", "windowdiff", "b", "s"]
FAST = {"n_resamples": 20, "on_undefined": "nan"}


@st.composite
def scored(draw: Any) -> tuple[list[ss.Segmentation], list[list[float]]]:
    """Some documents; few different scores, so that many are equal."""
    refs, scores = [], []
    for _ in range(draw(st.integers(1, 4))):
        n = draw(st.integers(2, 14))
        marks = draw(st.lists(st.booleans(), min_size=n - 1, max_size=n - 1))
        refs.append(ss.Segmentation.from_gaps([int(mark) for mark in marks]))
        levels = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 7.5])
        scores.append(draw(st.lists(levels, min_size=n - 1, max_size=n - 1)))
    return refs, scores


@given(scored(), st.sampled_from(["micro", "macro"]))
def test_every_point_is_the_metric_at_that_threshold(data: Any, average: Any) -> None:
    refs, scores = data
    made = ss.curve(refs, scores, METRICS, average=average, **FAST)
    distinct = sorted({score for row in scores for score in row}, reverse=True)
    assert made.thresholds.tolist() == [math.inf, *distinct]
    for metric in METRICS:
        expected = [
            value_at(refs, scores, metric, threshold, average) for threshold in made.thresholds
        ]
        assert made.values(metric).tolist() == pytest.approx(expected, nan_ok=True, abs=1e-9)
    counts = [sum(score >= t for row in scores for score in row) for t in made.thresholds]
    assert made.boundaries.tolist() == counts


@needs("peers")
@given(scored())
def test_average_precision_is_scikit_learns(data: Any) -> None:
    from sklearn.metrics import average_precision_score

    refs, scores = data
    truth = [p in places(ref) for ref in refs for p in range(1, ref.n_units)]
    assume(any(truth))
    flat = [score for row in scores for score in row]
    found = ss.curve(refs, scores, "f1", **FAST).average_precision.value
    assert found == pytest.approx(average_precision(truth, flat))
    assert found == pytest.approx(average_precision_score(truth, flat))
    own = [
        average_precision_score([p in places(ref) for p in range(1, ref.n_units)], row)
        for ref, row in zip(refs, scores, strict=True)
        if places(ref)
    ]
    macro = ss.curve(refs, scores, "f1", average="macro", **FAST).average_precision.value
    assert macro == pytest.approx(np.mean(own))


def many(n: int = 12, seed: int = 0) -> tuple[dict[str, ss.Segmentation], dict[str, list[float]]]:
    rng = np.random.default_rng(seed)
    refs, scores = {}, {}
    for i in range(n):
        units = int(rng.integers(10, 30))
        marks = rng.random(units - 1) < 0.2
        refs[f"d{seed}-{i}"] = ss.Segmentation.from_gaps(marks.astype(int))
        scores[f"d{seed}-{i}"] = (rng.random(units - 1) * 0.7 + 0.3 * marks).round(2).tolist()
    return refs, scores


def test_intervals_are_bootstraps_over_documents() -> None:
    """At a threshold they are those of the scores of the segmentations; of average precision those
    of an average precision computed again for each resample."""
    from oracles.resampling import additive
    from segscore.significance.drawing import resamples
    from segscore.significance.resampling import bootstrap_interval, expanded_tail

    refs, scores = many()
    made = ss.curve(refs, scores, ["windowdiff", "b"], thresholds=[0.5], n_resamples=200, rng=3)
    hyps = {name: ss.ScoredBoundaries(row).at(0.5) for name, row in scores.items()}
    result = ss.score(refs, hyps, metrics=["windowdiff", "b"])
    (point,) = made.chosen
    for key in ("windowdiff", "b"):
        rows, value = additive(result[key])
        low, high, _, method = bootstrap_interval(rows, value, n_resamples=200, seed=3)
        assert point.intervals[key][:2] == pytest.approx((low, high))
        assert point.intervals[key].method == method
        assert point.values[key] == pytest.approx(result[key].micro)
    again = []
    names = list(refs)
    for _, draws in resamples(len(refs), 200, 3):
        for counts in draws:
            drawn = [name for name, n in zip(names, counts, strict=True) for _ in range(int(n))]
            truth = [p in places(refs[n]) for n in drawn for p in range(1, refs[n].n_units)]
            again.append(average_precision(truth, [score for n in drawn for score in scores[n]]))
    area = made.average_precision
    tail = expanded_tail(0.95, len(refs))
    assert area.interval[:2] == pytest.approx(tuple(np.quantile(again, [tail, 1 - tail])))


def test_the_best_threshold_comes_from_development_documents() -> None:
    refs, scores = many()
    others = many(8, seed=1)
    made = ss.curve(refs, scores, ["f1", "pk"], development=others, n_resamples=20)
    tuned = ss.curve(*others, ["f1", "pk"], n_resamples=20)
    assert {point.threshold for point in made.chosen} == {
        tuned.best_threshold("f1"),
        tuned.best_threshold("pk"),
    }
    values = tuned.values("pk")
    best = tuned.best_threshold("pk")
    assert best == tuned.thresholds[np.flatnonzero(values == np.nanmin(values))[0]]
    for point in made.chosen:
        assert "of 8 development documents" in point.name
        place = np.flatnonzero(made.thresholds >= point.threshold)[-1]
        assert point.values["f1"] == pytest.approx(made.values("f1")[place])
    alone = ss.curve(refs, scores, ["f1", "pk"], n_resamples=20)
    assert alone.chosen == ()
    assert "best" not in alone.render("text")
    mixed = ({**others[0], "d0-0": refs["d0-0"]}, {**others[1], "d0-0": scores["d0-0"]})
    with pytest.raises(ss.SegmentationError, match="'d0-0'.*development document"):
        ss.curve(refs, scores, "f1", development=mixed)


def test_as_many_boundaries_as_the_reference() -> None:
    refs = [ss.Segmentation.from_masses([2, 2, 2]), ss.Segmentation.from_masses([6])]
    made = ss.curve(refs, [[0.5, 0.9, 0.5, 0.1, 0.1], [0.2, 0.2, 0.5, 0.1, 0]], "f1", n_resamples=9)
    # 1 boundary at .9, 4 at .5: 1 is nearer to 2
    assert (made.density_threshold, made.density.boundaries) == (0.9, 1)
    assert made.density.values["f1"] == pytest.approx(2 / 3)


def test_long_documents_are_swept_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    refs, scores = many(5)
    whole = ss.curve(refs, scores, METRICS, n_resamples=9)
    monkeypatch.setattr(computing, "_BLOCK", 50)
    parts = ss.curve(refs, scores, METRICS, n_resamples=9)
    for key in METRICS:
        assert np.array_equal(parts.values(key), whole.values(key), equal_nan=True)


def test_one_document_has_no_interval_and_none_is_undefined() -> None:
    made = ss.curve([ss.Segmentation.from_masses([2, 2])], [[0.1, 0.9, 0.1]], "f1", n_resamples=9)
    assert math.isnan(made.average_precision.interval.low)
    assert "at least 2 documents" in made.render("text")
    refs = [ss.Segmentation.from_masses([1])]
    with pytest.raises(ss.SegmentationError, match="document 0: pk is undefined"):
        ss.curve(refs, [[]], "pk")
    with pytest.raises(ss.SegmentationError, match="f1.*undefined.*document has 1"):
        ss.curve(refs, [[]], "f1")


# ---- the data ----


def test_scored_boundaries() -> None:
    boundaries = ss.ScoredBoundaries([0.5, None, 0.25], positions=[7, 3, 2], n_units=9)
    assert (boundaries.positions.tolist(), boundaries.scores.tolist()) == ([2, 7], [0.25, 0.5])
    assert boundaries.at(-math.inf).boundaries.tolist() == [2, 7]  # where none can stand, none does
    assert boundaries.at(math.inf).n_segments == 1
    again = pickle.loads(pickle.dumps(boundaries))  # noqa: S301
    assert again == boundaries == ss.ScoredBoundaries([0.25, 0.5], positions=[2, 7], n_units=9)
    assert hash(boundaries) != hash(ss.ScoredBoundaries([0.25, 0.5]))
    with pytest.raises(ValueError, match="read-only"):
        boundaries.scores[0] = 1


@pytest.mark.parametrize(
    ("scores", "fields", "message"),
    [
        ([0.1, math.nan], {}, r"scores\[1\] is nan"),
        ([True], {}, r"scores\[0\] is True"),
        ([10**400], {}, "too large"),
        ([0.1, 0.2], {"positions": [1, 2]}, "n_units is None"),
        ([0.1, 0.2], {"positions": [3, 3], "n_units": 9}, "position 3 is listed twice"),
        ([0.1, 0.2], {"positions": [0, 3], "n_units": 9}, "position 0 is outside.*1 … 8"),
    ],
)
def test_wrong_scores(scores: Any, fields: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.ScoredBoundaries(scores, **fields)


def test_wrong_curves() -> None:
    ref = [ss.Segmentation.from_masses([2, 2])]
    with pytest.raises(ss.SegmentationError, match="document 0.*scores has 4"):
        ss.curve(ref, [[0.1, 0.2, 0.3, 0.4]])
    with pytest.raises(ss.SegmentationError, match="5.*same number"):
        ss.curve(ref, [ss.ScoredBoundaries([0.1] * 4)])
    with pytest.raises(ss.SegmentationError, match="takes many references"):
        ss.curve(ref, [[0.1] * 3], "multwindowdiff")
    made = ss.curve(ref, [[0.1] * 3], "f1", n_resamples=5)
    with pytest.raises(ss.SegmentationError, match="metric is 'pk'.*expected one of f1"):
        made.values("pk")
    with pytest.raises(ss.SegmentationError, match="threshold is"):
        made.at("high")  # type: ignore[arg-type]


# ---- files and the command ----


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, seed in (("test", 0), ("dev", 1)):
        refs, scores = many(seed=seed)
        ss.write(
            ss.Corpus.from_dict({d: {"gold": r} for d, r in refs.items()}),
            tmp_path / f"{name}.jsonl",
        )
        lines = [json.dumps({"document": d, "scores": row}) for d, row in scores.items()]
        (tmp_path / f"{name}-scores.jsonl").write_text("\n".join(lines) + "\n")
        rows = [f"{d},{p},{s}" for d, row in scores.items() for p, s in enumerate(row, 1)]
        (tmp_path / f"{name}-long.csv").write_text("\n".join(["document,position,score", *rows]))
        short = [row.split(",")[0] + "," + row.split(",")[2] for row in rows]
        (tmp_path / f"{name}-short.csv").write_text("\n".join(["document,score", *short]))
        ends = [json.dumps({"document": d, "scores": [*row, 9]}) for d, row in scores.items()]
        (tmp_path / f"{name}-ends.jsonl").write_text("\n".join(ends))
    return tmp_path


def test_files(folder: Path) -> None:
    _, scores = many()
    expected = {name: ss.ScoredBoundaries(row) for name, row in scores.items()}
    lengths = {name: boundaries.n_units for name, boundaries in expected.items()}
    assert ss.io.read_scores(folder / "test-scores.jsonl") == expected
    assert ss.io.read_scores(folder / "test-short.csv") == expected
    assert ss.io.read_scores(folder / "test-long.csv", lengths) == expected
    assert ss.io.read_scores(folder / "test-ends.jsonl", marks="end") == expected
    short = (folder / "test-short.csv").read_text().replace(",", ";").replace(".", ",")
    (folder / "commas.csv").write_text(short)  # as spreadsheets write it in many countries
    assert ss.io.read_scores(folder / "commas.csv") == expected
    made = ss.curve(folder / "test.jsonl", folder / "test-long.csv", "f1", n_resamples=9)
    assert made.thresholds.tolist() == ss.curve(*many(), "f1", n_resamples=9).thresholds.tolist()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"document": "a"}', "line 1.*scores"),
        ("a.jsonl", '{"document": "a", "scores": [1]}\n' * 2, "line 2.*document is 'a'.*once"),
        ("a.jsonl", '{"document": "a", "scores": [1, 2], "n_units": 2}', "marks='end'"),
        ("a.csv", "document,score\na,x\n", "line 2: score is 'x'"),
        ("a.csv", "document,position,score\na,0.5,1\n", "position is '0.5'"),
    ],
)
def test_wrong_files(tmp_path: Path, name: str, text: str | bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ss.SegmentationError, match=message):
        ss.io.read_scores(path)


# ---- A metric at several values of a parameter ----


cut = ss.Segmentation.from_masses
REFS = [cut([4, 4, 4]), cut([6, 6]), cut([3, 9]), cut([2, 3, 6])]
HYPS = [cut([5, 4, 3]), cut([6, 6]), cut([6, 6]), cut([5, 6])]


@given(st.lists(pairs(min_units=2), min_size=1, max_size=4), st.integers(2, 6))
def test_each_value_is_the_metric_by_itself(documents: Any, most: int) -> None:
    """Operations, too, are those of `boundary_edits`, which shares no code with the rows of B."""
    refs, hyps = ([pair[i] for pair in documents] for i in (0, 1))
    made = ss.curves.sweep(refs, hyps, "b", n_t=range(1, most), n_resamples=20)
    assert made.values == tuple(range(1, most))
    for point in made:
        metric = ss.BoundarySimilarity(n_t=point.value)
        assert point.metric == metric
        assert point.micro == ss.score(refs, hyps, metric)[metric].micro
        found = [ss.boundary_edits(*pair, n_t=point.value) for pair in documents]
        assert point.counts == {
            "matches": sum(len(edits.matches) for edits in found),
            "near_misses": sum(len(edits.transpositions) for edits in found),
            "full_misses": sum(len(edits.additions) for edits in found),
        }
    n_boundaries = sum(len(coding.boundaries) for coding in (*refs, *hyps))
    for counts in (point.counts for point in made):  # no boundary is lost at any value
        assert 2 * (counts["matches"] + counts["near_misses"]) + counts["full_misses"] == (
            n_boundaries
        )
    full = [point.counts["full_misses"] for point in made]
    assert full == sorted(full, reverse=True)  # a larger n_t never pairs fewer


def test_intervals_are_those_of_the_bootstrap() -> None:
    from segscore.significance.resampling import bootstrap_interval

    made = ss.curves.sweep(REFS, HYPS, "windowdiff", k=[2, 3, None], n_resamples=500, rng=3)
    for point in made:
        rows = ss.score(REFS, HYPS, point.metric)[point.metric].statistics.rows
        alone = bootstrap_interval(rows, point.metric.values, n_resamples=500, seed=3)
        assert point.ci == alone
        assert point.counts == dict(
            zip(("errors", "windows", "missed_errors"), rows.sum(axis=0).tolist(), strict=True)
        )


def test_parts_and_other_parameters_stay() -> None:
    made = ss.curves.sweep(REFS, HYPS, "b(cost=unit).precision", n_t=[2, 4])
    assert [str(point.metric) for point in made] == ["b(cost=unit).precision",
                                                     "b(n_t=4,cost=unit).precision"]  # fmt: skip
    typed = ss.Segmentation.from_boundaries([3], 9, types=["a"])
    other = ss.Segmentation.from_boundaries([3], 9, types=["b"])
    metric = ss.BoundarySimilarity(types=("a", "b"))
    assert ss.curves.sweep([typed], [other], metric, n_t=[2]).points[0].counts["substitutions"] == 1


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({}, "0 parameters.*sweep"),
        ({"n_t": [1], "cost": ["unit"]}, "2 parameters to sweep"),
        ({"k": [1]}, "no parameter is called 'k'"),
        ({"n_t": 3}, "n_t is 3: expected several values"),
        ({"n_t": [2, 3, 2]}, "n_t has 2 twice"),
        ({"n_t": [0]}, "n_t is 0"),
    ],
)
def test_refusals(parameters: Any, words: str) -> None:
    with pytest.raises(ss.SegmentationError, match=words):
        ss.curves.sweep(REFS, HYPS, "b", **parameters)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("n_t=1:3", [1, 2, 3]),
        ("n_t=1:10:4", [1, 5, 9]),
        ("k=2, 4,8", [2, 4, 8]),
        ("k=auto,60s", [None, "60s"]),
    ],
)
def test_values_as_written(text: str, values: list[Any]) -> None:
    assert parameter_values(text) == (text[: text.index("=")], values)


@pytest.mark.parametrize("text", ["n_t", "=3", "n_t=", "n_t=1:2:3:4", "n_t=a:b", "n_t=3:1",
                                  "n_t=1:2:0", "n_t=1:9999999999"])  # fmt: skip
def test_wrong_values_are_one_line(text: str) -> None:
    with pytest.raises(ss.SegmentationError, match="--vary is "):
        parameter_values(text)
