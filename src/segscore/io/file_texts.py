"""The texts of files, which are read again on access.

A corpus keeps the units of its documents. Instead of the text that they were cut from, it keeps the
offsets of the units and the name of the file.
"""

from dataclasses import dataclass
from pathlib import Path

from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.text.located_units import KeptText, LocatedUnits, TextHolder, digest_of
from segscore.text.unit_splitting import Stretches


def whole_text(source: Source) -> str:
    """The complete text of a file, with Python's line ends."""
    return with_line_ends(source.read_text())


def with_line_ends(text: str) -> str:
    """The text with Python's line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True)
class FileText:
    """The text of a permanent file; `called` is its name in messages."""

    path: Path
    encoding: str | None
    called: str
    digest: bytes

    @property
    def text(self) -> str:
        """The text, if the file has not changed since it was read."""
        source = Source(self.path, self.path.stem, "", self.encoding, called=self.called)
        text = whole_text(source)
        if digest_of(text) != self.digest:
            raise SegmentationError(
                f"{self.called} has changed since it was read, and its text is needed: expected "
                "the same text; read it again"
            )
        return text


def located(source: Source, text: str, units: Stretches) -> LocatedUnits:
    """The units of a file's text; the text of a temporary file (a member of an archive, a pipe) is
    kept."""
    holder: TextHolder = KeptText(text)
    if source.called is None:
        digest = digest_of(text)
        holder = FileText(source.path.absolute(), source.encoding, source.at(), digest)
    return LocatedUnits.of(units, holder)
