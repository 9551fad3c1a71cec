"""Text with headings, on its way to a record: units, where segments start, ranks and titles."""

from collections.abc import Iterable

from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.io.files import Source


class Outline:
    """Collects units and headings in the order of the file.

    A heading starts a segment where its first unit comes. Of headings without a unit between them
    the last one gives the label, and the most prominent the rank. Units before any heading are a
    segment without a label.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._units: list[str] = []
        self._starts: dict[int, tuple[int, str]] = {}

    def heading(self, rank: int, title: str) -> None:
        """A heading; its text follows."""
        at = len(self._units)
        before = self._starts.get(at, (rank, ""))[0]
        self._starts[at] = (min(rank, before), title)

    def units(self, texts: Iterable[str]) -> None:
        """Units, next in order."""
        self._units += texts

    def record(self, *, ranked: bool = True) -> Record:
        """The one coding of the file."""
        source, n = self._source, len(self._units)
        if not n:
            raise source.fail("no text below any heading: expected at least one unit")
        starts = [at for at in sorted({0, *self._starts}) if at < n]
        found = [self._starts.get(at, (1, "")) for at in starts]
        ranks = [rank for rank, _ in found[1:]] if ranked else None
        labels = [title or None for _, title in found]
        with source.locating():
            coding = Segmentation.from_boundaries(starts[1:], n, ranks=ranks)
            return Record(
                source.document,
                source.coder,
                coding,
                tuple(self._units),
                tuple(labels) if any(labels) else None,  # type: ignore[arg-type]
                place=source.at(),
            )
