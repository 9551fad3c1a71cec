"""The texts that chunks were cut from: of Markdown and plain text the file itself, of other formats
the units, put together.

Where chunks are scored against a reference, the reference is that text; headings then stay in it,
because they are in the chunks, and units are sentences on both sides unless the caller says
otherwise.
"""

from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from typing import Any

from segscore.errors import SegmentationError
from segscore.io import compressed
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.formats import chunks, headed_text
from segscore.io.read_options import SourceText
from segscore.io.registry import first_lines
from segscore.text.unit_splitting import Stretches

_WHOLE = (headed_text.MARKDOWN.name, headed_text.TEXT.name)
DEFAULT_RULE = "sentences"


def holds_chunks(path: Any, name: str | None) -> bool:
    """Whether a file, or some file of a folder that could hold them, holds chunks."""
    if name is not None:
        return name == chunks.FORMAT.name
    top = Path(path)
    suffixes = chunks.FORMAT.suffixes
    files: Iterable[Path] = top.rglob("*") if top.is_dir() else (top,)
    first = next((one for one in files if compressed.suffix_of(one) in suffixes), None)
    if first is None or not first.is_file():
        return False
    return chunks.matches(first_lines(Source(first, first.stem, "")))


def text_format(path: Path) -> str | None:
    """The format of a file of text, or of the files of text in a folder; None if neither."""
    files = path.rglob("*") if path.is_dir() else [path]
    suffixes = {compressed.suffix_of(one) for one in files}
    kinds = (headed_text.MARKDOWN, headed_text.TEXT)
    return next((kind.name for kind in kinds if suffixes & {*kind.suffixes}), None)


def is_whole_text(kind: Format) -> bool:
    """Whether files of a format are the text itself."""
    return kind.name in _WHOLE


def source_texts(found: list[tuple[Source, Format]], rule: str) -> dict[str, SourceText]:
    """The text of each document of some files."""
    texts: dict[str, SourceText] = {}
    for source, kind in found:
        if is_whole_text(kind):
            text, headings = headed_text.whole_text(source)
            units = headed_text.whole_units(text, headings, rule)
            sentences = headed_text.whole_units(text, headings, "sentences")
            texts[source.document] = SourceText(text, units, True, sentences)
            continue
        for record in kind.read(source):
            if record.units is not None:
                texts.setdefault(record.document, _joined(record.units))
    if not texts:
        raise SegmentationError(
            f"{found[0][0].at()} holds no text, and chunks are to be found in it: expected a "
            "reference with the text of its units, or the text in text= (--text)"
        )
    return texts


def _joined(units: tuple[str, ...]) -> SourceText:
    """Units with a space between them: where chunks are found, white space does not count."""
    ends = list(accumulate((len(unit) + 1 for unit in units), initial=0))[1:]
    edges = [(end - 1 - len(unit), end - 1) for unit, end in zip(units, ends, strict=True)]
    starts, stops = [start for start, _ in edges], [end for _, end in edges]
    return SourceText(" ".join(units), Stretches(starts, stops, units), exact=False)
