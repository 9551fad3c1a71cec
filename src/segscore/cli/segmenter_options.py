"""The segmenters that a command names: options on words and encoders, and their progress."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from segscore.cli.commands import OWN, option
from segscore.cli.options import AverageOption, FormatOption, TextReadOption, keys_in
from segscore.cli.output import remark, remark_all
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.corpus.corpus import Document
    from segscore.corpus.lists import Units


_WORTH_A_WORD = 10.0  # seconds of work


WorkersOption = Annotated[int | None, option("--workers", OWN, "Number of processes.", "NUMBER")]


@dataclass(kw_only=True)
class MethodOptions:
    """The options of all methods of a command."""

    stop_words: Annotated[
        Path | None,
        option("--stop-words", OWN, "Words to leave out, a file.", "FILE"),
    ] = None
    stemmer: Annotated[
        str | None, option("--stemmer", OWN, "A language, martin, choi or none.", "NAME")
    ] = None
    preset: Annotated[
        str | None,
        option("--preset", OWN, "Words as choi2000 or mit did.", "NAME"),
    ] = None
    encoder: Annotated[
        str | None,
        option("--encoder", OWN, "MODULE:FUNCTION, .npy, .npz.", "ENCODER"),
    ] = None

    def check(self, names: Iterable[str]) -> None:
        """Refuse what is wrong before texts are read."""
        listed = list(names)
        uses = [name for name in listed if name.partition("(")[0].strip() == "embedding"]
        if self.encoder is None or not uses:
            self._made(listed, None)

    def made(
        self, names: Iterable[str], documents: Mapping[str, Sequence[str]]
    ) -> dict[str, Callable[..., Segmentation]]:
        """The segmenters by name; files of vectors are read for these documents."""
        from segscore.segmenters.embedding import encoder

        return self._made(names, None if self.encoder is None else encoder(self.encoder, documents))

    def _made(self, names: Iterable[str], encode: Any) -> dict[str, Callable[..., Segmentation]]:
        from segscore.segmenters import by_name

        return {
            name: by_name.with_words(
                by_name.segmenter_named(name, encode), self.stop_words, self.stemmer, self.preset
            )
            for name in names
        }


_KEYS = ("text_encoding", "lenient", "large", "keep_headings", "unfinished")


@dataclass(kw_only=True)
class TextCorpusOptions:
    """How documents with text are read and scored."""

    reference: Annotated[
        str | None, option("--reference", OWN, "The coder who is the reference.", "CODER")
    ] = None
    source: FormatOption = None
    average: AverageOption = "micro"
    read_keys: TextReadOption = None

    def read(self, paths: Sequence[Path]) -> "dict[str, Document]":
        """The documents of files and folders."""
        from segscore.io.reading import read

        remarks: list[str] = []
        try:
            keys = keys_in(self.read_keys, *_KEYS)
            return dict(read(list(paths), self.source, remark=remarks.append, **keys))
        finally:
            remark_all(remarks)

    @property
    def settings(self) -> dict[str, Any]:
        """How segmentations are scored, as the library takes it."""
        return {"reference": self.reference, "average": self.average}


def texts_of(documents: "Mapping[str, Document]") -> "dict[str, Units]":
    """The units of documents that have a text."""
    return {
        name: document.units for name, document in documents.items() if document.units is not None
    }


def number_of_segments(segments: str, *words: str) -> int | None:
    """The value of --segments, unless it is another word: a number, or None for auto."""
    if segments == "auto":
        return None
    if not segments.isascii() or not segments.isdigit() or int(segments) < 1:
        expected = "".join(f"{word}, " for word in (*words, "auto"))
        raise SegmentationError(
            f"--segments is {segments!r}: expected {expected}or a number from 1 on"
        )
    return int(segments)


def refuse_other(name: str, option: str, wanted: Literal["segmenter", "metric"], hint: str) -> None:
    """Raise, with a hint, if a metric was given instead of a segmenter, or the reverse."""
    from segscore.metrics import all_metrics
    from segscore.segmenters import by_name

    word = name.partition("(")[0].strip()
    kinds: dict[str, Any] = {"metric": all_metrics(), "segmenter": by_name.all_segmenters()}
    other = "metric" if wanted == "segmenter" else "segmenter"
    if word in kinds[other] and word not in kinds[wanted]:
        raise SegmentationError(f"{option} is {name!r}, a {other}: expected a {wanted}{hint}")


def announced(
    segmenter: Callable[..., Segmentation], texts: Iterable[Sequence[str]]
) -> Callable[..., Segmentation]:
    """The segmenter, after a remark if it will take long.

    A single document on a terminal gets a bar of its own.
    """
    if not hasattr(segmenter, "expected_seconds"):
        return segmenter
    listed = list(texts)
    seconds = sum(segmenter.expected_seconds(units) for units in listed)
    if seconds < _WORTH_A_WORD:
        return segmenter
    long = f"{seconds:.0f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"
    documents = "document" if len(listed) == 1 else "documents"
    remark(f"{segmenter.name}: {len(listed)} {documents} may take {long} on one core")  # type: ignore[attr-defined]
    if len(listed) == 1 and sys.stderr.isatty():
        return _with_bar(segmenter)
    return replace(segmenter, progress=_said_already)  # type: ignore[type-var]


def _said_already(now: Any) -> None:
    """Suppress the segmenter's own warning."""


def _with_bar(segmenter: Any) -> Callable[..., Segmentation]:
    from rich.console import Console
    from rich.progress import Progress

    def segment(units: Sequence[str], n_segments: int | None = None) -> Segmentation:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(segmenter.name, total=segmenter.rounds)
            watched = replace(
                segmenter, progress=lambda now: bar.update(task, completed=now.number)
            )
            found: Segmentation = watched(units, n_segments)
            return found

    return segment
