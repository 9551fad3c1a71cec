"""How units were formed stands in every signature, and gives parameters in time their meaning."""

import copy
import json
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore.cli import run
from segscore.corpus.provenance import Provenance

masses = ss.Segmentation.from_masses


def srt(*starts: int, end: int) -> str:
    """Subtitles: a cue per segment, without gaps between cues."""
    edges = [*starts, end]
    cues = pairwise(edges)
    return "\n".join(
        f"{i}\n{_clock(a)} --> {_clock(b)}\nsegment {i}\n" for i, (a, b) in enumerate(cues, 1)
    )


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},000"


@pytest.fixture
def talks(tmp_path: Path) -> tuple[Path, Path]:
    """The same talk, cut by a person and by a system."""
    for side, starts in (("ref", (0, 240, 600, 900)), ("hyp", (0, 255, 480, 920))):
        (tmp_path / side).mkdir()
        (tmp_path / side / "talk.srt").write_text(srt(*starts, end=1200))
    return tmp_path / "ref", tmp_path / "hyp"


def read(path: Path, units: str, policy: str = "keep-start") -> ss.Corpus:
    options: dict[str, Any] = {"policy": policy, "remark": lambda message: None}
    return ss.read(path, units=units, coder=path.name, **options)


def test_units_stand_in_every_table(
    talks: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    sides = list(map(str, talks))
    options = ["--units", "seconds:1:3600", "--read", "policy=snap"]
    for command in (
        ["score", *sides, "--per-document"],
        ["audit", *sides],
        ["compare", *sides, "--resamples", "20"],
    ):
        assert run([*command, *options]) == 0
        assert "seconds:1:3600" in capsys.readouterr().out, command
    assert run(["score", *sides, *options, "-f", "json"]) == 0
    assert all(
        "|units:seconds:1:3600|policy:snap|" in row["signature"]
        for row in json.loads(capsys.readouterr().out)
    )


def test_plain_files_add_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"document":"a","coder":"b","masses":[1,2]}\n')
    assert ss.score(path, path, "pk")["pk"].micro.signature == ss.Pk().signature("micro")
    with pytest.warns(ss.io.ReadingWarning, match="is not used"):
        assert not ss.read(path, units="seconds:6").provenance


def test_it_travels(talks: tuple[Path, Path]) -> None:
    corpus = read(talks[0], "seconds:6.0:1200")
    people = corpus.merged(read(talks[1], "seconds:6"))
    assert "|units:seconds:6:1200+seconds:6|" in ss.agreement(people).signature
    known = Provenance(("seconds:6:1200",), ("keep-start",))
    for variant in (
        corpus, corpus.select(coders=["ref"]), corpus.with_details(kinds={"ref": "person"}),
        corpus.merged(corpus.from_dict({})), copy.copy(corpus), pickle.loads(pickle.dumps(corpus)),  # noqa: S301
    ):  # fmt: skip
        assert variant.provenance == known
        assert variant["talk"].provenance == known
    loose = {"talk": corpus["talk"]}
    assert ss.score(loose, loose, "f1").provenance == known
    assert ss.compare(loose, systems={"s": loose}, n_resamples=20).provenance == known
    score = ss.score(corpus, corpus, "f1")["f1"]["talk"]
    assert pickle.loads(pickle.dumps(score)).signature == score.signature  # noqa: S301
    assert score.statistics is not None
    assert score.statistics.provenance == known


# ---- numbers of different units ----


def test_units_of_different_sizes_are_not_mixed(talks: tuple[Path, Path]) -> None:
    one_second, six_seconds = (
        ss.score(*(read(s, u) for s in talks), "pk")["pk"] for u in ("seconds:1", "seconds:6")
    )
    with pytest.raises(ss.SegmentationError, match="units are seconds:1"):
        one_second.micro.statistics + six_seconds.micro.statistics
    long = ss.score(*(read(s, "seconds:1:3600") for s in talks), "pk")["pk"]
    assert one_second.statistics.sum().provenance == Provenance(("seconds:1",), ("keep-start",))
    both = one_second.statistics.sum() + long.statistics.sum()
    assert both.provenance.fields["units"] == "seconds:1+seconds:1:3600"
    refs = read(talks[0], "seconds:1")
    with pytest.raises(ss.SegmentationError, match="cannot pair .* system 's'"):
        ss.compare(refs, systems={"s": read(talks[1], "seconds:6")}, n_resamples=20)
    with pytest.raises(ss.SegmentationError, match="units are seconds:1"):
        refs.merged(read(talks[1], "seconds:6"))


def test_sides_with_different_layers_are_joined() -> None:
    a = Provenance.of("seconds:6", "snap", "gold|tier")
    b = Provenance.of("seconds:6.0", "keep-start", "sys")
    joined = a.joined(b, "x")
    assert joined.fields == {
        "units": "seconds:6", "policy": "snap+keep-start", "layer": "gold%7Ctier+sys"
    }  # fmt: skip
    assert ss.metric(ss.Pk().signature(provenance=joined)) == ss.Pk()
    assert a.joined(Provenance(), "x") == Provenance().joined(a, "x") == a
    with pytest.raises(ss.SegmentationError, match="sentences on one side"):
        Provenance.of("sentences").joined(Provenance.of("words"), "x")
    assert str(joined) == "units seconds:6, policy snap+keep-start, layer gold%7Ctier+sys"


# ---- parameters in time ----


def pairs(units: str) -> ss.Pairs:
    sides = [masses([10, 10, 10])], [masses([13, 12, 5])]
    return ss.Pairs.of(*sides, provenance=Provenance.of(units))


@pytest.mark.parametrize(
    ("units", "in_time", "in_units"),
    [
        ("seconds:6", "f1(tolerance=18s)", "f1(tolerance=3)"),
        ("seconds:6", "f1(tolerance=17.9s)", "f1(tolerance=2)"),  # as many as fit
        ("seconds:6", "f1(tolerance=0.5min)", "f1(tolerance=5)"),
        ("seconds:0.5", "f1(tolerance=1500ms)", "f1(tolerance=3)"),
        ("seconds:6", "pk(k=24s)", "pk(k=4)"),
        ("seconds:6", "wd(k=27s)", "wd(k=4)"),  # the nearest, half to even
        ("seconds:6", "wd(k=33s)", "wd(k=6)"),
        ("seconds:6", "wd(k=27.1s)", "wd(k=5)"),
        ("seconds:6", "multwindowdiff(k=24s)", "multwindowdiff(k=4)"),
        ("seconds:6", "e-f1(tolerance=18s)", "e-f1(tolerance=3)"),
    ],
)
@pytest.mark.filterwarnings("ignore:tolerance is:segscore.errors.MetricWarning")
def test_a_parameter_in_time(units: str, in_time: str, in_units: str) -> None:
    result = ss.score(pairs(units), metrics=[in_time, in_units])
    assert result[in_time].micro == result[in_units].micro
    assert result[in_time][0].parts == result[in_units][0].parts
    metric = result[in_time].metric
    assert ss.metric(result[in_time].micro.signature) == ss.metric(str(metric)) == metric
    for call in (
        lambda: metric(masses([2, 3]), masses([1, 4])),
        lambda: ss.score([masses([2, 3])], [masses([1, 4])], metric),
    ):
        with pytest.raises(ss.SegmentationError, match="no known duration"):
            call()


def test_times_that_make_no_sense() -> None:
    assert ss.BoundaryMatch("1min") == ss.BoundaryMatch("60s") == ss.metric("f1(tolerance=60 s)")
    for text, message in (
        ("f1(tolerance=30x)", "tolerance is '30x'"),
        ("wd(k=1s)", "k is '1s'.*unit has 6 s"),
        ("wd(k=0s)", "k is '0s'.*unit"),
        ("wd(k=60s,min_k=2)", "k is 60s.*min_k is 2.*min_k"),
    ):
        with pytest.raises(ss.SegmentationError, match=message):
            ss.score(pairs("seconds:6"), metrics=text)
    for units in ("tier:words", "sentences"):
        with pytest.raises(ss.SegmentationError, match=f"no known duration .units are {units}"):
            ss.score(pairs(units), metrics="f1(tolerance=30s)")
