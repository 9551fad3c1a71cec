"""The segmenters that a command names, with its options on words and encoders."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError


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
        self._refuse_unused(listed)

    def _refuse_unused(self, names: list[str]) -> None:
        """Words are nothing to baselines: an option that does nothing is a mistake."""
        given = {
            "--stop-words": self.stop_words, "--stemmer": self.stemmer, "--preset": self.preset,
        }  # fmt: skip
        from segscore.segmenters import by_name

        option = next((name for name, value in given.items() if value is not None), None)
        if option is None or any(map(by_name.looks_at_words, names)):
            return
        do = "does" if len(names) == 1 else "do"
        raise SegmentationError(
            f"{option} is given, but {', '.join(names)} {do} not look at words: expected a method "
            "that does, such as c99, or no such option"
        )

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


def refuse_metric(name: str, option: str, command: str) -> None:
    """An error that says so if a metric was given where a segmenter is expected."""
    from segscore.metrics import all_metrics
    from segscore.segmenters import by_name

    word = name.partition("(")[0].strip()
    if word in all_metrics() and word not in by_name.all_segmenters():
        raise SegmentationError(f"{option} is {name!r}, a metric: expected a segmenter{command}")


def refuse_segmenter(name: str, instead: str) -> None:
    """An error that says so if a segmenter was given where -m expects a metric."""
    from segscore.metrics import all_metrics
    from segscore.segmenters import by_name

    word = name.partition("(")[0].strip()
    if word in by_name.all_segmenters() and word not in all_metrics():
        raise SegmentationError(f"-m is {name!r}, a segmenter: expected a metric, or {instead}")
