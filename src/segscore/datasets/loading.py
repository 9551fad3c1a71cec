"""Corpora as `Corpus`: read from their folders, with texts, groups and labels if there are any."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from segscore.corpus.corpus import Corpus
from segscore.datasets.catalogue import dataset, find
from segscore.errors import SegmentationError
from segscore.io.files import REFERENCE, Source
from segscore.io.reading import read
from segscore.io.table_files import rows
from segscore.text.unit_splitting import units_of

GROUPS = {  # who coded which chapters of The Moonstone
    1: (1, 3, 4, 11),
    2: (2, 5, 8, 10),
    3: (7, 9, 12, 13),
    4: (14, 15, 16, 20),
    5: (17, 18, 19, 21),
}
GROUP_OF = {str(chapter): str(group) for group, found in GROUPS.items() for chapter in found}
CARROLL_SYSTEMS = ("HC99", "HCWM", "HBT", "GBEM", "BIN", "NONE")  # whose outputs there are
_GOES_ON = "He had a fine commanding voice"  # a paragraph in the text, but not in the codings


def load(name: str) -> Corpus:
    """Load a corpus on this machine as a `Corpus`.

    stargazer, kubla_khan (with labels), moonstone (chapters as documents, with their texts and
    groups; coders are local to a chapter), moonstone_hierarchical (levels as ranks), choi and
    lectures_ai (with texts; the coder is "reference"), carroll2010 (with texts; depths of headings
    as ranks; beside "reference" the outputs of the paper's systems, of kind "system"), dialseg711,
    tiage and committee (with utterances; the sets dev, test and train are groups), qmsum (with
    turns and topics as labels; policy "snap": turns in no topic are segments of their own, and of
    two topics that overlap the first ends where the other starts). If the corpus is not here, an
    error says how to fetch it. evidence holds questions and no codings: `find` returns its folder.

    name: the name of the corpus, as `segscore data` lists it.

    >>> corpus = load("kubla_khan")
    >>> corpus["kubla_khan"].n_units, len(corpus["kubla_khan"]), sorted(corpus["kubla_khan"].labels)[:2]
    (54, 9, ['0', '1'])
    """  # noqa: E501
    known = dataset(name).name
    if known not in _READERS:
        raise SegmentationError(
            f"{known} holds texts and questions with their evidence, and no codings: expected "
            f"ss.datasets.find({known!r}), its folder, for ss.chunks.evidence(chunks, folder / "
            "'questions_df.csv', folder)"
        )
    return _READERS[known](find(name))


def kubla_khan(folder: Path) -> Corpus:
    """Kubla Khan (Fournier 2013, poetry), with segmentations and labels by nine people."""
    corpus = read(folder / "codings.json")
    (name,) = corpus
    labels: dict[str, list[list[str]]] = {}
    for _, (coder, *segments) in rows(Source(folder / "labels.csv", name, coder="")):
        labels[coder] = [text.strip().split("/") for text in segments]
    return corpus.with_details(labels={name: labels})


def moonstone(folder: Path) -> Corpus:
    """The Moonstone (Kazantseva & Szpakowicz 2012): a document per chapter, named by its number."""
    chapters = {}
    for path in (folder / "segmentations").glob("ch*.csv"):
        (codings,) = read(path, "wide", coders="local").values()
        chapters[int(path.stem.removeprefix("ch"))] = dict(codings)
    if not chapters:
        raise SegmentationError(f"{folder}: expected files segmentations/ch*.csv")
    return Corpus.from_dict(
        {str(chapter): codings for chapter, codings in sorted(chapters.items())},
        coders="local",
        groups={name: group for name, group in GROUP_OF.items() if int(name) in chapters},
        units={
            str(chapter): _paragraphs(folder, chapter, next(iter(codings.values())).n_units)
            for chapter, codings in chapters.items()
            if (folder / "text" / f"ch{chapter}.txt").is_file()
        },
    )


def _paragraphs(folder: Path, chapter: int, expected: int) -> list[str]:
    """The text of a chapter, a unit per paragraph, as in the codings.

    The text of chapter 11 has one paragraph more than its codings. We assume that the paragraph
    which continues the description of the paragraph before it belongs to that paragraph.
    """
    path = folder / "text" / f"ch{chapter}.txt"
    text = Source(path, path.stem, coder="", encoding="cp1252").read_text()
    found = units_of(text, "paragraphs")
    for index in [i for i, paragraph in enumerate(found) if paragraph.startswith(_GOES_ON)]:
        found[index - 1 : index + 1] = [f"{found[index - 1]} {found[index]}"]
    if len(found) != expected:
        raise SegmentationError(
            f"{path}: {len(found)} paragraphs: expected {expected}, as in its codings"
        )
    return found


def carroll2010(folder: Path) -> Corpus:
    """Articles of Wikipedia (Carroll 2010): the reference, and the output of six systems."""
    articles = _ranked_text(folder / "gold", REFERENCE)
    if (folder / "outputs").is_dir():
        outputs = [_ranked_text(folder / "outputs" / name, name) for name in CARROLL_SYSTEMS]
    else:
        outputs = [read(folder / "outputs.jsonl")]
    together = articles.merged(*outputs)
    return together.with_details(kinds=dict.fromkeys(CARROLL_SYSTEMS, "system"))


def _ranked_text(folder: Path, coder: str) -> Corpus:
    """Read a ranked text; lines that only begin like marks are marks, as in the author's
    program."""
    return read(folder, "ranked-text", coder=coder, lenient=True, remark=_known)


def _known(remark: str) -> None:
    """Ignore remarks on known problems (docs/hierarchical.md, docs/benchmarks_today.md)."""


def _dialogues(file: str, folder: Path) -> Corpus:
    return read(folder / file, "dialogues", coder=REFERENCE)


def _qmsum(folder: Path) -> Corpus:
    """The meetings of all sets, each named after its file; signatures say how misfits of topics
    were treated (policy:snap)."""
    parts = []
    for name in ("train", "val", "test"):
        meetings = read(folder / name, "qmsum", coder=REFERENCE, policy="snap", remark=_known)
        parts.append(meetings.with_details(groups=dict.fromkeys(meetings, name)))
    return parts[0].merged(*parts[1:])


_READERS: dict[str, Callable[[Path], Corpus]] = {
    "stargazer": lambda folder: read(folder / "codings.json"),
    "kubla_khan": kubla_khan,
    "moonstone": moonstone,
    "moonstone_hierarchical": lambda folder: read(folder / "annots", coders="local"),
    "choi": lambda folder: read(folder, "choi"),
    "lectures_ai": lambda folder: read(folder, "choi"),
    "carroll2010": carroll2010,
    "dialseg711": partial(_dialogues, "dialseg_711.json"),
    "tiage": partial(_dialogues, "tiage.json"),
    "committee": partial(_dialogues, "meeting_committee.json"),
    "qmsum": _qmsum,
}
