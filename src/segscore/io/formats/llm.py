"""Raw answers of a language model: what `segscore.answers.read` reads.

The units are those of the reference that the answers are scored against, or of the file that text=
(--text) names. A document whose answer gives no segmentation has none, and the reason is kept. A
file of our own codings in JSON Lines, such as a baseline's, is read as codings, so that a single
command can compare both.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping

from segscore.corpus.record import Record
from segscore.errors import named
from segscore.io.files import Source, byte_lines
from segscore.io.format import told_by_suffix, tool_format
from segscore.io.formats import jsonl

_CODED = {"masses", "boundaries", "gaps", "segment_ids", "spans", "levels", "failure"}
_OUTPUTS = {"output", "answer", "response", "completion", "prediction", "content", "text"}


def read(source: Source) -> Iterator[Record]:
    """A record per answer."""
    # what answers need is imported where there are any
    from segscore.io.answers.answer_reading import AnswerRules, answer_of, record_of
    from segscore.io.answers.output_files import raw_answers

    choices = source.choices
    if _holds_codings(source):
        yield from jsonl.read(source)
        choices.remark(f"{source.at()}: codings, not answers of a model: read as jsonl")
        return
    texts = choices.text
    if not isinstance(texts, Mapping):
        raise source.fail(
            "answers of a model do not hold the document: expected its units in text=, or "
            "as the reference"
        )
    rules = AnswerRules(choices.base, choices.similarity, choices.separator, choices.marks)
    forms: Counter[str] = Counter()
    for line, name, answer in raw_answers(source):
        if name not in texts:
            raise source.fail(
                f"document {name!r} has no units: expected one of {named(texts)}", line
            )
        units = texts[name].units
        known = units.texts if any(units.texts or ()) else None
        with source.locating(line):
            found = answer_of(name, answer, units.n if known is None else known, rules)
            record = record_of(name, source.coder, found, known, source.at(line))
        forms[found.form if found.reason is None and found.form else "no segmentation"] += 1
        yield record
    counts = ", ".join(f"{form} {count}" for form, count in forms.items())
    choices.remark(f"{source.at()}: {forms.total()} output{'s' * (forms.total() != 1)}: {counts}")


def _holds_codings(source: Source) -> bool:
    """Whether a file of JSON Lines plainly holds our codings."""
    if source.suffix not in (".jsonl", ".ndjson"):
        return False
    for _, line in byte_lines(source):
        if line.strip():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                return False
            coded = isinstance(found, dict) and bool(_CODED & found.keys())
            return coded and "document" in found and not found.keys() & _OUTPUTS
    return False


FORMAT = tool_format(
    "llm", "answers of a language model", ".jsonl .ndjson .json .txt", "units labels",
    told_by_suffix, read, alone=True, keys="base marks separator similarity",
)  # fmt: skip
