"""The commands that run segmenters: what they read, refuse, skip and say."""

import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.cli import run as command
from segscore.segmenters import BayesSeg, EmbeddingSegmenter
from segscore.segmenters.preprocessing import MIT

SEPARATOR = "=========="
CATS = ["Cats chase mice.", "Mice fear cats.", "A cat purrs at mice."]
STARS = ["Stars shine on moons.", "A star is far.", "Moons circle a star."]
Captured = pytest.CaptureFixture[str]


def choi(*segments: list[str], between: str = "\n") -> str:
    lines = [SEPARATOR]
    for segment in segments:
        lines += [*segment, SEPARATOR]
    return between.join(lines) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two texts, one of them in a subfolder, one in Choi's format, and something else."""
    (tmp_path / "texts" / "more").mkdir(parents=True)
    (tmp_path / "texts" / "a.txt").write_text(" ".join(CATS + STARS), "utf-8")
    (tmp_path / "texts" / "more" / "b.ref").write_text(choi(STARS, CATS), "utf-8")
    (tmp_path / "texts" / "image.png").write_bytes(b"\0")
    return tmp_path / "texts"


def segmented(capsys: Captured, *arguments: Any, code: int = 0) -> dict[str, dict[str, Any]]:
    """What `segscore segment` printed, by document."""
    assert command(["segment", *map(str, arguments)]) == code
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return {line["document"]: line for line in lines}


# ---- what is read ----


@pytest.mark.parametrize("text", [" ".join(CATS + STARS), choi(CATS, STARS)], ids=["text", "choi"])
def test_standard_input(text: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert segmented(capsys, "-", "-n", "2")["stdin"]["masses"] == [3, 3]


# ---- what is refused before the run ----


@pytest.fixture
def corpus(tmp_path: Path) -> list[str]:
    """Two documents with references, in two files `.dev`."""
    paths = [tmp_path / "d1.dev", tmp_path / "d2.dev"]
    paths[0].write_text(choi(CATS, STARS), "utf-8")
    paths[1].write_text(choi(STARS * 2, CATS * 2, STARS), "utf-8")
    return [str(path) for path in paths]


# ---- encoders ----

MODULE = """
calls = []

def letters(texts):
    calls.append(len(texts))
    return [[text.lower().count(letter) for letter in "acmsto"] for text in texts]

class Model:
    encode = staticmethod(letters)

number = 5
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module in the current folder, where the command finds it."""
    (tmp_path / "my_encoder.py").write_text(MODULE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield lambda: sys.modules["my_encoder"]
    sys.modules.pop("my_encoder", None)


def test_an_encoder_by_name(module: Any, corpus: list[str], capsys: Captured) -> None:
    found = segmented(capsys, *corpus, "--encoder", "my_encoder:letters", "-n", "2")
    expected = EmbeddingSegmenter(module().letters)(CATS + STARS, 2)
    assert found["d1"]["masses"] == expected.masses.tolist()
    assert found["d1"]["coder"] == "embedding"
    again = ["--encoder", "my_encoder:Model.encode", "--method", "embedding(method=c99)"]
    assert segmented(capsys, corpus[0], *again)["d1"]["coder"] == "embedding(method=c99)"


def test_each_text_is_encoded_once(module: Any, corpus: list[str], capsys: Captured) -> None:
    options = ["--encoder", "my_encoder:letters", "-m", "pk"]
    methods = ["--method", "embedding embedding(method=c99) embedding(method=tiling) c99"]
    assert command(["benchmark", *corpus, *options, *methods]) == 0
    assert module().calls == [6, 15]
    module().calls.clear()
    assert command(["benchmark", "--tune", *corpus, *options, "--method", "embedding"]) == 0
    assert module().calls == [6, 15]
    capsys.readouterr()
    module().calls.clear()  # and from Python
    encode = module().letters
    read = {name: document for path in corpus for name, document in ss.read(path).items()}
    both = {"dp": EmbeddingSegmenter(encode), "c99": EmbeddingSegmenter(encode, "c99")}
    cached = ss.segmenters.benchmark(read, both, metrics="pk")
    assert module().calls == [6, 15]
    for name, segment in both.items():
        for document, codings in read.items():
            wanted = codings["reference"].n_segments
            assert cached.segmentations[name][document] == segment(codings.units, wanted)  # type: ignore[arg-type]
    assert ss.segmenters.tune(read, EmbeddingSegmenter(encode)).best.score >= 0


def test_vectors_from_files(tmp_path: Path, corpus: list[str], capsys: Captured) -> None:
    first, second = (np.eye(2, dtype=np.float32)[[0] * n + [1] * m] for n, m in ((3, 3), (6, 9)))
    np.save(tmp_path / "one.npy", first)
    (tmp_path / "all").mkdir()
    np.save(tmp_path / "all" / "d1.npy", first)
    np.save(tmp_path / "all" / "d2.npy", second)
    np.savez(tmp_path / "all.npz", d1=first, d2=second)
    for encoder in ("all", "all.npz"):
        found = segmented(capsys, *corpus, "--encoder", tmp_path / encoder, "-n", "2")
        assert [row["masses"] for row in found.values()] == [[3, 3], [6, 9]]
    rows = segmented(capsys, corpus[0], "--encoder", tmp_path / "one.npy", "-n", "2")
    assert rows["d1"]["masses"] == [3, 3]


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        ("my_encoder", r"MODULE:FUNCTION.*\.npy"),
        ("my_encoder:other", "my_encoder has no 'other'"),
        ("pickled.npz", "expected arrays of NumPy"),
        ("one.npy", r"one\.npy.*document.*there are 2"),
        ("some.npz", r"some\.npz has no vectors of 'd2'"),
        ("short.npz", "document 'd1'.*an array.*2.*2"),
    ],
)
def test_encoders_that_are_refused(
    encoder: str, message: str, module: Any, corpus: list[str], tmp_path: Path, capsys: Captured
) -> None:
    del module
    np.save(tmp_path / "one.npy", np.eye(6))
    np.savez(tmp_path / "some.npz", d1=np.eye(6))
    np.savez(tmp_path / "short.npz", d1=np.eye(2), d2=np.eye(2))
    np.savez(tmp_path / "pickled.npz", d1=np.array([{}], dtype=object))
    assert command(["segment", *corpus, "--encoder", encoder]) == 2
    stderr = capsys.readouterr().err
    assert re.search(message, stderr)
    assert stderr.count("\n") == 1


# ---- the original programs ----


def test_presets(data: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """C99, BayesSeg and MinCutSeg as the originals, from the command line."""
    outputs = data / "reference_outputs"
    c99 = json.loads((outputs / "choi_c99.json").read_text("utf-8"))
    stop = ["--stop-words", data / "choi" / "STOPWORD.list"]
    files = sorted((data / "choi" / "1" / "3-5").glob("*.ref"))[:12]
    monkeypatch.delenv("SEGSCORE_DATA", raising=False)
    for number, key in ((["-n", 10], "c99_known"), ([], "c99_auto")):
        found = segmented(capsys, *files, "--method", "c99", "--preset", "choi2000", *stop, *number)
        for path in files:
            assert found[path.stem]["masses"] == c99[f"1/3-5/{path.name}"][key]
    assert command(["segment", str(files[0]), "--preset", "choi2000"]) == 2
    assert "SEGSCORE_DATA is not set" in capsys.readouterr().err
    assert command(["segment", str(files[0]), "--preset", "choi"]) == 2
    assert re.search("preset is 'choi'", capsys.readouterr().err)
    words = replace(MIT, stop_words=data / "choi" / "STOPWORD.list")
    texts = list(ss.read(files[0])[files[0].stem].units or ())
    arguments = [files[0], "--method", "bayesseg", "--preset", "mit", *stop, "-n", 10]
    masses = segmented(capsys, *arguments)[files[0].stem]["masses"]
    assert masses == BayesSeg(words)(texts, 10).masses.tolist()
