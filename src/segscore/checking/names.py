"""Checks of names and texts: sides that were swapped, and texts that occur twice."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from segscore.checking.findings import Finding
from segscore.corpus.corpus import Corpus
from segscore.corpus.text_checks import spelt_alike
from segscore.errors import named

_SYSTEMS = {
    "aps", "auto", "automatic", "baseline", "bayesseg", "bert", "c99", "cwm", "embedding", "gpt",
    "hyp", "hyps", "hypotheses", "hypothesis", "llama", "llm", "mincut", "mincutseg", "mistral",
    "model", "models", "output", "outputs", "pred", "predicted", "prediction", "predictions",
    "preds", "random", "run", "segmenter", "system", "systems", "textseg", "texttiling", "uniform",
    "utiyama",
}  # fmt: skip
_PEOPLE = {
    "annotation", "annotations", "annotator", "annotators", "coder", "coders", "expert", "experts",
    "gold", "golden", "groundtruth", "human", "humans", "manual", "people", "person", "rater",
    "raters", "ref", "reference", "references", "refs", "truth",
}  # fmt: skip
_GOLD = {
    "adjudicated", "consensus", "gold", "golden", "groundtruth", "majority", "ref", "reference",
    "references", "truth",
}  # fmt: skip


def looks_like(name: str, kind: str) -> bool:
    """Whether a name looks like that of a `system`, or of a `gold` made from several people."""
    return _any_of([name], _SYSTEMS if kind == "system" else _GOLD)


def swapped(ref_names: Iterable[str], hyp_names: Iterable[str]) -> Iterator[Finding]:
    """The first side has the name of a system, the second that of people; or the second alone is
    called a reference."""
    refs, hyps = list(ref_names), list(hyp_names)
    if _any_of(refs, _PEOPLE | _GOLD) or _any_of(hyps, _SYSTEMS) or not refs:
        return
    if _any_of(refs, _SYSTEMS) and _any_of(hyps, _PEOPLE):
        yield _swapped(refs, hyps)
    elif _any_of(hyps, _GOLD & _PEOPLE):
        yield _swapped(refs, hyps, ("", "a reference"))


def swapped_kinds(refs: Corpus, hyps: Corpus) -> Iterator[Finding]:
    """The first side is by systems, the second by people, according to the corpora or to their
    names."""
    kinds = [
        {kind for document in corpus.values() for kind in document.kinds.values()}
        for corpus in (refs, hyps)
    ]
    if kinds == [{"system"}, {"person"}]:
        yield _swapped(refs.coders, hyps.coders)
    elif kinds[1] == {"consensus"} and kinds[0] <= {"system"}:
        yield _swapped(refs.coders, hyps.coders, ("", "a reference"))
    elif not any(kinds):
        yield from swapped(refs.coders, hyps.coders)


def _swapped(
    refs: Sequence[str], hyps: Sequence[str], looks: tuple[str, str] = ("a system", "people")
) -> Finding:
    first, second = (f", which looks like {kind}" if kind else "" for kind in looks)
    return Finding(
        "swapped-sides",
        "warning",
        f"The reference is by {named(dict.fromkeys(refs))}{first}, and the hypothesis by "
        f"{named(dict.fromkeys(hyps))}{second}.",
        {"reference_names": len(refs), "hypothesis_names": len(hyps)},
        (),
        "The sides are probably swapped: the reference comes first.",
    )


def _any_of(names: Iterable[str], words: set[str]) -> bool:
    return any(
        word in words or word.rstrip("0123456789") in words
        for name in names
        for word in re.split(r"[^a-z0-9]+", name.lower())
        if word
    )


def duplicate_texts(texts: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    """A text that occurs under two names."""
    by_text: dict[tuple[str, ...], list[str]] = {}
    for name, units in texts.items():
        by_text.setdefault(units, []).append(name)
    twice = [names for names in by_text.values() if len(names) > 1]
    if twice:
        yield Finding(
            "duplicate-texts",
            "warning",
            f"{sum(map(len, twice))} documents hold only {len(twice)} different "
            f"{'text' if len(twice) == 1 else 'texts'}, for instance {named(twice[0])}.",
            {"documents": sum(map(len, twice)), "texts": len(twice)},
            tuple(name for names in twice for name in names),
            "Such documents count twice in every average and make intervals too narrow: keep one "
            "of each.",
        )


def spellings(corpus: Corpus) -> Iterator[Finding]:
    """Coders, or documents, whose names differ only in case or spaces."""
    coders = spelt_alike(corpus.coders if corpus.coder_scope == "global" else ())
    documents = spelt_alike(corpus)
    for what, alike, remedy in (
        ("Coders", coders, "rename= gives one person one name"),
        (
            "Documents",
            documents,
            "give them the same name in the files, or their codings are never paired",
        ),
    ):
        if alike:
            yield Finding(
                "spellings",
                "warning",
                f"{what} {'; '.join(map(named, alike[:3]))} differ only in spelling.",
                {"names": sum(map(len, alike))},
                tuple(name for names in alike for name in names) if what == "Documents" else (),
                f"If they are the same: {remedy}.",
            )


def same_file(reference: Path, hypothesis: Path | None) -> Iterator[Finding]:
    """A single file is given for both sides."""
    if hypothesis is None or not reference.exists() or not hypothesis.exists():
        return
    if reference.samefile(hypothesis):
        yield Finding(
            "same-file",
            "warning",
            f"REF and HYP are the same file, {reference}.",
            {},
            (),
            "A file compared with itself is perfect: give the output of the system as HYP.",
        )
