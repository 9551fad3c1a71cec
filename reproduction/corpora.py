"""The corpora that papers use, as `segscore.datasets` reads them, from the folders of a run."""

from collections.abc import Iterable, Mapping

from reproduction.published import Run
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.datasets import loading
from segscore.datasets.loading import GROUP_OF
from segscore.errors import SegmentationError
from segscore.io.reading import read
from segscore.segmenters.preprocessing import Preprocessing

ByCoder = Mapping[str, Segmentation]  # by coder

REPAIRED_CHAPTER = 20  # its file has one paragraph less than the text
REPAIRED = "chapter 20 has a last paragraph that the data does not have, as papers print"


def _moonstone(run: Run) -> Corpus:
    """The Moonstone, read once for codings and texts."""
    return loading.moonstone(run.folder("moonstone"))


def moonstone(run: Run) -> dict[int, ByCoder]:
    """The Moonstone (Kazantseva & Szpakowicz 2012), by chapter; coders are local to a chapter."""
    return {int(name): dict(document) for name, document in run.shared(_moonstone).items()}


def moonstone_repaired(run: Run) -> dict[int, ByCoder]:
    """The Moonstone as the papers had it: with the last paragraph of chapter 20."""
    chapters = dict(run.shared(moonstone))
    if REPAIRED_CHAPTER in chapters:
        chapters[REPAIRED_CHAPTER] = longer_by_one(chapters[REPAIRED_CHAPTER])
    return chapters


def moonstone_paragraphs(run: Run) -> dict[int, list[str]]:
    """The text of The Moonstone by chapter, a unit per paragraph, as the codings have them."""
    return {
        int(name): list(document.units or ()) for name, document in run.shared(_moonstone).items()
    }


def choi(run: Run, subset: str) -> list[Segmentation]:
    """References of a subset of Choi (2000), e.g. "3-11", counted in words.

    Candidates are the ends of lines: a line is a sentence, and no excerpt ends inside one.
    """
    return [
        document["reference"].expand([len(line.split()) for line in document.units or ()])
        for document in _choi_documents(run, subset)
    ]


def choi_lines(run: Run, subset: str) -> list[list[str]]:
    """The lines of the documents that `choi` returns, in the same order."""
    return [list(document.units or ()) for document in _choi_documents(run, subset)]


def choi_sets(run: Run, subset: str) -> list[str]:
    """The set that each document of a subset belongs to: 1, 2 or 3."""
    folders = sorted(run.folder("choi").glob(f"*/{subset}"))
    return [folder.parent.name for folder in folders for _ in read(folder, "choi")]


def choi_preprocessing(run: Run) -> Preprocessing:
    """Words as Choi's own program saw them: its stop list, Porter's stemmer."""
    return Preprocessing("choi", run.folder("choi") / "STOPWORD.list", "porter")


def _choi_documents(run: Run, subset: str) -> list[Document]:
    folders = sorted(run.folder("choi").glob(f"*/{subset}"))
    documents = [document for folder in folders for document in read(folder, "choi").values()]
    if not documents:
        raise SegmentationError(f"no */{subset} in {run.folder('choi')}")
    return documents


def moonstone_corpus(chapters: Mapping[int, ByCoder]) -> Corpus:
    """The chapters as a corpus, with their groups."""
    return Corpus.from_dict(
        {str(chapter): codings for chapter, codings in chapters.items()},
        coders="local",
        groups={name: group for name, group in GROUP_OF.items() if int(name) in chapters},
    )


def kubla_khan(run: Run) -> Corpus:
    """Kubla Khan (Fournier 2013, poetry), with segmentations and labels by nine people."""
    return loading.kubla_khan(run.folder("kubla_khan"))


def longer_by_one(codings: ByCoder) -> ByCoder:
    """The codings of a text that has one more unit at its end, in everyone's last segment."""
    return {coder: _with_last(coding.masses.tolist()) for coder, coding in codings.items()}


def _with_last(masses: Iterable[int]) -> Segmentation:
    *others, last = masses
    return Segmentation.from_masses([*others, last + 1])
