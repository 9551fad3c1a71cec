"""Segmentations of times know how long a unit is: parameters in time work on them, everywhere."""

import copy
import pickle
from pathlib import Path

import pytest

import segscore as ss
from segscore.errors import MetricWarning

from_times = ss.Segmentation.from_times
REF = from_times([0, 70, 245, 570], duration=720)
HYP = from_times([0, 72.5, 300, 571], duration=720)
F1 = "f1(tolerance=5s)"
SIGNATURE = "f1|tolerance:5s|beta:1|units:seconds:0.001|"


def test_one_pair() -> None:
    score = ss.metric(F1)(REF, HYP)
    assert score == 2 / 3  # 70 and 72.5 s, 570 and 571 s
    assert score.tp == 2
    assert score.signature.startswith(SIGNATURE)
    assert ss.metric("f1(tolerance=1s)")(REF, HYP) == 1 / 3  # at the tolerance itself they match
    assert ss.metric("f1(tolerance=1s,strict=yes)")(REF, HYP) == 0
    assert ss.metric(f"{F1}.recall")(REF, HYP) == 2 / 3
    window = ss.metric("windowdiff(k=60s)")(REF, HYP)
    assert window == ss.WindowDiff(k=60_000)(REF, HYP)
    assert window.k == 60_000
    assert ss.metric("multf1(tolerance=5s)")([REF, REF], HYP) == 2 / 3


def test_many_pairs() -> None:
    """Sequences, mappings, corpora, sums and curves."""
    corpus = ss.Corpus.from_dict({"talk": {"ann": REF, "ours": HYP}})
    acc = ss.Accumulator([F1])
    acc.update([REF], [HYP])
    results = [
        ss.score([REF], [HYP], F1),
        ss.score({"talk": REF}, {"talk": HYP}, F1),
        ss.score(corpus, reference="ann", metrics=F1),
        acc.result(),
    ]
    for result in results:
        assert result[F1].micro == 2 / 3
        assert result[F1].micro.signature.startswith(SIGNATURE)
    compared = ss.compare({"talk": REF}, systems={"ours": {"talk": HYP}}, metrics=F1, baselines=())
    assert compared["ours", F1].value == 2 / 3
    masked = ss.score([REF], [HYP], F1, mask=[("240s", "310s")])
    assert masked[F1].micro == 1  # 245 and 300 s become one place


def test_files_keep_it(tmp_path: Path) -> None:
    ss.write(ss.Corpus.from_dict({"talk": {"ann": REF, "ours": HYP}}), tmp_path / "x.jsonl")
    assert ss.score(tmp_path / "x.jsonl", reference="ann", metrics=F1)[F1].micro == 2 / 3


def test_copies_keep_it_and_equality_does_not_look_at_it() -> None:
    kept = [
        pickle.loads(pickle.dumps(REF)),  # noqa: S301
        copy.deepcopy(REF), REF.mirror(),
        REF.with_segment_labels(list("abcd")), ss.Levels([from_times([0, 5], 720), REF]),
        from_times([0, 70], 720, segment_labels=["a", "b"]),
    ]  # fmt: skip
    assert [coding.unit_length for coding in kept] == [1000] * len(kept)
    same = ss.Segmentation.from_masses(REF.masses.tolist())
    assert same == REF
    assert hash(same) == hash(REF)
    assert same.unit_length is None
    assert ss.metric(F1)(REF, ss.Segmentation.from_masses(HYP.masses.tolist())) == 2 / 3
    assert from_times([0, 5], 10, 5).expand([5, 5]).unit_length is None  # other units


def test_other_units_are_refused() -> None:
    seconds, minutes = from_times([0, 5], 10, 1), from_times([0, 300], 600, 60)
    assert seconds.n_units == minutes.n_units
    with pytest.raises(ss.SegmentationError, match="units are seconds:1.*seconds:60"):
        ss.WindowDiff()(seconds, minutes)
    with pytest.raises(ss.SegmentationError, match="seconds:1.*seconds:60"):
        ss.score([seconds, minutes], [seconds, minutes])
    with pytest.raises(ss.SegmentationError, match="cannot put codings"):
        ss.Corpus.from_dict({"a": {"x": seconds}, "b": {"x": minutes}})
    with pytest.raises(ss.SegmentationError, match="levels have units.*1 s.*60 s"):
        ss.Levels([seconds, minutes])
    plain = ss.Segmentation.from_masses([5, 5])
    with pytest.raises(ss.SegmentationError, match="no known duration .*Segmentation.from_times"):
        ss.metric(F1)(plain, plain)


def test_a_first_segment_that_is_not_at_0_is_told() -> None:
    with pytest.warns(UserWarning, match="5 s.*0.*added before"):
        found = from_times([5, 20], duration=30, resolution=1)
    assert found.masses.tolist() == [5, 15, 10]
    assert from_times([0, 5, 20], duration=30, resolution=1) == found  # 0 is given: no warning
    assert from_times([], duration=30, resolution=1).masses.tolist() == [30]


def test_coarse_units_are_warned_of() -> None:
    """70 and 75.4 s are more than 5 s apart; in whole seconds they are not."""
    times = ([0, 70], 100), ([0, 75.4], 100)
    coarse = [from_times(*arguments, resolution=1) for arguments in times]
    with pytest.warns(MetricWarning, match="tolerance is 5s.*unit has 1"):
        assert ss.metric(F1)(*coarse) == 1
    with pytest.warns(MetricWarning, match=r"if times were rounded .* units='seconds:0.001'"):
        assert ss.score([coarse[0]], [coarse[1]], F1)[F1].micro == 1
    for resolution in (0.5, 0.001):  # half a second is a tenth, and no more
        assert (
            ss.metric(F1)(*(from_times(*arguments, resolution=resolution) for arguments in times))
            == 0
        )
    ss.metric("f1(tolerance=0s)")(*coarse)
    ss.metric("windowdiff(k=5s)")(*coarse)
