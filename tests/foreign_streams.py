"""Arrow streams as another library might hand them out: C structs with something changed.

    ForeignStream(table, lambda schema, batch: setattr(batch, "children", None))

The structs are those that pyarrow exports, so that everything is right but the change. Whoever
reads the stream may crash: tests that do not know better run in a process of their own.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from needs import needs

pytestmark = needs("arrow")


class Schema(ctypes.Structure):
    """ArrowSchema of the C data interface."""


class Batch(ctypes.Structure):
    """ArrowArray of the C data interface."""


class Stream(ctypes.Structure):
    """ArrowArrayStream of the C stream interface."""


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Schema))
_GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Batch))
_GET_ERROR = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)

Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]  # fmt: skip
Batch._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Batch))), ("dictionary", ctypes.POINTER(Batch)),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]  # fmt: skip
Stream._fields_ = [
    ("get_schema", _GET_SCHEMA), ("get_next", _GET_NEXT), ("get_last_error", _GET_ERROR),
    ("release", _RELEASE), ("private_data", ctypes.c_void_p),
]  # fmt: skip

_keep: list[Any] = []  # what C refers to, for as long as the process lives


def _releasing(kind: Any) -> Any:
    """A release of structs that were changed: their parts, which nobody must walk, stay ours."""

    def release(address: int) -> None:
        kind.from_address(address).release = _RELEASE() if kind is Stream else None

    return _RELEASE(release)


_RELEASES = {kind: _releasing(kind) for kind in (Schema, Batch, Stream)}
_no_error = _GET_ERROR(lambda _: None)
Change = Callable[[Schema, Batch], None]


class ForeignStream:
    """A table as C structs, changed; it can be read once."""

    def __init__(self, table: pa.Table, change: Change) -> None:
        schema, batch = Schema(), Batch()
        whole = table.combine_chunks().to_batches()[0]
        whole._export_to_c(ctypes.addressof(batch), ctypes.addressof(schema))
        for structure in (schema, batch):
            structure.release = ctypes.cast(_RELEASES[type(structure)], ctypes.c_void_p).value
        change(schema, batch)
        left = [batch]

        def get_schema(_: Any, out: Any) -> int:
            ctypes.memmove(out, ctypes.byref(schema), ctypes.sizeof(Schema))
            return 0

        def get_next(_: Any, out: Any) -> int:
            ctypes.memset(out, 0, ctypes.sizeof(Batch))
            if left:
                ctypes.memmove(out, ctypes.byref(left.pop()), ctypes.sizeof(Batch))
            return 0

        self._stream = Stream(
            _GET_SCHEMA(get_schema), _GET_NEXT(get_next), _no_error, _RELEASES[Stream]
        )
        _keep.extend([whole, schema, batch, self._stream])

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The stream as a capsule."""
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = (
            ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
        )  # fmt: skip
        return new(ctypes.addressof(self._stream), b"arrow_array_stream", None)


def parts(root: Any) -> list[Any]:
    """A struct, its children and dictionaries, all levels down."""
    found = [root]
    for i in range(root.n_children):
        found += parts(root.children[i].contents)
    if root.dictionary:
        found += parts(root.dictionary.contents)
    return found
