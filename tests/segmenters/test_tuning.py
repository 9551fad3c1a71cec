"""Tuning: what is tried, what is best, from Python and from the command line."""

from collections.abc import Iterable
from typing import Any

import pytest

import segscore as ss
from segscore import segmenters
from segscore.segmenters.by_name import with_parameters, written

CATS, STARS, TREES = "cats chase mice", "stars shine bright", "trees grow leaves"


def corpus(n_documents: int = 3) -> ss.Corpus:
    """Documents of three segments, each of a few units about one thing."""
    masses = [[4 + i, 3, 5] for i in range(n_documents)]
    units = {f"d{i}": [CATS] * a + [STARS] * b + [TREES] * c for i, (a, b, c) in enumerate(masses)}
    codings = {
        f"d{i}": {"gold": ss.Segmentation.from_masses(sizes)} for i, sizes in enumerate(masses)
    }
    return ss.Corpus.from_dict(codings, units=units)


def test_the_best_is_the_best_of_what_was_tried() -> None:
    grid = {"preference": [-50, -0.5, 2.0], "window": [0.3, 0.9]}
    found = segmenters.tune(corpus(), "aps", grid=grid, average="macro")
    assert [trial.spec for trial in found.trials][:4] == [
        "aps", "aps(preference=-50)", "aps(preference=-0.5)", "aps(preference=2.0)",
    ]  # fmt: skip
    assert found.best.score == min(trial.score for trial in found.trials)
    assert found.trials[3].n_segments > found.trials[1].n_segments
    for trial in found.trials:  # what is written can be read, and does what it did
        tried = segmenters.segmenter(trial.spec)
        assert tried == trial.segmenter
        errors = [
            ss.WindowDiff()(document["gold"], tried(list(document.units or ())))
            for document in corpus().values()
        ]
        assert trial.score == pytest.approx(sum(errors) / 3)


class Remembers(segmenters.Segmenter):
    """Cannot be tuned: no dataclass."""

    name = "remembers"

    def _segment(self, units: list[str], n_segments: int | None) -> ss.Segmentation:
        del n_segments
        return ss.Segmentation.from_boundaries([1], len(units))


def test_coordinates_go_round_until_nothing_improves() -> None:
    """B of a hand-made landscape: the best of one parameter depends on the other."""
    method, grid = segmenters.TextTiling(w=None, k=1), {"k": [1, 2, 3], "cutoff": ["HC", "LC"]}
    found = segmenters.tune(corpus(1), method, "b", grid=grid)
    tried = {(trial.segmenter.k, trial.segmenter.cutoff) for trial in found.trials}  # type: ignore[attr-defined]
    assert len(tried) == len(found.trials)  # nothing twice
    best = found.best.segmenter
    assert {(k, best.cutoff) for k in (1, 2, 3)} <= tried  # type: ignore[attr-defined]
    assert {(best.k, cutoff) for cutoff in ("HC", "LC")} <= tried  # type: ignore[attr-defined]
    assert found.best.score == max(trial.score for trial in found.trials)  # B: higher is better
    everything = segmenters.tune(corpus(1), method, "b", grid=grid, search="grid")
    assert len(everything.trials) == 6
    assert everything.best.score >= found.best.score


def test_the_number_of_segments() -> None:
    """A method that needs it is told that of the reference; others decide, unless told."""
    given = segmenters.tune(corpus(), "mincutseg", grid={"horizon": [1, 2]})
    assert {trial.n_segments for trial in given.trials} == {3.0}
    assert {trial.n_segments for trial in segmenters.tune(corpus(), "bisect").trials} != {3.0}
    fixed = segmenters.tune(corpus(), "c99", grid={"radius": [3]}, n_segments=2)
    assert {trial.n_segments for trial in fixed.trials} == {2.0}
    known = segmenters.tune(corpus(), "aps", grid={"window": [0.5]}, n_segments="reference")
    assert {trial.n_segments for trial in known.trials} == {3.0}


def test_processes_give_what_one_gives() -> None:
    grid = {"horizon": [1, 2], "alpha": [0.5, 1.5]}
    alone, several = (segmenters.tune(corpus(), "mincutseg", grid=grid, workers=n) for n in (1, 2))

    def plain(trials: Iterable[segmenters.Trial]) -> list[tuple[str, float]]:
        return [(trial.spec, trial.score) for trial in trials]

    assert plain(alone.trials) == plain(several.trials)
    assert len(alone.trials) == 5


@pytest.mark.parametrize("name", segmenters.SEGMENTERS)
def test_every_segmenter_that_has_parameters_offers_a_grid(name: str) -> None:
    make = segmenters.SEGMENTERS[name]
    kind = getattr(make, "func", make)
    if name in ("cwm", "hcwm", "embedding"):  # they need the file of a space, or an encoder
        assert kind.grid
        return
    for key, values in kind.grid.items():
        for value in values:
            assert getattr(segmenters.segmenter(with_parameters(name, {key: value})), key) == value
    if name not in ("none", "all", "uniform", "random", "utiyama-isahara"):
        assert kind.grid


def test_how_segmenters_are_written() -> None:
    assert written(segmenters.C99()) == "c99"
    assert written(segmenters.APS(preference=-2.5, window=0.9)) == "aps(preference=-2.5,window=0.9)"
    assert written(segmenters.MinCutSeg(skip_adjacent=False)) == "mincutseg(skip_adjacent=no)"
    assert written(segmenters.EmbeddingSegmenter(len, "c99")) == "embedding(method=c99)"
    lengths = segmenters.segmenter("greedy-bayes(levels=2,expected_lengths=5/20)")
    assert segmenters.segmenter(written(lengths)) == lengths
    assert with_parameters("hc99", {}) == "hc99"
    assert with_parameters("cwm(space=a.npz, c=1)", {"c": 2.5}) == "cwm(space=a.npz,c=2.5)"


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("aps", {"grid": {"window": [7]}}, "window is 7: expected 0 … 1"),
        (Remembers(), {}, "segmenter with parameters"),
        (len, {}, "tuned by none.*separator"),
    ],
)
def test_what_cannot_be_tuned(method: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        segmenters.tune(corpus(), method, **options)
    with pytest.raises(ss.SegmentationError, match="corpus is {}"):
        segmenters.tune({}, "aps")
