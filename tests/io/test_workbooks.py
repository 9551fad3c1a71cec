"""Excel: the same cells as other readers give, and files that lie about their size."""

import struct
import zipfile
import zlib
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from child_processes import python
from io_reading_tools import zip_of
from segscore.io.files import Source
from segscore.io.workbooks import read_workbook, rows_of

openpyxl = pytest.importorskip("openpyxl")

SHEET = "xl/worksheets/sheet1.xml"


def source(path: Path) -> Source:
    return Source(path, path.stem, "x")


def members_of(
    rows: list[list[Any]], path: Path, formats: dict[str, str] | None = None
) -> dict[str, bytes]:
    """A workbook of one sheet, saved, as its members."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for place, code in (formats or {}).items():
        book.active[place].number_format = code
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        return {member.filename: archive.read(member) for member in archive.infolist()}


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    path.write_bytes(zip_of(members))
    return path


def simple(path: Path, sheet: str, members: dict[str, bytes] | None = None) -> Path:
    """A workbook with this sheet, as small as it can be."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    given = {
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets><sheet name="s" '
        f'sheetId="1" r:id="a"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships><Relationship Id="a" Type="{rel}/worksheet" '
        f'Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="{rel}/sharedStrings" '
        'Target="/xl/sharedStrings.xml"/></Relationships>',
        "xl/sharedStrings.xml": "<sst><si><t>a</t></si><si><r><t>b</t></r><r><t xml:space='preserve'> c"
        "</t></r><rPh><t>d</t></rPh></si><si><t>x_x000D_y</t></si></sst>",
        SHEET: f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>',
    }  # fmt: skip
    packed = {name: text.encode() for name, text in given.items()} | (members or {})
    return zipped(path, packed)


def cells(path: Path) -> list[tuple[int, list[Any]]]:
    (sheet,) = read_workbook(source(path)).values()
    return list(rows_of(sheet))


def test_cells_are_those_that_calamine_gives(tmp_path: Path) -> None:
    """Except for errors such as #N/A, which calamine reads as empty cells."""
    calamine = pytest.importorskip("python_calamine")
    path = tmp_path / "x.xlsx"
    rows: list[list[Any]] = [
        ["text", 1, 2.5, True, False, None, "ü & <b>"],
        [None],
        [
            datetime(2024, 2, 29, 13, 5, 7),
            date(2024, 2, 29),
            time(13, 5),
            timedelta(hours=30),
            -1e-7,
        ],
        ["=1+1", None, " x ", "", 12345678901234567890, 1e300],
        [45000, 45000.5, 0.25, 1.5, 45000, 45000, 45000],
    ]
    formats = {"A5": "yyyy-mm-dd", "B5": "d/m/yy hh:mm", "C5": "h:mm AM/PM", "D5": "[h]:mm:ss",
               "E5": '0 "days"', "F5": "[Red]0.00", "G5": "General"}  # fmt: skip
    members_of(rows, path, formats)
    book = calamine.CalamineWorkbook.from_path(str(path))
    expected = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
    plain = [[None if cell == "" else cell for cell in row] for row in expected]
    wanted = [
        (number, row) for number, row in enumerate(plain, 1) if any(x is not None for x in row)
    ]
    assert cells(path) == wanted


def test_texts_and_places(tmp_path: Path) -> None:
    path = simple(
        tmp_path / "x.xlsx",
        '<row r="2"><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c r="D2" t="inlineStr"><is><t>i</t>'
        '<rPh><t>no</t></rPh></is></c></row><row><c t="str"><f>A1</f><v>f</v></c><c t="e"><v>#N/A</v>'
        '</c><c t="b"><v>1</v></c><c><v>7</v></c></row><row r="9"><c r="B9" t="s"><v>2</v></c></row>',
    )
    assert cells(path) == [
        (2, ["a", "b c", None, "i"]), (3, ["f", "#N/A", True, 7.0]), (9, [None, "x\ry", None, None]),
    ]  # fmt: skip


# ---- files that lie ----

READ = """
import sys
import segscore as ss
for path in sys.argv[1:]:
    try:
        ss.read(path, marks="end")
        print("read")
    except ss.SegmentationError as error:
        print(error)
"""


def test_cells_far_away_cost_nothing(tmp_path: Path) -> None:
    """They took 512 GB and ended the process; a pattern beside the reader missed two of them."""
    sound = members_of([["doc_id", "boundary"], ["a", 1]], tmp_path / "sound.xlsx")
    far = (
        sound[SHEET].replace(b'r="B2"', b'r="XFD1048576"').replace(b'row r="2"', b'row r="1048576"')
    )
    far = far.replace(b'r="A2"', b'r="A1048576"')
    places = [
        far,
        far.replace(b'<c r="XFD1048576" t="n"', b'<c t="n"r="XFD1048576"'),
        far.replace(b'r="XFD1048576"', b"\nr='XFD1048576'"),
        far.replace(b"XFD1048576", b"&#88;FD1048576"),
        far.replace(b"1048576", b"1048577"),
        far.replace(b"XFD", b"XFE"),
    ]
    assert len(set(places)) == 6
    paths = [
        zipped(tmp_path / f"{number}.xlsx", {**sound, SHEET: sheet})
        for number, sheet in enumerate(places)
    ]
    paths.append(_lying(zipped(tmp_path / "lying.xlsx", {**sound, SHEET: far}), far))
    ended = python(READ, *paths)
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert [str(path) in line for path, line in zip(paths, lines, strict=True)] == [True] * 7
    assert ended.peak < 200


def _lying(path: Path, sheet: bytes) -> Path:
    """Make the central directory say that the sheet has 10 bytes, with the checksum of those."""
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    while data[at + 46 : at + 46 + len(SHEET)] != SHEET.encode():
        at = data.index(b"PK\x01\x02", at + 4)
    data[at + 16 : at + 20] = struct.pack("<I", zlib.crc32(sheet[:10]))
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    path.write_bytes(data)
    return path


def test_a_far_cell_is_read_where_it_is(tmp_path: Path) -> None:
    path = simple(tmp_path / "x.xlsx", '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    ((number, row),) = cells(path)
    assert (number, len(row), row[-1]) == (2**20, 2**14, 1.0)


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ('<row r="2"/><row r="2"/>', "row '2'.*after row 2.*rows.*their order"),
        ('<row r="x"/>', "row 'x'.*after row 0"),
        ('<row r="-1"/>', "row '-1'.*after row 0"),
        ('<row r="1"><c r="B2"/></row>', "row 1.*called 'B2'"),
        ('<row><c r="B1"/><c r="A1"/></row>', "row 1.*'A1'.*in their order"),
        ('<row><c r="b1"/></row>', "is called 'b1'"),
        ('<row><c t="s"><v>3</v></c></row>', "cell refers.*text '3'.*there are 3"),
        ('<row><c t="s"><v>-1</v></c></row>', "cell refers.*'-1'"),
        ("<row><c><v>nan</v></c></row>", "cell holds 'nan'"),
        ("<row><c><v>1_0</v></c></row>", "a cell holds '1_0'"),
        ("<row><c><v>1e999</v></c></row>", "a cell holds '1e999'"),
        ("<row><c></row>", "expected an Excel workbook"),
        ('<row><c r="B1" r="C1"/></row>', "duplicate attribute"),
    ],
)
def test_sheets_that_are_wrong(sheet: str, message: str, tmp_path: Path) -> None:
    path = simple(tmp_path / "x.xlsx", sheet)
    with pytest.raises(ss.SegmentationError, match=message):
        cells(path)


def test_entities_are_refused(tmp_path: Path) -> None:
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>'
    )
    path = simple(tmp_path / "x.xlsx", "", {SHEET: bomb})
    with pytest.raises(ss.SegmentationError, match="DTD.*workbook"):
        cells(path)


def test_sheets_that_unpack_to_gigabytes(tmp_path: Path) -> None:
    """What comes out is counted, and cells that hold something take from the budget."""
    blank = simple(tmp_path / "blank.xlsx", " " * 2**26)
    row = "<row>" + '<c t="b"><v>1</v></c>' * 1000 + "</row>"
    full = simple(tmp_path / "full.xlsx", row * 1300)
    words = simple(
        tmp_path / "words.xlsx", "",
        {"xl/sharedStrings.xml": b"<sst>" + b"<si><t>ab</t></si>" * 2**20 + b"</sst>"},
    )  # fmt: skip
    ended = python(READ.replace("import segscore as ss", "import segscore as ss\n"
                   "from segscore.io import files as parsed_size, workbooks\n"
                   "parsed_size.MOST_PARSED = workbooks.MOST_BYTES = 2**25"),
                   blank, full, words)  # fmt: skip
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert "blank.xlsx: more than 32 MiB unpacked: expected less, or large=True" in lines[0]
    assert "full.xlsx: it would take up to 33 MiB" in lines[1]
    assert "words.xlsx: it would take up to 3" in lines[2]
    assert ended.peak < 600
