"""The corpora that papers use, as `segscore.datasets` reads them, from the folders of a run."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from reproduction.runs import Run
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.datasets import loading
from segscore.datasets.loading import GROUP_OF
from segscore.errors import SegmentationError
from segscore.io.reading import read
from segscore.segmenters.preprocessing import Preprocessing

ByCoder = Mapping[str, Segmentation]  # by coder

REPAIRED_CHAPTER = 20  # its file has one paragraph less than the text


@cache
def moonstone_texts(run: Run) -> Corpus:
    """The Moonstone (Kazantseva & Szpakowicz 2012) with its texts."""
    return loading.moonstone(run.folder("moonstone"))


@cache
def moonstone(run: Run) -> dict[int, ByCoder]:
    """The codings of The Moonstone, by chapter; coders are local to a chapter."""
    return {int(name): dict(document) for name, document in moonstone_texts(run).items()}


@cache
def moonstone_repaired(run: Run) -> dict[int, ByCoder]:
    """The Moonstone as the papers had it: with the last paragraph of chapter 20."""
    chapters = dict(moonstone(run))
    if REPAIRED_CHAPTER in chapters:
        chapters[REPAIRED_CHAPTER] = longer_by_one(chapters[REPAIRED_CHAPTER])
    return chapters


def longer_by_one(codings: ByCoder) -> ByCoder:
    """The codings of a text that has one more unit at its end, in everyone's last segment."""
    return {
        coder: Segmentation.from_boundaries(coding.boundaries, coding.n_units + 1)
        for coder, coding in codings.items()
    }


def moonstone_corpus(chapters: Mapping[int, ByCoder]) -> Corpus:
    """The chapters as a corpus, with their groups."""
    return Corpus.from_dict(
        {str(chapter): codings for chapter, codings in chapters.items()},
        coders="local",
        groups={name: group for name, group in GROUP_OF.items() if int(name) in chapters},
    )


def people(corpus: Corpus) -> Corpus:
    """The Moonstone with one name for each person: those of a group coded all its chapters."""
    return Corpus.from_dict(
        {
            chapter: {f"{GROUP_OF[chapter]}.{name}": coding for name, coding in codings.items()}
            for chapter, codings in corpus.items()
        }
    )


class Excerpts(NamedTuple):
    """A document of Choi (2000): its set (1, 2 or 3), its lines, and the reference in words.

    Candidates are the ends of lines: a line is a sentence, and no excerpt ends inside one.
    """

    set: str
    lines: list[str]
    reference: Segmentation

    def in_words(self, in_lines: Segmentation) -> Segmentation:
        """A segmentation of the lines, in words."""
        return in_lines.expand([len(line.split()) for line in self.lines])


@cache
def choi(run: Run, subset: str) -> list[Excerpts]:
    """The documents of a subset of Choi (2000), e.g. "3-11"."""
    found = []
    for folder in sorted(run.folder("choi").glob(f"*/{subset}")):
        for document in read(folder, "choi").values():
            one = Excerpts(folder.parent.name, [*(document.units or ())], document["reference"])
            found.append(one._replace(reference=one.in_words(one.reference)))
    if not found:
        raise SegmentationError(f"no */{subset} in {run.folder('choi')}")
    return found


def choi_preprocessing(run: Run) -> Preprocessing:
    """Words as Choi's own program saw them: its stop list, Porter's stemmer."""
    return Preprocessing("choi", run.folder("choi") / "STOPWORD.list", "porter")


@cache
def kubla_khan(run: Run) -> Corpus:
    """Kubla Khan (Fournier 2013, poetry), with segmentations and labels by nine people."""
    return loading.kubla_khan(run.folder("kubla_khan"))
