"""`ss.answers.read`: the answers of a language model as segmentations, with reasons for
failures."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from segscore.basics.arguments import is_whole, shown
from segscore.basics.cached import cached_property
from segscore.coding.segmentation import Segmentation
from segscore.corpus.builder import CodingsBuilder
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import PLAIN, Provenance, provenance_in
from segscore.corpus.table_columns import Marks
from segscore.errors import SegmentationError, about, named
from segscore.io.answers.answer_reading import Answer, AnswerRules, answer_of, record_of
from segscore.io.answers.output_files import answers_in, as_text
from segscore.io.read_options import SIMILARITY
from segscore.tables.tabular import Tabular

if TYPE_CHECKING:
    from segscore.tables.table import Table


class OutputRow(NamedTuple):
    """An answer: its form, and its boundaries or the reason why there are none."""

    document: str
    form: str | None
    boundaries: list[int] | None
    reason: str | None


class ModelOutputs(Tabular, Mapping[str, Segmentation]):
    """The answers of a model: a mapping from document to segmentation, without failed answers.

    It can be scored directly, `ss.score(refs, outputs, missing="none")`, and knows why documents
    have no segmentation. Its table has a row per document: `document`, `form` (the form of the
    answer), `boundaries` and `reason`.

    rows: these rows. failures: document → reason. corpus: the segmentations as a Corpus, with the
    texts of the documents where they are known.
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
        self.failures: dict[str, str] = {
            name: answer.reason
            for name, answer in self._answers.items()
            if answer.reason is not None
        }

    @property
    def rows(self) -> list[OutputRow]:
        """A row per answer."""
        return [
            OutputRow(
                name,
                answer.form,
                None if answer.segmentation is None else answer.segmentation.boundaries.tolist(),
                answer.reason,
            )
            for name, answer in self._answers.items()
        ]

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
        """A mapping per row."""
        return [row._asdict() for row in self.rows]

    def _frame(self) -> tuple[Any, None]:
        return self.to_dicts(), None

    def to_table(self) -> "Table":
        """A table with a row per answer."""
        from segscore.tables import Column, Table

        columns = [Column("document"), Column("form"), Column("boundaries"), Column("reason")]
        rows = [[row.document, row.form, _listed(row.boundaries), row.reason] for row in self.rows]
        give = "output gives" if len(rows) == 1 else "outputs give"
        note = f"{len(self.failures)} of {len(rows)} {give} no segmentation"
        return Table(columns, rows, [note] if self.failures else [])


def _listed(boundaries: list[int] | None) -> str | None:
    if boundaries is None:
        return None
    return ", ".join(map(str, boundaries)) or "none"


def read_outputs(
    outputs: Mapping[str, Any] | str | os.PathLike[str],
    units: Mapping[str, Any] | str | os.PathLike[str],
    *,
    base: int | None = None,
    similarity: float = SIMILARITY,
    separator: str | None = None,
    marks: Marks | None = None,
    coder: str = "model",
) -> ModelOutputs:
    r"""Read the answers of a language model that was asked for segments.

    Known forms, in JSON (also in a fence) or in plain lines: numbers of the units that start a
    segment; boundaries after units; pairs (start, end); numbers of all units of each segment; a
    label of each unit (B and I, or numbers of segments); starting sentences, quoted or paraphrased;
    titles with any of these; and the text copied with separators (lines of ---, ===, headings,
    [SEP], a mark such as | that the document does not have) and small changes. The result names the
    form of each answer. Nothing is guessed: an answer that is not certainly of one form, or is
    unreadable (numbers out of range, repeated or not ascending; sentences that do not exist;
    rewritten text; an answer that was cut off; a refusal), is a failure with a reason: `missing=`
    of `ss.score` says how it counts.

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
    base
        Whether the first unit is 0 or 1. None: a number in each answer decides (0, or the number of
        units); if none does, an error asks for `base`.
    similarity
        How similar changed text must be to the document's own words: for a copy, 1 - word error
        rate; for a starting sentence, 1 - changed words over all words.
    separator
        What separates the segments of a copy, if not one of the usual separators: "\n\n".
    marks
        What a label 0 or 1 of each unit means: 1 is the first unit of a segment ("start") or the
        last ("end"), or units of a segment have the same label ("ids").
    coder
        The name of the model in the corpus.

    >>> units = {"a": ["It rains.", "It pours.", "Cats purr.", "Dogs bark."], "b": ["Hi.", "Bye."]}
    >>> outputs = {"a": '```json\n{"starts": [0, 2]}\n```', "b": "I'm sorry, I cannot do that."}
    >>> found = read_outputs(outputs, units)
    >>> found["a"], found.failures["b"]
    (Segmentation(masses=[2, 2]), 'a refusal: "I\'m sorry, I cannot do that."')
    >>> found.rows[0].form
    'JSON, starts'
    """
    rules = AnswerRules(base, similarity, separator, marks)
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
            given = as_text(text)
        answers[document] = answer_of(document, given, known[document], rules)
    return ModelOutputs(answers, known, coder, provenance)


def _units(given: Any) -> tuple[dict[str, Sequence[str] | int], Provenance]:
    """The texts of units, or their number, by document; and how units were formed."""
    if isinstance(given, str | os.PathLike):
        from segscore.io.reading import read

        given = read(given)
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
    if isinstance(given, Segmentation):
        return given.n_units
    if is_whole(given) and int(given) > 0:
        return int(given)
    texts = getattr(given, "units", given)
    if texts is None:  # a document without a text
        return int(given.n_units)
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise SegmentationError(
            f"document {name!r}: units is {shown(given)}: expected the texts of its units, or "
            "their number"
        )
    listed = list(texts)
    if not listed or not all(isinstance(text, str) for text in listed):
        raise SegmentationError(
            f"document {name!r}: units hold {shown(listed[0]) if listed else 'nothing'}: expected "
            "a text for each"
        )
    return listed
