"""Labels on the page: how well people agree on them, who uses which labels, and which labels occur
together."""

from segscore.coders.coder_labels import MOST_LABELS, LabelReliability, label_reliability
from segscore.corpus.corpus import Corpus
from segscore.errors import number_of
from segscore.pages.html_markup import (
    BodyCell,
    HeadCell,
    interval,
    more,
    name,
    notes,
    number,
    table,
)
from segscore.pages.subject import Subject


def label_section(subject: Subject, corpus: Corpus) -> str:
    """The section as HTML; empty if no document has labels by two people."""
    if not any(len(document.labels) > 1 for document in corpus.values()):
        return ""
    seed = subject.agreement.seed if subject.agreement is not None else 0
    found = label_reliability(corpus, rng=seed)
    return (
        "<h3>Labels</h3>\n"
        f"<p>{_words(found)}</p>\n"
        + notes(found.warnings, "warnings")
        + _use(found, subject)
        + more("Which labels two people give to the same segments", _confusion(found))
    )


def _words(found: LabelReliability) -> str:
    whole = found.whole
    if not whole.n_segments:
        return "No two people gave labels to a segment with the same start and end."
    ends = interval(*found.ci[:2])
    value = f"{number(found.alpha)} {ends}".strip()
    return (
        f"People agree on {number_of(whole.n_segments, 'segment')} (same start and end). There, "
        f"Krippendorff’s α of their labels is <b>{value}</b>: 0 is chance, 1 is complete "
        f"agreement. {whole.n_same:,} of {whole.n_pairs:,} pairs of labels are the same."
    )


def _use(found: LabelReliability, subject: Subject) -> str:
    coders = list(found.use)
    headings = [
        HeadCell("label"),
        *(HeadCell(name(coder, 16), True, "descending", subject.about(coder)) for coder in coders),
    ]
    rows = [
        [
            BodyCell(name(label, 40), label),
            *(BodyCell(f"{used:,}", used, "", subject.about(coder))
              for coder, used in ((coder, found.use[coder][label]) for coder in coders)),
        ]
        for label in found.labels[: 4 * MOST_LABELS]
    ]  # fmt: skip
    left = len(found.labels) - len(rows)
    rest = notes([f"{left} rarer labels: the table label-use has them"]) if left else ""
    return table("Segments by label and coder", headings, rows) + rest


def _confusion(found: LabelReliability) -> str:
    labels = found.labels[:MOST_LABELS]
    headings = [HeadCell("label"), *(HeadCell(name(label, 16), True) for label in labels)]
    counts = [
        [found.confusion[min(label, other), max(label, other)] for other in labels]
        for label in labels
    ]
    most = max((count for row in counts for count in row), default=0) or 1
    rows = [
        [
            BodyCell(name(label, 40), label),
            *(BodyCell(f"{count:,}", count, f"shade-{round(5 * count / most)}") for count in row),
        ]
        for label, row in zip(labels, counts, strict=True)
    ]
    left = len(found.labels) - len(labels)
    rest = notes([f"{left} rarer labels are left out"]) if left else ""
    return table("Pairs of people by the labels they gave", headings, rows, "matrix", False) + rest
