"""The tables of evidence: chunkers by measures, pairs of chunkers, questions, cuts, the curve."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from segscore.chunks.chunk_breaks import CUT
from segscore.chunks.evidence_measures import OF_RETRIEVAL, EvidenceMeasure
from segscore.errors import SegmentationError
from segscore.significance.resampling import Interval
from segscore.tables import Cell, Column, Table

if TYPE_CHECKING:
    from segscore.chunks.evidence_comparison import EvidenceComparison
    from segscore.chunks.evidence_scores import CutSpan, EvidenceScores

_AROUND = 30  # characters of text on each side of a cut


def _chunker_column(scores: "Sequence[EvidenceScores]") -> Column:
    return Column("chunker", audience="machines" if len(scores) == 1 else "all")


def _cell(value: float, low: float, high: float, letters: str | None = None) -> Cell:
    """A value with its interval, if it has one."""
    none = isnan(low)
    return Cell(value, low=None if none else low, high=None if none else high, marks=letters or "")


# ---- averages ----


def measures_table(
    scores: "Sequence[EvidenceScores]", comparison: "EvidenceComparison | None" = None
) -> Table:
    """A row per chunker and measure, with both averages and their intervals."""
    asked: dict[str, Any] = {}
    if comparison is not None:
        settings = comparison.settings
        asked = {
            "cluster": comparison.cluster,
            "level": settings.level,
            "n_resamples": settings.n_resamples,
            "rng": settings.seed,
        }
    columns = [
        _chunker_column(scores),
        Column("measure", audience="machines"),
        Column("measure", key="shown", audience="people"),
        Column("pooled", note="Over spans, characters or questions, whatever the measure counts."),
        Column("mean", note="Over questions."),
        Column("questions", drop_order=1),
        Column("undefined", drop_order=2),
        Column("better", audience="people"),
        Column("higher_is_better", audience="machines"),
        Column("signature", audience="machines"),
    ]
    rows: list[list[Any]] = []
    methods: dict[str, None] = {}
    for score in scores:
        intervals = {name: score.intervals(name, **asked) for name in ("pooled", "mean")}
        methods |= dict.fromkeys(each.method for each in intervals["pooled"].values())
        rows += [_measure_row(score, name, measure, intervals)
                 for name, measure in score.measures.items()]  # fmt: skip
    notes = dict.fromkeys(note for score in scores for note in score.notes)
    return Table(columns, rows, footnotes=[*methods, *notes])


def _measure_row(
    scores: "EvidenceScores",
    name: str,
    measure: EvidenceMeasure,
    intervals: Mapping[str, Mapping[str, Interval]],
) -> list[Any]:
    both = scores.values[name]
    return [
        scores.chunker,
        name,
        Cell(str(measure), note=measure.says),
        _cell(float(both.pooled), *intervals["pooled"][name][:2]),
        _cell(float(both.mean), *intervals["mean"][name][:2]),
        len(scores),
        scores.n_undefined[name],
        "higher" if measure.higher_is_better else "lower",
        measure.higher_is_better,
        measure.signature(),
    ]


def chunkers_table(comparison: "EvidenceComparison") -> Table:
    """A row per chunker: each measure with its interval and letters; CSV and JSON have both
    averages."""
    first = next(iter(comparison.scores.values()))
    columns = [Column("chunker")]
    for name, measure in first.measures.items():
        arrow = "↑" if measure.higher_is_better else "↓"
        columns += [
            Column(
                f"{measure} {arrow}",
                key=name,
                better="higher" if measure.higher_is_better else "lower",
                note=measure.says,
                share=measure.perfect is not None,
                digits=1 if name == "size-omega" else None,
                exactly=True,
            ),
            Column("pooled", key=f"{name}_pooled", audience="machines"),
            Column("mean", key=f"{name}_mean", audience="machines"),
            Column("undefined", key=f"{name}_undefined", audience="machines"),
            Column("signature", key=f"{name}_signature", audience="machines"),
        ]
    rows = []
    lettered = comparison.can_differ
    for chunker, scores in comparison.scores.items():
        row: list[Any] = [chunker]
        for name in first.measures:
            entry, both = comparison[chunker, name], scores.values[name]
            row += [
                _cell(entry.value, entry.low, entry.high, entry.letters if lettered else None),
                float(both.pooled), float(both.mean), scores.n_undefined[name],
                comparison.signatures[name],
            ]  # fmt: skip
        rows.append(row)
    notes = [comparison.describe(), *comparison.notes]
    if lettered and any(entry.letters for entry in comparison.entries):
        notes.append("Chunkers that share a letter do not differ significantly.")
    return Table(
        columns, rows, footnotes=notes, warnings=comparison.warnings,
    )  # fmt: skip


def pairs_table(comparison: "EvidenceComparison") -> Table:
    """A row per pair of chunkers and measure."""
    measures = next(iter(comparison.scores.values())).measures.values()
    shares = all(measure.perfect is not None for measure in measures)
    columns = [
        Column("measure"),
        Column("a"),
        Column("b"),
        Column("a - b", key="difference", share=shares, difference=True),
        Column("p", form=_p_value),
        Column("corrected", key="p_corrected", form=_p_value),
        Column("significant"),
        Column("effect", digits=2, drop_order=4, note="Cohen's d of the questions' differences."),
        *(Column(name, drop_order=order, note="Questions.")
          for order, name in enumerate(("wins", "ties", "losses"))),
    ]  # fmt: skip
    rows = [
        [
            pair.metric, pair.a, pair.b, _cell(pair.difference, pair.low, pair.high),
            pair.p, pair.p_corrected, pair.significant, pair.effect, pair.wins, pair.ties,
            pair.losses,
        ]
        for pair in comparison.pairs
    ]  # fmt: skip
    notes = [comparison.describe(), *comparison.notes]
    return Table(columns, rows, footnotes=notes, warnings=comparison.warnings)


def _p_value(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def curve_table(scores: "Sequence[EvidenceScores]") -> Table:
    """A row per chunker and k."""
    if not all(score.curve for score in scores):
        raise SegmentationError("there is no curve over k: expected what was fetched (retrieved)")
    columns = [_chunker_column(scores), Column("k")]
    for name in OF_RETRIEVAL:
        columns += [
            Column(name, key=f"{name}_pooled", share=True, note="Pooled."),
            Column(f"mean {name}", key=f"{name}_mean", share=True, drop_order=1),
        ]
    rows = [
        [score.chunker, k, *(float(value) for both in at.values() for value in both)]
        for score in scores
        for k, at in score.curve.items()
    ]
    notes = dict.fromkeys(note for score in scores for note in score.notes)
    return Table(columns, rows, footnotes=list(notes))


# ---- questions and cuts ----


def questions_table(scores: "Sequence[EvidenceScores]") -> Table:
    """A row per chunker and question."""
    columns = [
        _chunker_column(scores),
        Column("id"),
        Column("document"),
        Column("question"),
        *(Column(str(measure), key=name, digits=0 if name == "size-omega" else None)
          for name, measure in scores[0].measures.items()),
        Column("cut", note="Spans of evidence that are in no chunk as a whole."),
    ]  # fmt: skip
    rows = [
        {"chunker": score.chunker, **row, "cut": len(row["cut"])}
        for score in scores
        for row in score.to_dicts()
    ]
    return Table(columns, rows)


def cut_table(scores: "Sequence[EvidenceScores]") -> Table:
    """A row per chunker and span that was cut, with the text around the first cut."""
    columns = [
        _chunker_column(scores),
        Column("question"),
        Column("document"),
        Column("start"),
        Column("end"),
        Column("pieces"),
        Column("cuts", audience="machines"),
        Column("lost", audience="machines"),
        Column("text", audience="machines"),
        Column("around the first cut", key="around", audience="people"),
    ]
    rows = list(_cut_rows(scores))
    counts = [
        f"{score.chunker}: {len(score.cut)} of {len(score.spans)} spans are in no chunk as a whole"
        for score in scores
    ]
    signs = f"{CUT} is a cut, ‹ › is text in no chunk" if rows else ""
    return Table(columns, rows, footnotes=[*counts, *filter(None, [signs])])


def _cut_rows(scores: "Sequence[EvidenceScores]") -> Iterator[dict[str, Any]]:
    for score in scores:
        for cut in score.cut:
            yield {
                "chunker": score.chunker,
                "question": cut.question,
                "document": cut.document,
                "start": cut.start,
                "end": cut.end,
                "pieces": cut.pieces,
                "cuts": " ".join(map(str, cut.cuts)),
                "lost": " ".join(f"{start}-{end}" for start, end in cut.lost),
                "text": cut.text,
                "around": around_cut(cut, score.texts[cut.document]),
            }


def around_cut(cut: "CutSpan", text: str) -> str:
    """The text around the first place where a span is cut or lost.

    >>> from segscore.chunks.evidence_scores import CutSpan
    >>> text = "Cats purr. Dogs bark."
    >>> around_cut(CutSpan("1", "d", 11, 21, 2, (16,), (), "Dogs bark."), text)
    'Cats purr. Dogs ‖bark.'
    """
    first_lost = cut.lost[0] if cut.lost else None
    if first_lost is not None and (not cut.cuts or first_lost[0] <= cut.cuts[0]):
        left, right = first_lost
        middle = f"‹{_middle(text[left:right])}›"
    else:
        left = right = cut.cuts[0]
        middle = CUT
    before = text[max(0, left - _AROUND) : left]
    return " ".join((before + middle + text[right : right + _AROUND]).split())


def _middle(text: str) -> str:
    """A stretch, or its two ends if it is long."""
    return text if len(text) <= 2 * _AROUND else f"{text[:_AROUND]}…{text[-_AROUND:]}"
