"""Arrow files and streams (IPC), including Feather, and Parquet: their unpacked size, before they
are unpacked.

A message names the buffers of its columns; a compressed buffer begins with its unpacked length.
pyarrow takes that memory at once, so the lengths are added up first, from the same messages that it
will read: a file is read as the stream that it holds, and its footer only has to agree. Layout:
https://arrow.apache.org/docs/format/Columnar.html and Message.fbs (FlatBuffers).
"""

import struct
from typing import TYPE_CHECKING, Any

from segscore.io.files import Source

if TYPE_CHECKING:
    import pyarrow

_MAGIC = b"ARROW1"
_START = 8  # bytes of the magic and what fills them up
_RECORDS, _DICTIONARY = 3, 2  # kinds of messages
_BUFFER = 16  # bytes of a place and a length


def open_stream(source: Source, data: "pyarrow.Buffer") -> "pyarrow.RecordBatchReader":
    """The batches of a file or stream that is in memory, or mapped there."""
    from pyarrow import ipc

    inside = data
    if data[: len(_MAGIC)].to_pybytes() == _MAGIC:
        n_batches = ipc.open_file(data).num_record_batches
        inside = data.slice(_START)
    found = 0
    for message in ipc.MessageReader.open_stream(inside):
        kind, size = _unpacked_size(message)
        source.afford(size)
        found += kind == _RECORDS
    if inside is not data and found != n_batches:
        raise source.fail(
            f"its end says that it has {n_batches} batches, and there are {found}: expected a "
            "whole Arrow file"
        )
    return ipc.open_stream(inside)


def _unpacked_size(message: Any) -> tuple[int, int]:
    """The kind of a message, and the bytes of its buffers when they are unpacked."""
    header, body = message.metadata.to_pybytes(), message.body
    try:
        top = _Table(header, struct.unpack_from("<I", header)[0])
        kind = top.number(1, "<B")
        if kind not in (_RECORDS, _DICTIONARY) or body is None:
            return kind, 0
        records = top.table(2)
        if kind == _DICTIONARY:
            records = records.table(1)
        packed = records.has(3)
        return kind, sum(_length(body, place, length, packed) for place, length in records.pairs(2))
    except (struct.error, IndexError):  # pyarrow will say what is wrong with it
        return -1, 0


def _length(body: Any, place: int, length: int, packed: bool) -> int:
    """The length of a buffer when it is unpacked; 0 if it stays where it is."""
    if not packed or length < 8 or not 0 <= place <= body.size - 8:
        return 0
    declared: int = struct.unpack("<q", body[place : place + 8].to_pybytes())[0]
    return max(0, declared)


def parquet_size(metadata: Any) -> int:
    """The unpacked bytes of the largest row group of a Parquet file, according to the file.

    The sizes of single columns are not read: pyarrow aborts the process if the data beside them are
    damaged.
    """
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    return max((group.total_byte_size for group in groups), default=0)


class _Table:
    """A table of FlatBuffers: fields by number, at places that may be damaged."""

    def __init__(self, data: bytes, place: int) -> None:
        self._data, self._place = data, place
        back: int = struct.unpack_from("<i", data, place)[0]
        self._fields = place - back
        if self._fields < 0:
            raise IndexError("a table before the start")
        self._size: int = struct.unpack_from("<H", data, self._fields)[0]

    def _at(self, field: int) -> int:
        """The offset of a field; 0 if it is missing."""
        entry = 4 + 2 * field
        if entry + 2 > self._size:
            return 0
        moved: int = struct.unpack_from("<H", self._data, self._fields + entry)[0]
        return self._place + moved if moved else 0

    def has(self, field: int) -> bool:
        """Whether a field exists."""
        return self._at(field) > 0

    def number(self, field: int, form: str) -> int:
        """A number; 0 if it is missing."""
        at = self._at(field)
        return struct.unpack_from(form, self._data, at)[0] if at else 0

    def _target(self, field: int) -> int:
        at = self._at(field)
        if not at:
            raise IndexError("a field is missing")
        return at + int(struct.unpack_from("<I", self._data, at)[0])

    def table(self, field: int) -> "_Table":
        """A table inside."""
        return _Table(self._data, self._target(field))

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """A list of pairs of 64-bit numbers."""
        start = self._target(field)
        count: int = struct.unpack_from("<I", self._data, start)[0]
        if count > len(self._data) // _BUFFER:
            raise IndexError("a list beyond the end")
        return [
            struct.unpack_from("<qq", self._data, start + 4 + _BUFFER * i) for i in range(count)
        ]
