"""The corpora that papers use, read from the folder of data."""

from collections.abc import Iterable, Mapping

from segscore.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.io import read
from segscore.io.csv_cells import rows
from segscore.io.files import Source
from segscore.papers.published import Run
from segscore.segmentation import Segmentation
from segscore.segmenters import Preprocessing
from segscore.text.unit_splitting import units_of

Codings = Mapping[str, Segmentation]  # by coder

_GOES_ON = "He had a fine commanding voice"  # a paragraph in the text, and none in the codings


def moonstone(run: Run) -> dict[int, Codings]:
    """The Moonstone (Kazantseva & Szpakowicz 2012), by chapter; coders are local to a chapter."""
    chapters: dict[int, Codings] = {}
    for path in run.folder("moonstone").glob("segmentations/ch*.csv"):
        (codings,) = read(path, "wide", coders="local").values()
        chapters[int(path.stem.removeprefix("ch"))] = dict(codings)
    if not chapters:
        raise SegmentationError(f"no segmentations/ch*.csv in {run.folder('moonstone')}")
    return dict(sorted(chapters.items()))


def moonstone_paragraphs(run: Run) -> dict[int, list[str]]:
    """The text of The Moonstone by chapter, a unit per paragraph, as the codings have them.

    The text of chapter 11 has a paragraph more than its codings. Ours is the reading that one which
    goes on with what the one before it begins to describe is part of that.
    """
    chapters: dict[int, list[str]] = {}
    for chapter, codings in run.shared(moonstone).items():
        path = run.folder("moonstone") / "text" / f"ch{chapter}.txt"
        text = Source(path, path.stem, coder="", encoding="cp1252").read_text()
        found = units_of(text, "paragraphs")
        goes_on = [i for i, one in enumerate(found) if one.startswith(_GOES_ON)]
        for index in goes_on:
            found[index - 1 : index + 1] = [f"{found[index - 1]} {found[index]}"]
        expected = next(iter(codings.values())).n_units
        if len(found) != expected:
            raise SegmentationError(
                f"{path.name} has {len(found)} paragraphs: expected {expected}, as its codings have"
            )
        chapters[chapter] = found
    return chapters


def choi(run: Run, subset: str) -> list[Segmentation]:
    """References of a subset of Choi (2000), e.g. "3-11", counted in words.

    Candidates are the ends of lines: a line is a sentence, and no excerpt ends inside one.
    """
    return [
        document["reference"].expand([len(line.split()) for line in document.units or ()])
        for document in _choi_documents(run, subset)
    ]


def choi_lines(run: Run, subset: str) -> list[list[str]]:
    """The lines of the same documents, in the same order."""
    return [list(document.units or ()) for document in _choi_documents(run, subset)]


def choi_sets(run: Run, subset: str) -> list[str]:
    """The set that each of these documents belongs to: 1, 2 or 3."""
    folders = sorted(run.folder("choi").glob(f"*/{subset}"))
    return [folder.parent.name for folder in folders for _ in read(folder, "choi")]


def choi_preprocessing(run: Run) -> Preprocessing:
    """Words as Choi's own program saw them: his stop list, Porter's stemmer."""
    return Preprocessing("choi", run.folder("choi") / "STOPWORD.list", "porter")


def _choi_documents(run: Run, subset: str) -> list[Document]:
    folders = sorted(run.folder("choi").glob(f"*/{subset}"))
    made = [document for folder in folders for document in read(folder, "choi").values()]
    if not made:
        raise SegmentationError(f"no */{subset} in {run.folder('choi')}")
    return made


GROUPS = {  # who coded which chapters of The Moonstone
    1: (1, 3, 4, 11),
    2: (2, 5, 8, 10),
    3: (7, 9, 12, 13),
    4: (14, 15, 16, 20),
    5: (17, 18, 19, 21),
}


def moonstone_corpus(chapters: Mapping[int, Codings]) -> Corpus:
    """The chapters as a corpus, with their groups."""
    groups = {str(chapter): str(group) for group, found in GROUPS.items() for chapter in found}
    return Corpus.from_dict(
        {str(chapter): codings for chapter, codings in chapters.items()},
        coders="local",
        groups={name: group for name, group in groups.items() if int(name) in chapters},
    )


def kubla_khan(run: Run) -> Corpus:
    """Kubla Khan (Fournier 2013, poetry): nine people, who also labelled their segments."""
    folder = run.folder("kubla_khan")
    corpus = read(folder / "codings.json")
    (name,) = corpus
    labels: dict[str, list[list[str]]] = {}
    for _, (coder, *segments) in rows(Source(folder / "labels.csv", name, coder="")):
        labels[coder] = [text.strip().split("/") for text in segments]
    return corpus.with_details(labels={name: labels})


def longer_by_one(codings: Codings) -> Codings:
    """The codings of a text that has one more unit at its end, in everyone's last segment."""
    return {coder: _with_last(made.masses.tolist()) for coder, made in codings.items()}


def _with_last(masses: Iterable[int]) -> Segmentation:
    *others, last = masses
    return Segmentation.from_masses([*others, last + 1])
