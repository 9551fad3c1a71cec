"""What the tests of readers share."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import segscore as ss
from segscore.corpus.record import Record, fields_from_record


def written(folder: Path, file: str, content: Any) -> Path:
    """The file, written; what is neither a text nor bytes as JSON."""
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    (folder / file).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder / file


def fields(path: Path, name: str | None = None, **choices: str) -> list[dict]:
    """The records of a file in field form; a remark would be an error, for it warns."""
    from segscore.io import read_records
    from segscore.io.read_options import ReadOptions

    records = read_records(path, name, ReadOptions(**choices))  # type: ignore[arg-type]
    return [fields_from_record(record) for record in records]


def remarks(path: Path, name: str | None = None, **choices: str) -> tuple[list[dict], list[str]]:
    """The fields of each record, and the remarks of the reader without the folder."""
    messages: list[str] = []
    corpus = ss.read(path, name, remark=messages.append, **choices)  # type: ignore[arg-type]
    records: list[Record] = list(corpus.records())
    cut = [remark.replace(f"{path.parent}/", "") for remark in messages]
    return [fields_from_record(record) for record in records], cut


def message(path: Path, name: str | None = None, **choices: str) -> str:
    """The error of a file that is wrong, without the folder."""
    try:
        fields(path, name, **choices)
    except ss.SegmentationError as error:
        return str(error).replace(f"{path.parent}/", "")
    raise AssertionError("no error")


def masses(corpus: ss.Corpus) -> dict[str, dict[str, list[int]]]:
    """What everybody coded: {document: {coder: masses}}."""
    return {
        name: {coder: coding.masses.tolist() for coder, coding in document.items()}
        for name, document in corpus.items()
    }


def workbook(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    """An Excel file of these sheets."""
    import xlsxwriter

    book = xlsxwriter.Workbook(path)
    for name, rows in sheets.items():
        page = book.add_worksheet(name)
        for number, row in enumerate(rows):
            page.write_row(number, 0, row)
    book.close()
    return path


def zip_of(members: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()
