"""What the tests of readers share."""

from pathlib import Path

import segscore as ss
from segscore.records import Record, fields_from_record


def fields(path: Path, name: str | None = None, **choices: str) -> list[dict]:
    """The records of a file in field form; a remark would be an error, for it warns."""
    from segscore.io import read_records
    from segscore.io.choices import Choices

    coder = choices.pop("coder", None)
    records = read_records(path, name, coder=coder, choices=Choices(**choices))  # type: ignore[arg-type]
    return [fields_from_record(record) for record in records]


def remarks(path: Path, name: str | None = None, **choices: str) -> tuple[list[dict], list[str]]:
    """The same, and what the reader said, without the folder."""
    said: list[str] = []
    corpus = ss.read(path, name, remark=said.append, **choices)  # type: ignore[arg-type]
    records: list[Record] = list(corpus.records())
    cut = [one.replace(f"{path.parent}/", "") for one in said]
    return [fields_from_record(record) for record in records], cut


def message(path: Path, name: str | None = None, **choices: str) -> str:
    """The error of a file that is wrong, without the folder."""
    try:
        fields(path, name, **choices)
    except ss.SegmentationError as error:
        return str(error).replace(f"{path.parent}/", "")
    raise AssertionError("no error")
