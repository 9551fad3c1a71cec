"""What is written is read back, equal in everything; what a format cannot hold, it refuses."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import segscore as ss
from corpora import corpora, names, plain_names
from needs import where_needed
from segscore.corpus.record import Record
from segscore.io.format import FEATURES, features
from segscore.io.format import WRITTEN as FORMATS

pytestmark = pytest.mark.filterwarnings("ignore:.*taken as not coded")

file_names = st.text("abcXYZ012_é ", min_size=1, max_size=6).filter(lambda s: s.strip() == s)
# Which names the files and lines of a format can bear; what else is refused, see below.
NAMES: dict[str, tuple[Any, Any]] = {
    "jsonl": (names, names),
    "segeval-json": (names, names),
    "csv": (names.filter(lambda s: "\0" not in s), names.filter(lambda s: "\0" not in s)),
    "gaps": (plain_names, plain_names),
    "segeval-tsv": (file_names, names.filter(lambda s: "\0" not in s)),
    "wide": (file_names, plain_names),
    "sheet": (plain_names, plain_names),
    "levels": (file_names, file_names),
    "choi": (file_names, st.just("reference")),
    "label-studio": (names, names),
}


def there_and_back(corpus: ss.Corpus, name: str) -> ss.Corpus:
    kind = FORMATS[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("out" + (kind.suffixes[0] if kind.write or kind.save else ""))
        ss.write(corpus, path, name)
        again = ss.read(path)  # recognised, too
        assert again == ss.read(path, name)
        return again


@pytest.mark.parametrize("name", where_needed(FORMATS, {"sheet": "excel"}))
def test_write_then_read_is_identity(name: str) -> None:
    document, coder = NAMES[name]

    @settings(suppress_health_check=[HealthCheck.too_slow])
    @given(corpora(FORMATS[name].holds - {"units"} if name == "choi" else FORMATS[name].holds,
                   document, coder))  # fmt: skip
    def check(corpus: ss.Corpus) -> None:
        assume(name != "sheet" or all(map(fits_a_sheet, corpus.values())))
        assume(name != "csv" or not has_nul(corpus))
        corpus = prepared(corpus, name)
        assert there_and_back(corpus, name) == corpus

    check()


def fits_a_sheet(document: ss.Document) -> bool:
    """Whether a sheet can hold the texts: one at least is not empty, and XML can have them all."""
    texts = "".join(document.units or ["x"])
    return bool(texts) and not set(texts) & set("\0\ufffe\uffff")


def has_nul(corpus: ss.Corpus) -> bool:
    """Whether a type, a label or a group has a character that no cell can hold."""
    texts = [(record.group, record.labels) for record in corpus.records()]
    return "\\x00" in repr((texts, type_names(corpus)))


def type_names(corpus: ss.Corpus) -> set[str]:
    codings = [coding for document in corpus.values() for coding in document.values()]
    return {str(name) for coding in codings for kinds in coding.types or () for name in kinds}


def prepared(corpus: ss.Corpus, name: str) -> ss.Corpus:
    """What a format insists on: text in Choi's and Label Studio's, labels in the latter, ranks in
    levels, more than [] for typed sets."""
    if name == "label-studio":
        rows = []
        for record in corpus.records():
            labels = [
                names or {"Segment"}
                for names in record.labels or [()] * record.segmentation.n_segments
            ]
            units = [f" {i} " for i in range(record.n_units)]
            coding = ss.Segmentation.from_masses(record.segmentation.masses)
            rows.append(Record(record.document, record.coder, coding, units, labels))
        return ss.Corpus.from_rows(rows)
    if name == "choi":
        return corpus.with_details(
            units={
                document.name: [f" {i} " for i in range(document.n_units)]
                for document in corpus.values()
            }
        )
    rows = []
    for record in corpus.records():
        coding = record.segmentation
        assert coding is not None or name in ("jsonl", "sheet")
        if name == "levels" and coding is not None and coding.ranks is None:
            coding = ss.Segmentation.from_boundaries(
                coding.boundaries, coding.n_units, ranks=coding.boundaries % 3 + 1
            )
        if name == "segeval-json" and coding is not None and coding.n_units == 1:
            coding = ss.Segmentation.from_masses([1])
        rows.append(
            Record(record.document, record.coder, coding, record.units, record.labels, record.kind,
                   record.group, record.local)
        )  # fmt: skip
    return ss.Corpus.from_rows(rows)


@pytest.mark.parametrize("name", FORMATS)
@given(corpus=corpora(frozenset(FEATURES)))
@settings(max_examples=25)
def test_any_corpus_comes_back_or_is_refused(name: str, corpus: ss.Corpus) -> None:
    """Hostile names and all: either the same corpus, or an error, and then no file."""
    kind = FORMATS[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("out" + (kind.suffixes[0] if kind.write or kind.save else ""))
        try:
            ss.write(corpus, path, name)
        except ss.SegmentationError:
            assert list(Path(folder).iterdir()) == []
        else:
            assert name == "label-studio" or ss.read(path, name) == corpus  # which invents labels


@given(corpora(frozenset(FEATURES)))
def test_lossy_leaves_out_what_the_format_cannot_hold(corpus: ss.Corpus) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out.json"
        try:
            ss.write(corpus, path, lossy=True)
        except ss.SegmentationError as error:
            assert "one unit with types" in str(error)  # noqa: PT017
            return
        again = ss.read(path)
    assert all(features(record) <= {"types"} for record in again.records())
    assert {
        (name, coder): coding.boundaries.tolist()
        for name, document in corpus.items()
        for coder, coding in document.items()
    } == {
        (name, coder): coding.boundaries.tolist()
        for name, document in again.items()
        for coder, coding in document.items()
    }


@pytest.mark.parametrize("name", ["gaps", "wide", "levels", "segeval-json"])
def test_vast_documents_are_not_spelled_out(name: str, tmp_path: Path) -> None:
    row = {"document": "d", "coder": "c", "masses": [10**11, 10**12], "ranks": [1]}
    if name == "segeval-json":
        row["types"] = ["a"]
    corpus = ss.Corpus.from_rows([row])
    with pytest.raises(ss.SegmentationError, match="1100000000000 units: .* at most 10000000"):
        ss.write(corpus, tmp_path / "out.x", name, lossy=True)
    ss.write(corpus, tmp_path / "out.jsonl")
    assert ss.read(tmp_path / "out.jsonl") == corpus
