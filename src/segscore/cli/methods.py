"""The segmenters that a command names, with its options on words and encoders."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from segscore.errors import SegmentationError
from segscore.segmentation import Segmentation


@dataclass(frozen=True)
class Methods:
    """What the options say that holds for all methods of a command."""

    stop_words: Path | None = None
    stemmer: str | None = None
    preset: str | None = None
    encoder: str | None = None

    def check(self, names: Iterable[str]) -> None:
        """Refuse what is wrong before texts are read."""
        listed = list(names)
        uses = [name for name in listed if name.partition("(")[0].strip() == "embedding"]
        if self.encoder is not None and not uses:
            raise SegmentationError(
                f"--encoder is given, but {', '.join(listed)} uses none: expected --method "
                "embedding beside it"
            )
        if self.encoder is None or not uses:
            self._made(listed, None)

    def made(
        self, names: Iterable[str], documents: Mapping[str, Sequence[str]]
    ) -> dict[str, Callable[..., Segmentation]]:
        """The segmenters by name; files of vectors are read for these documents."""
        from segscore.segmenters.encoders import encoder

        return self._made(names, None if self.encoder is None else encoder(self.encoder, documents))

    def _made(self, names: Iterable[str], encode: Any) -> dict[str, Callable[..., Segmentation]]:
        from segscore.segmenters import by_name

        return {
            name: by_name.with_words(
                by_name.segmenter(name, encode), self.stop_words, self.stemmer, self.preset
            )
            for name in names
        }
