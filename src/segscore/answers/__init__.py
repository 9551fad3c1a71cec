"""What language models answer when they are asked to segment a text.

`read` turns answers into segmentations; those that cannot be read are failures with a reason.
`score` scores a single answer, for harnesses that see one at a time. The readers of shapes stand in
`segscore.io.answers`, so that files of answers are read as all other files are.
"""

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from segscore.basics.arguments import cached_property, check_choice, is_whole, shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus import PLAIN, CodingsBuilder, Corpus, Provenance, Record, provenance_in
from segscore.errors import SegmentationError, about, named
from segscore.io.answers import Answer, AnswerRules, answer_of
from segscore.io.formats.chunks import answer_text, answers_in, record_of
from segscore.io.read_options import SIMILARITY, Shape
from segscore.metrics import DEFAULT_METRICS, Metric
from segscore.scoring import scoring
from segscore.tables.tabular import Tabular

if TYPE_CHECKING:
    from segscore.tables.table import Table


class ModelOutputs(Tabular, Mapping[str, Segmentation]):
    """The answers of a model: a mapping from document to segmentation, without failed answers.

    It can be scored directly, `ss.score(refs, outputs, missing="none")`, and knows why documents
    have no segmentation. Its table has a row per document: `document`, `form` (the form of the
    answer), `boundaries` and `reason`.

    failures: document → reason. corpus: the segmentations as a Corpus, with the texts of the
    documents where they are known.
    """

    def __init__(
        self,
        answers: Mapping[str, Answer],
        units: Mapping[str, Sequence[str] | int],
        coder: str = "model",
        provenance: Provenance = PLAIN,
    ) -> None:
        self._answers = dict(answers)
        self._units, self._coder = units, coder
        self.provenance = provenance
        self.failures = {name: each.reason for name, each in answers.items() if each.reason}

    @cached_property
    def corpus(self) -> Corpus:
        """The segmentations, as codings by a single coder."""
        builder = CodingsBuilder()
        for name, answer in self._answers.items():
            known = self._units[name]
            texts = None if isinstance(known, int) else tuple(known)
            builder.add(record_of(name, self._coder, answer, texts))
        found = builder.codings("global", "the outputs", self.provenance)
        return Corpus.from_columns(found, "global", found.provenance)

    def __getitem__(self, document: str) -> Segmentation:
        found = self._answers[document].segmentation
        if found is None:
            raise KeyError(f"{document!r} has no segmentation: {self.failures[document]}")
        return found

    def __iter__(self) -> Iterator[str]:
        return (name for name, answer in self._answers.items() if answer.segmentation is not None)

    def __len__(self) -> int:
        return len(self._answers) - len(self.failures)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A mapping per answer: its form, and its boundaries or the reason why there are none."""
        found = {name: self[name].boundaries.tolist() for name in self}
        return [
            {
                "document": name,
                "form": answer.form,
                "boundaries": found.get(name),
                "reason": answer.reason,
            }
            for name, answer in self._answers.items()
        ]

    def _frame(self) -> tuple[Any, None]:
        return self.to_dicts(), None

    def to_table(self) -> "Table":
        """A table with a row per answer."""
        from segscore.tables import Column, Table

        columns = [Column("document"), Column("form"), Column("boundaries"), Column("reason")]
        rows = [
            [row["document"], row["form"], _listed(row["boundaries"]), row["reason"]]
            for row in self.to_dicts()
        ]
        give = "output gives" if len(rows) == 1 else "outputs give"
        note = f"{len(self.failures)} of {len(rows)} {give} no segmentation"
        return Table(columns, rows, [note] if self.failures else [])


def _listed(boundaries: list[int] | None) -> str | None:
    if boundaries is None:
        return None
    return ", ".join(map(str, boundaries)) or "none"


def read_answers(
    outputs: Mapping[str, Any] | str | os.PathLike[str],
    units: Mapping[str, Any] | str | os.PathLike[str],
    *,
    shape: Shape | None = None,
    base: int | None = None,
    similarity: float = SIMILARITY,
    separator: str | None = None,
    coder: str = "model",
) -> ModelOutputs:
    r"""Read the answers of a language model that was asked for segments.

    The answer is the last JSON value after the thoughts of the model, in a block of code or among
    words; or, without JSON, all of the answer or of its only block. It is read as what was asked
    for, and as nothing else: an answer of another shape, one that does not fit the document
    (numbers out of range, repeated or not ascending; text that is not there), two answers that
    differ, one that was cut off and a refusal are failures with a reason; `missing=` of `ss.score`
    says how they count.

    Parameters
    ----------
    outputs
        A mapping from document to the raw text of the answer; or a file: JSON Lines or JSON with
        `document` and `output`, a JSON object from document to output, or a folder of .txt files
        named after the documents.
    units
        The units that the model saw: a mapping from document to the list of their texts, or to
        their number, if answers hold only numbers; or a corpus, or a file or folder, such as the
        references.
    shape
        What was asked for: the units that start a segment, with the first (`starts`), or that end
        one, with the last (`ends`); the first and last unit of each segment, or all of them
        (`segments`); a label of each unit, B and I or the number of its segment (`labels`); how
        each segment begins, in the words of its first unit (`quotations`); or all of the text,
        with separators or as a JSON list (`copy`).
    base
        Whether the first unit is 0 or 1: needed for starts, ends and segments.
    similarity
        How similar changed text must be to the document's own words: for a copy, 1 - word error
        rate; for a quotation, 1 - changed words over all words.
    separator
        What separates the segments of a copy, if not blank lines, rules, headings or a mark that
        the document does not have.
    coder
        The name of the model in the corpus.

    >>> units = {"a": ["It rains.", "It pours.", "Cats purr.", "Dogs bark."], "b": ["Hi.", "Bye."]}
    >>> outputs = {"a": 'Sure: {"starts": [0, 2]}', "b": "I'm sorry, I cannot do that."}
    >>> found = read_answers(outputs, units, shape="starts", base=0)
    >>> found["a"], found.failures["b"]
    (Segmentation(masses=[2, 2]), 'a refusal: "I\'m sorry, I cannot do that."')
    """
    rules = AnswerRules(shape, base, similarity, separator)  # type: ignore[arg-type]  # or refused
    if isinstance(outputs, str | os.PathLike):
        outputs = answers_in(outputs)
    if not isinstance(outputs, Mapping):
        raise SegmentationError(
            f"outputs is {shown(outputs)}: expected a mapping from document to text, or a path"
        )
    known, provenance = _units(units)
    answers: dict[str, Answer] = {}
    for name, text in outputs.items():
        document = str(name)
        if document not in known:
            raise SegmentationError(
                f"document {document!r} has no units: expected one of {named(known)}"
            )
        with about(f"document {document!r}"):
            given = answer_text(text)
        answers[document] = answer_of(document, given, known[document], rules)
    return ModelOutputs(answers, known, coder, provenance)


def _units(given: Any) -> tuple[dict[str, Sequence[str] | int], Provenance]:
    """The texts of units, or their number, by document; and how units were formed."""
    if isinstance(given, str | os.PathLike):
        from segscore.io import reading

        given = reading.read(given)
    if isinstance(given, Corpus):
        table = given.columns
        return {
            name: table.units_of(number) or table.n_units_of(number)
            for name, number in table.numbers.items()
        }, given.provenance
    if not isinstance(given, Mapping):
        raise SegmentationError(
            f"units is {shown(given)}: expected a mapping from document to its units, a corpus, or "
            "a path"
        )
    provenance = provenance_in(given, "cannot read outputs for")
    return {str(name): _units_of(str(name), units) for name, units in given.items()}, provenance


def _units_of(name: str, given: Any) -> Sequence[str] | int:
    """The texts of a document's units, or their number."""
    if isinstance(given, Segmentation):
        return given.n_units
    if is_whole(given) and int(given) > 0:
        return int(given)
    texts = getattr(given, "units", given)
    if texts is None:  # a document without a text
        return int(given.n_units)
    return Record(name, units=texts).units or ()  # which checks them


def score_answer(
    answer: Any,
    units: Sequence[str] | int,
    reference: Segmentation,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    shape: Shape | None = None,
    base: int | None = None,
    missing: Literal["none", "worst"] = "none",
    similarity: float = SIMILARITY,
    separator: str | None = None,
) -> dict[str, Any]:
    """Score what a language model answered about one document.

    The dict is flat and can be written as JSON: the value of each metric, its additive statistics
    (`windowdiff.errors`), whether the answer `failed` and the `reason`, and the `boundaries` read.
    A value that is undefined is None, and so are the boundaries of a failed answer.

    Parameters
    ----------
    answer, units, shape, base, similarity, separator
        As in `segscore.answers.read`, for one document.
    reference
        The segmentation that is right.
    metrics
        Metrics, or their names.
    missing
        How a failed answer counts: as a single segment, `none`, or as wrong throughout, `worst`.

    >>> reference = Segmentation.from_masses([2, 3, 3])
    >>> score_answer("[0, 2, 6]", 8, reference, "f1", shape="starts", base=0)
    ... # doctest: +NORMALIZE_WHITESPACE
    {'f1': 0.5, 'f1.tp': 1.0, 'f1.fp': 1.0, 'f1.fn': 1.0, 'failed': False, 'reason': None,
     'boundaries': [2, 6]}
    """
    check_choice(missing, "missing", ("none", "worst"))
    known = _units_of("answer", units)
    rules = AnswerRules(shape, base, similarity, separator)  # type: ignore[arg-type]  # or refused
    found = answer_of("answer", answer_text(answer), known, rules)
    result = scoring.score(
        {"answer": reference},
        {"answer": found.segmentation},
        metrics,
        missing=missing,
        on_undefined="nan",
    )
    numbers: dict[str, float | None] = {}
    for scores in result.averages:
        value, counts = float(scores.values[0]), scores.statistics.rows.sum(axis=0).tolist()
        numbers[str(scores.key)] = None if math.isnan(value) else value
        numbers |= {
            f"{scores.key}.{name}": count
            for name, count in zip(scores.statistics.names, counts, strict=True)
        }
    coding = found.segmentation
    return {
        **numbers,
        "failed": coding is None,
        "reason": found.reason,
        "boundaries": None if coding is None else coding.boundaries.tolist(),
    }


read, score = read_answers, score_answer  # as in segscore.answers.read
