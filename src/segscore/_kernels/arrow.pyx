# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Reads Arrow C streams (the PyCapsule interface) without an Arrow library.

A stream gives batches of columns; a column gives its content as plain bytes of its own: 64-bit
integers, lists as offsets and values, texts as offsets and UTF-8; lists of anything else are taken
apart (`pieces`), and texts that are few are codes (`distinct`). What comes out is a copy, so the
producer may free or change its memory afterwards.

Whoever made the stream may be wrong. Every length, offset and index is checked against the lengths
that the arrays declare before anything is read by it, and an array without the buffers or children
that its type needs is refused; so are lengths that no buffer holds (nulls, lists of nothing, views
and words that are used over and over) beyond what a batch may need. The interface does not tell how
long buffers are, nor whether a pointer points to anything: that much must be trusted, and is
validated before wherever pyarrow knows it (`basics/arrow_validation.py`).
Layouts: https://arrow.apache.org/docs/format/CDataInterface.html and …/CStreamInterface.html.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.stdint cimport (
    INT64_MAX, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
)
from libc.string cimport memcpy, memset

from segscore.errors import SegmentationError

cdef extern from *:
    """
    #ifndef ARROW_C_DATA_INTERFACE
    #define ARROW_C_DATA_INTERFACE
    struct ArrowSchema {
      const char* format; const char* name; const char* metadata; int64_t flags;
      int64_t n_children; struct ArrowSchema** children; struct ArrowSchema* dictionary;
      void (*release)(struct ArrowSchema*); void* private_data;
    };
    struct ArrowArray {
      int64_t length; int64_t null_count; int64_t offset; int64_t n_buffers; int64_t n_children;
      const void** buffers; struct ArrowArray** children; struct ArrowArray* dictionary;
      void (*release)(struct ArrowArray*); void* private_data;
    };
    #endif
    #ifndef ARROW_C_STREAM_INTERFACE
    #define ARROW_C_STREAM_INTERFACE
    struct ArrowArrayStream {
      int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
      int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
      const char* (*get_last_error)(struct ArrowArrayStream*);
      void (*release)(struct ArrowArrayStream*); void* private_data;
    };
    #endif
    """
    struct ArrowSchema:
        const char* format
        const char* name
        int64_t n_children
        ArrowSchema** children
        ArrowSchema* dictionary
        void (*release)(ArrowSchema*)
    struct ArrowArray:
        int64_t length
        int64_t null_count
        int64_t offset
        int64_t n_buffers
        int64_t n_children
        const void** buffers
        ArrowArray** children
        ArrowArray* dictionary
        void (*release)(ArrowArray*)
    struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream*, ArrowSchema*) noexcept nogil
        int (*get_next)(ArrowArrayStream*, ArrowArray*) noexcept nogil
        const char* (*get_last_error)(ArrowArrayStream*) noexcept nogil
        void (*release)(ArrowArrayStream*) noexcept nogil

cdef enum:
    INLINE = 12  # bytes of a text that a view holds itself
    VIEW = 16  # bytes of a view
    DEPTH = 3  # of lists inside lists: levels, their segments, the labels of these

cdef int64_t MOST = <int64_t> 1 << 48  # of any length or offset: sums of two do not overflow
cdef int64_t UNHELD = <int64_t> 1 << 26  # rows or items of a batch that no buffer need hold
cdef int64_t UNHELD_BYTES = <int64_t> 1 << 31  # of texts made of the words of a dictionary
cdef int64_t WIDEST = 1_000_000  # columns of a table
cdef frozenset INTEGERS = frozenset(("c", "C", "s", "S", "i", "I", "l", "L"))
cdef frozenset TEXTS = frozenset(("u", "U", "vu"))
cdef frozenset LISTS = frozenset(("+l", "+L", "+vl", "+vL"))


# ---- streams ----


cdef class Owner:
    """One batch; its memory goes back to the producer when no column refers to it."""

    cdef ArrowArray array

    def __cinit__(self):
        memset(&self.array, 0, sizeof(ArrowArray))

    def __dealloc__(self):
        if self.array.release != NULL:
            self.array.release(&self.array)


cdef class Stream:
    """The batches of an `arrow_array_stream` capsule, each as a list of columns."""

    cdef ArrowArrayStream stream
    cdef readonly list names
    cdef list fields

    def __cinit__(self, object capsule):
        cdef ArrowArrayStream* given
        memset(&self.stream, 0, sizeof(ArrowArrayStream))
        if not PyCapsule_IsValid(capsule, "arrow_array_stream"):
            raise SegmentationError("no Arrow stream: __arrow_c_stream__ gave something else")
        given = <ArrowArrayStream*> PyCapsule_GetPointer(capsule, "arrow_array_stream")
        if given.release == NULL:
            raise SegmentationError("the Arrow stream was read already: make a new one")
        self.stream = given[0]  # moved: the capsule must not be read or released again
        given.release = NULL

    def __init__(self, object capsule):
        cdef ArrowSchema schema
        cdef int failed
        memset(&schema, 0, sizeof(ArrowSchema))
        with nogil:
            failed = self.stream.get_schema(&self.stream, &schema)
        if failed:
            self._fail()
        try:
            self._read_schema(&schema)
        finally:
            if schema.release != NULL:
                schema.release(&schema)

    def __dealloc__(self):
        if self.stream.release != NULL:
            self.stream.release(&self.stream)

    cdef int _read_schema(self, ArrowSchema* schema) except -1:
        if schema.format == NULL or bytes(schema.format) != b"+s":
            raise SegmentationError("the Arrow stream holds a single column: expected a table")
        self.fields = fields(schema, DEPTH, "table")
        self.names = [one[1] for one in self.fields]
        return 0

    cdef int _fail(self) except -1:
        cdef const char* said = self.stream.get_last_error(&self.stream)
        why = "no reason given" if said == NULL else (<bytes> said).decode("utf-8", "replace")
        raise SegmentationError(f"the Arrow stream failed: {why}")

    def __iter__(self):
        return self

    def __next__(self):
        """(number of rows, mask of rows that are null as a whole or None, columns)."""
        cdef Owner owner = Owner()
        cdef ArrowArray* batch = &owner.array
        cdef Column whole
        cdef int failed
        cdef int64_t i
        with nogil:
            failed = self.stream.get_next(&self.stream, batch)
        if failed:
            self._fail()
        if batch.release == NULL:
            raise StopIteration
        whole = column(owner, batch, ("+s", "batch", [], None), 0, -1)
        if batch.n_children != len(self.fields):
            raise SegmentationError(
                f"an Arrow batch has {batch.n_children} columns: expected {len(self.fields)}"
            )
        if batch.n_children and batch.children == NULL:
            raise SegmentationError("an Arrow batch has no columns where they should be")
        columns = [
            column(owner, batch.children[i], self.fields[i], whole.start, whole.rows)
            for i in range(batch.n_children)
        ]
        return whole.rows, whole.nulls(), columns


cdef tuple field(ArrowSchema* schema, int depth):
    """(format, name, fields of children, field of the dictionary), so many levels deep."""
    form, name = plain_field(schema)
    children = [] if depth == 0 else fields(schema, depth - 1, f"column {name!r}")
    words = None if schema.dictionary == NULL else (*plain_field(schema.dictionary), [], None)
    return form, name, children, words


cdef list fields(ArrowSchema* schema, int depth, str what):
    """The fields of all children."""
    cdef int64_t i
    if not 0 <= schema.n_children <= WIDEST or (schema.n_children and schema.children == NULL):
        raise SegmentationError(
            f"the Arrow {what} says that it has {schema.n_children} columns inside, and has not"
        )
    return [field(schema.children[i], depth) for i in range(schema.n_children)]


cdef tuple plain_field(ArrowSchema* schema):
    if schema == NULL or schema.format == NULL:
        raise SegmentationError("the Arrow stream has a column without a type")
    name = "" if schema.name == NULL else (<bytes> schema.name).decode("utf-8", "replace")
    return (<bytes> schema.format).decode("utf-8", "replace"), name


cdef str kind_of(tuple told):
    """What a field holds: integers, lists, texts or other; words of a dictionary are texts."""
    form, _, _, words = told
    if words is not None:
        return "texts" if form in INTEGERS and words[0] in TEXTS else "other"
    if form in INTEGERS:
        return "integers"
    if form in LISTS or form.startswith("+w:"):
        return "lists"
    return "texts" if form in TEXTS else "other"


cdef str type_of(tuple told):
    """The Arrow format of a field; that of its numbers does not tell what a dictionary holds."""
    return told[0] if told[3] is None else f"dictionary {told[0]}"


# ---- columns ----


cdef Column column(Owner owner, ArrowArray* array, tuple told, int64_t first, int64_t rows):
    """Rows first … first + rows of an array (all of them if rows is -1), its lengths checked."""
    cdef Column made = Column.__new__(Column)
    if array == NULL:
        raise SegmentationError(f"Arrow column {told[1]!r} is absent from its batch")
    rows = array.length if rows < 0 else rows
    if not (0 <= array.offset <= MOST and 0 <= array.length <= MOST):
        raise SegmentationError(f"Arrow column {told[1]!r} has a length or offset out of range")
    if first < 0 or rows < 0 or first + rows > array.length:
        raise SegmentationError(
            f"Arrow column {told[1]!r} has {array.length} rows: expected {first + rows}"
        )
    if array.n_buffers < 0 or (array.n_buffers and array.buffers == NULL):
        raise SegmentationError(f"Arrow column {told[1]!r} has no buffers")
    made.owner, made.array = owner, array
    made.format, made.name = told[0], told[1]
    made.start, made.rows = array.offset + first, rows
    made.told = told
    return made


cdef class Column:
    """Some rows of one array of a batch."""

    cdef Owner owner
    cdef ArrowArray* array
    cdef tuple told
    cdef readonly str format
    cdef readonly str name
    cdef int64_t start  # of the rows, in the buffers
    cdef readonly int64_t rows

    @property
    def kind(self):
        """What the column holds: integers, lists, texts or other."""
        return kind_of(self.told)

    @property
    def item_kind(self):
        """What the lists of the column hold: integers, lists, texts or other."""
        return kind_of(self.told[2][0]) if self.told[2] else "other"

    @property
    def type_name(self):
        """The Arrow format, with that of a list's items."""
        return " of ".join([type_of(self.told), *map(type_of, self.told[2])])

    cdef const uint8_t* buffer(self, int64_t index) except? NULL:
        """A buffer that the type must have; it may be absent only where nothing is read."""
        if index >= self.array.n_buffers or self.array.buffers[index] == NULL:
            if self.rows:
                raise SegmentationError(f"Arrow column {self.name!r} lacks buffer {index}")
            return NULL
        return <const uint8_t*> self.array.buffers[index]

    cdef const uint8_t* validity(self):
        """The bits that say which rows are there; NULL if all are."""
        if self.array.null_count == 0 or self.array.n_buffers < 1:
            return NULL
        return <const uint8_t*> self.array.buffers[0]

    cdef int _check_held(self) except -1:
        """Refuse very many rows that no buffer holds, before memory is taken for them."""
        if self.rows > UNHELD and self.format in ("n", "+w:0"):
            raise SegmentationError(
                f"Arrow column {self.name!r} says that it has {self.rows} rows, which no buffer "
                f"holds: expected at most {UNHELD} in a batch"
            )
        return 0

    def nulls(self):
        """A byte per row, 1 where it is null; None if no row is."""
        cdef const uint8_t* bits = self.validity()
        cdef bytes mask
        cdef uint8_t* out
        cdef int64_t i, at, n_null = 0
        self._check_held()
        if self.format == "n":
            return b"\x01" * self.rows if self.rows else None
        if bits == NULL or self.rows == 0:
            return None
        mask = PyBytes_FromStringAndSize(NULL, self.rows)
        out = <uint8_t*> PyBytes_AsString(mask)
        with nogil:
            for i in range(self.rows):
                at = self.start + i
                out[i] = not (bits[at >> 3] >> (at & 7)) & 1
                n_null += out[i]
        return mask if n_null else None

    def integers(self):
        """The values as bytes of int64; those beyond it are its largest."""
        if self.format not in INTEGERS:
            raise SegmentationError(
                f"Arrow column {self.name!r} is of type {self.type_name!r}: expected integers"
            )
        return self._widened()

    cdef bytes _widened(self):
        cdef bytes made = PyBytes_FromStringAndSize(NULL, self.rows * sizeof(int64_t))
        cdef const uint8_t* values = self.buffer(1)
        cdef int64_t* out = <int64_t*> PyBytes_AsString(made)
        cdef int kind = ord(self.format)
        with nogil:
            widen(values, kind, self.start, self.rows, out)
        return made

    def lists(self):
        """(offsets, values, bytes per value, rows with a null inside or None).

        Offsets are int64 and start at 0; values are int32 if that holds the items' type, else
        int64 (beyond which they are its largest).
        """
        cdef Column items = self.items()
        cdef bytes ends = PyBytes_FromStringAndSize(NULL, (self.rows + 1) * sizeof(int64_t))
        cdef bytes begins = PyBytes_FromStringAndSize(NULL, self.rows * sizeof(int64_t))
        cdef int64_t* offsets = <int64_t*> PyBytes_AsString(ends)
        cdef int64_t* first = <int64_t*> PyBytes_AsString(begins)
        cdef int64_t bad, n = self.rows
        bad = self.places(offsets, first, items.rows)
        self._check_places(bad, offsets[n], max(items.rows, UNHELD))
        values, width = items.taken(n, offsets, first, self.format.startswith("+v"))
        return ends, values, width, items.holes(n, offsets, first)

    def pieces(self):
        """(offsets, starts, items): lists of anything, the offsets as in `lists`; row i's items are
        rows starts[i] … of the column `items`, which has no more than what is used."""
        cdef Column items = self.items()
        cdef bytes ends = PyBytes_FromStringAndSize(NULL, (self.rows + 1) * sizeof(int64_t))
        cdef bytes begins = PyBytes_FromStringAndSize(NULL, self.rows * sizeof(int64_t))
        cdef int64_t* offsets = <int64_t*> PyBytes_AsString(ends)
        cdef int64_t* first = <int64_t*> PyBytes_AsString(begins)
        cdef int64_t bad, row, most, low = INT64_MAX, high = 0
        bad = self.places(offsets, first, items.rows)
        # levels are lists again, each of which may be long: none is read twice
        most = items.rows if items.kind == "lists" else max(items.rows, UNHELD)
        self._check_places(bad, offsets[self.rows], most)
        for row in range(self.rows):
            if offsets[row + 1] > offsets[row]:
                low = min(low, first[row])
                high = max(high, first[row] + offsets[row + 1] - offsets[row])
        low = min(low, high)
        for row in range(self.rows):
            first[row] = first[row] - low if offsets[row + 1] > offsets[row] else 0
        return ends, begins, column(
            self.owner, self.array.children[0], self.told[2][0], low, high - low
        )

    cdef int _check_places(self, int64_t bad, int64_t total, int64_t most) except -1:
        """Refuse a list that lies outside, and lists that share their items too often."""
        if bad >= 0:
            raise SegmentationError(
                f"Arrow column {self.name!r}, row {bad}: its list is outside the column's values"
            )
        if total > most:
            raise SegmentationError(
                f"Arrow column {self.name!r} has lists of {total} items that share their values: "
                f"expected at most {most}"
            )
        return 0

    cdef Column items(self):
        """The values of a column of lists, all of them."""
        cdef Column inside
        if self.kind != "lists":
            raise SegmentationError(
                f"Arrow column {self.name!r} is of type {self.type_name!r}: expected lists"
            )
        if self.array.n_children != 1 or self.array.children == NULL or len(self.told[2]) != 1:
            raise SegmentationError(f"Arrow column {self.name!r} has no list items")
        self._check_held()
        inside = column(self.owner, self.array.children[0], self.told[2][0], 0, -1)
        inside._check_held()
        return inside

    cdef int64_t places(self, int64_t* offsets, int64_t* first, int64_t n_items) except -2:
        """Where each row's list starts, and offsets of the lists joined; or the first bad row."""
        cdef int64_t size
        cdef const uint8_t* one
        cdef const uint8_t* other
        cdef const uint8_t* there = self.validity()
        offsets[0] = 0
        if self.format.startswith("+w:"):
            size = fixed_size(self.format)
            if self.rows and size > n_items // (self.start + self.rows):
                return 0
            for row in range(self.rows):
                first[row] = (self.start + row) * size
                offsets[row + 1] = (row + 1) * size
            return -1
        one = self.buffer(1)
        if self.format == "+l":
            return list_places[int32_t](<const int32_t*> one, self.start, self.rows, n_items, offsets, first)
        if self.format == "+L":
            return list_places[int64_t](<const int64_t*> one, self.start, self.rows, n_items, offsets, first)
        other = self.buffer(2)
        if self.format == "+vl":
            return view_places[int32_t](<const int32_t*> one, <const int32_t*> other, there, self.start,
                                        self.rows, n_items, offsets, first)
        return view_places[int64_t](<const int64_t*> one, <const int64_t*> other, there, self.start,
                                    self.rows, n_items, offsets, first)

    cdef tuple taken(self, int64_t n, const int64_t* offsets, const int64_t* first, bint apart):
        """The items of lists, joined, and their width; lists that lie apart are copied singly."""
        cdef int kind, width
        cdef int64_t row
        cdef bytes made
        cdef void* out
        cdef const uint8_t* values = NULL
        if self.told[3] is not None or not (self.format in ("b", "n") or self.format in INTEGERS):
            raise SegmentationError(
                f"Arrow column {self.name!r} holds lists of {type_of(self.told)!r}: expected "
                "integers"
            )
        kind = ord(self.format)
        width = 8 if kind in (c"I", c"l", c"L") else 4
        made = PyBytes_FromStringAndSize(NULL, offsets[n] * width)
        out = <void*> PyBytes_AsString(made)
        if offsets[n] == 0 or kind == c"n":
            memset(out, 0, offsets[n] * width)
            return made, width
        values = self.buffer(1)
        with nogil:
            for row in range(n if apart else 1):
                if width == 4:
                    narrow(values, kind, self.start + first[row],
                           (offsets[row + 1] if apart else offsets[n]) - offsets[row],
                           <int32_t*> out + offsets[row])
                else:
                    widen(values, kind, self.start + first[row],
                          (offsets[row + 1] if apart else offsets[n]) - offsets[row],
                          <int64_t*> out + offsets[row])
        return made, width

    cdef object holes(self, int64_t n, const int64_t* offsets, const int64_t* first):
        """A byte per row of lists: 1 where an item is null; None if none is."""
        cdef const uint8_t* bits = self.validity()
        cdef bint all_null = self.format == "n"
        cdef bytes mask
        cdef uint8_t* out
        cdef int64_t row, i, at, n_holes = 0
        if (bits == NULL or self.array.null_count == 0) and not all_null:
            return None
        mask = PyBytes_FromStringAndSize(NULL, n)
        out = <uint8_t*> PyBytes_AsString(mask)
        with nogil:
            for row in range(n):
                out[row] = 0
                for i in range(offsets[row + 1] - offsets[row]):
                    at = self.start + first[row] + i
                    if all_null or not (bits[at >> 3] >> (at & 7)) & 1:
                        out[row] = 1
                        n_holes += 1
                        break
        return mask if n_holes else None

    def texts(self):
        """(offsets, UTF-8): texts, or integers as decimals; null rows are empty."""
        if self.told[3] is not None:
            return self._looked_up()
        if self.format in INTEGERS:
            return decimals(self.integers())
        if self.format == "vu":
            return self._viewed()
        if self.format == "u":
            return joined_texts[int32_t](self, <const int32_t*> self.buffer(1))
        if self.format == "U":
            return joined_texts[int64_t](self, <const int64_t*> self.buffer(1))
        raise SegmentationError(
            f"Arrow column {self.name!r} is of type {self.type_name!r}: expected texts or integers"
        )

    def _viewed(self):
        """Texts of a string view array."""
        cdef const uint8_t* views = self.buffer(1)
        cdef const uint8_t* bits = self.validity()
        cdef int64_t n_data = self.array.n_buffers - 3, row, total = 0, most = INLINE * self.rows
        cdef const int64_t* sizes = NULL
        cdef const int32_t* view
        cdef const uint8_t* source
        cdef bytes ends = PyBytes_FromStringAndSize(NULL, (self.rows + 1) * sizeof(int64_t))
        cdef int64_t* offsets = <int64_t*> PyBytes_AsString(ends)
        cdef bytes data
        cdef uint8_t* out
        if n_data > 0:
            sizes = <const int64_t*> self.array.buffers[self.array.n_buffers - 1]
        for row in range(n_data if sizes != NULL else 0):
            most += max(0, sizes[row])
        most = max(most, UNHELD_BYTES)
        offsets[0] = 0
        for row in range(self.rows):
            view = <const int32_t*> (views + VIEW * (self.start + row))
            if bits == NULL or (bits[(self.start + row) >> 3] >> ((self.start + row) & 7)) & 1:
                if view[0] < 0 or (view[0] > INLINE and (
                    sizes == NULL or not 0 <= view[2] < n_data or view[3] < 0
                    or <int64_t> view[3] + view[0] > sizes[view[2]]
                    or self.array.buffers[2 + view[2]] == NULL
                )):
                    raise SegmentationError(f"Arrow column {self.name!r}, row {row}: bad text")
                total += view[0]
                if total > most:
                    raise SegmentationError(
                        f"Arrow column {self.name!r}: texts of more than {most} bytes that share "
                        "their letters: expected less in a batch"
                    )
            offsets[row + 1] = total
        data = PyBytes_FromStringAndSize(NULL, total)
        out = <uint8_t*> PyBytes_AsString(data)
        for row in range(self.rows):
            if offsets[row + 1] == offsets[row]:
                continue
            view = <const int32_t*> (views + VIEW * (self.start + row))
            source = <const uint8_t*> view + 4
            if view[0] > INLINE:
                source = <const uint8_t*> self.array.buffers[2 + view[2]] + view[3]
            memcpy(out + offsets[row], source, view[0])
        return ends, data

    def _looked_up(self):
        """Texts of a dictionary array (categories)."""
        cdef Column words = column(self.owner, self.array.dictionary, self.told[3], 0, -1)
        cdef bytes word_ends, word_data, data
        cdef bytes indices = self.integers()
        cdef const int64_t* index = <const int64_t*> PyBytes_AsString(indices)
        cdef const uint8_t* bits = self.validity()
        cdef bytes ends = PyBytes_FromStringAndSize(NULL, (self.rows + 1) * sizeof(int64_t))
        cdef int64_t* offsets = <int64_t*> PyBytes_AsString(ends)
        cdef const int64_t* word
        cdef const char* letters
        cdef char* out
        cdef int64_t row, most, total = 0
        word_ends, word_data = words.texts()
        most = max(<int64_t> len(word_data), UNHELD_BYTES)
        word = <const int64_t*> PyBytes_AsString(word_ends)
        letters = PyBytes_AsString(word_data)
        offsets[0] = 0
        for row in range(self.rows):
            if bits == NULL or (bits[(self.start + row) >> 3] >> ((self.start + row) & 7)) & 1:
                if not 0 <= index[row] < words.rows:
                    raise SegmentationError(
                        f"Arrow column {self.name!r}, row {row}: no such dictionary entry"
                    )
                total += word[index[row] + 1] - word[index[row]]
                if total > most:
                    raise SegmentationError(
                        f"Arrow column {self.name!r}: texts of more than {most} bytes, made of "
                        f"{words.rows} words: expected less in a batch"
                    )
            offsets[row + 1] = total
        data = PyBytes_FromStringAndSize(NULL, total)
        out = PyBytes_AsString(data)
        for row in range(self.rows):
            if offsets[row + 1] > offsets[row]:
                memcpy(out + offsets[row], letters + word[index[row]],
                       offsets[row + 1] - offsets[row])
        return ends, data


    def distinct(self):
        """(codes, texts): which of the distinct texts each row has, as int32; -1 if it is null."""
        cdef bytes made = PyBytes_FromStringAndSize(NULL, self.rows * sizeof(int32_t))
        cdef int32_t* codes = <int32_t*> PyBytes_AsString(made)
        cdef const uint8_t* bits = self.validity()
        cdef bytes ends, data, word_codes
        cdef const int64_t* offsets
        cdef const int32_t* of_words
        cdef const char* letters
        cdef Column words
        cdef int64_t row
        cdef dict known = {}
        if self.format == "n":
            return b"\xff" * (self.rows * sizeof(int32_t)), []
        if self.told[3] is not None:
            words = column(self.owner, self.array.dictionary, self.told[3], 0, -1)
            word_codes, texts = words.distinct()
            of_words = <const int32_t*> PyBytes_AsString(word_codes)
            data = self.integers()
            offsets = <const int64_t*> PyBytes_AsString(data)  # of entries in the dictionary
            for row in range(self.rows):
                codes[row] = -1
                if bits == NULL or (bits[(self.start + row) >> 3] >> ((self.start + row) & 7)) & 1:
                    if not 0 <= offsets[row] < words.rows:
                        raise SegmentationError(
                            f"Arrow column {self.name!r}, row {row}: no such dictionary entry"
                        )
                    codes[row] = of_words[offsets[row]]
            return made, texts
        ends, data = self.texts()
        offsets = <const int64_t*> PyBytes_AsString(ends)
        letters = PyBytes_AsString(data)
        for row in range(self.rows):
            codes[row] = -1
            if bits == NULL or (bits[(self.start + row) >> 3] >> ((self.start + row) & 7)) & 1:
                word = letters[offsets[row]:offsets[row + 1]]
                codes[row] = known.setdefault(word, len(known))
        return made, [(<bytes> one).decode("utf-8", "replace") for one in known]


# ---- the loops ----


ctypedef fused offset_t:
    int32_t
    int64_t


cdef int64_t fixed_size(str form) except -1:
    """N of a fixed-size list, `+w:N`."""
    digits = form[3:]
    if not digits.isdecimal() or len(digits) > 9:
        raise SegmentationError(f"Arrow type {form!r} has no size")
    return int(digits)


cdef int64_t list_places(
    const offset_t* at, int64_t start, int64_t rows, int64_t n_items, int64_t* offsets, int64_t* first
) noexcept nogil:
    cdef int64_t row
    if rows == 0:
        return -1
    if at[start] < 0:
        return 0
    for row in range(rows):
        if at[start + row + 1] < at[start + row] or at[start + row + 1] > n_items:
            return row
        first[row] = at[start + row]
        offsets[row + 1] = at[start + row + 1] - at[start]
    return -1


cdef int64_t view_places(
    const offset_t* at, const offset_t* sizes, const uint8_t* bits, int64_t start, int64_t rows,
    int64_t n_items, int64_t* offsets, int64_t* first
) noexcept nogil:
    cdef int64_t row, here
    for row in range(rows):
        here = start + row
        first[row] = 0
        offsets[row + 1] = offsets[row]
        if bits != NULL and not (bits[here >> 3] >> (here & 7)) & 1:
            continue  # a null row may hold anything
        if at[here] < 0 or sizes[here] < 0 or <int64_t> at[here] > n_items - sizes[here]:
            return row
        first[row] = at[here]
        offsets[row + 1] += sizes[here]
        if offsets[row + 1] > MOST:  # views that overlap may claim more than any memory holds
            return row
    return -1


cdef joined_texts(Column self, const offset_t* at):
    """Texts that lie one after the other."""
    cdef bytes ends = PyBytes_FromStringAndSize(NULL, (self.rows + 1) * sizeof(int64_t))
    cdef int64_t* offsets = <int64_t*> PyBytes_AsString(ends)
    cdef int64_t row, base
    offsets[0] = 0
    if self.rows == 0:
        return ends, b""
    base = at[self.start]
    for row in range(self.rows):
        if base < 0 or at[self.start + row + 1] < at[self.start + row]:
            raise SegmentationError(f"Arrow column {self.name!r}, row {row}: bad text")
        offsets[row + 1] = at[self.start + row + 1] - base
    if offsets[self.rows] == 0:
        return ends, b""
    return ends, PyBytes_FromStringAndSize(<const char*> self.buffer(2) + base, offsets[self.rows])


cdef tuple decimals(bytes packed):
    """Integers as texts."""
    cdef int64_t n = len(packed) // sizeof(int64_t), row, total = 0
    cdef const int64_t* value = <const int64_t*> PyBytes_AsString(packed)
    cdef bytes ends = PyBytes_FromStringAndSize(NULL, (n + 1) * sizeof(int64_t))
    cdef int64_t* offsets = <int64_t*> PyBytes_AsString(ends)
    cdef bytes data = PyBytes_FromStringAndSize(NULL, n * 20)  # -2**63 has 20 characters
    cdef uint8_t* out = <uint8_t*> PyBytes_AsString(data)
    cdef uint8_t digits[20]
    cdef uint64_t rest
    cdef int at
    with nogil:
        offsets[0] = 0
        for row in range(n):
            rest = <uint64_t> value[row] if value[row] >= 0 else <uint64_t> 0 - <uint64_t> value[row]
            at = 20
            while True:
                at -= 1
                digits[at] = 48 + <uint8_t> (rest % 10)
                rest //= 10
                if rest == 0:
                    break
            if value[row] < 0:
                at -= 1
                digits[at] = 45
            memcpy(out + total, &digits[at], 20 - at)
            total += 20 - at
            offsets[row + 1] = total
    return ends, data[:total]


cdef void narrow(
    const uint8_t* values, int kind, int64_t start, int64_t n, int32_t* out
) noexcept nogil:
    """Items of a type that int32 holds."""
    cdef int64_t i, at
    if kind == c"i":
        memcpy(out, values + 4 * start, 4 * n)
    elif kind == c"b":
        for i in range(n):
            at = start + i
            out[i] = (values[at >> 3] >> (at & 7)) & 1
    elif kind == c"c":
        for i in range(n):
            out[i] = (<const int8_t*> values)[start + i]
    elif kind == c"C":
        for i in range(n):
            out[i] = values[start + i]
    elif kind == c"s":
        for i in range(n):
            out[i] = (<const int16_t*> values)[start + i]
    else:
        for i in range(n):
            out[i] = (<const uint16_t*> values)[start + i]


cdef void widen(
    const uint8_t* values, int kind, int64_t start, int64_t n, int64_t* out
) noexcept nogil:
    """Items of any integer type."""
    cdef int64_t i
    cdef uint64_t one
    if n == 0:
        return
    if kind == c"l":
        memcpy(out, values + 8 * start, 8 * n)
    elif kind == c"L":
        for i in range(n):
            one = (<const uint64_t*> values)[start + i]
            out[i] = INT64_MAX if one > <uint64_t> INT64_MAX else <int64_t> one
    elif kind == c"I":
        for i in range(n):
            out[i] = (<const uint32_t*> values)[start + i]
    elif kind == c"i":
        for i in range(n):
            out[i] = (<const int32_t*> values)[start + i]
    elif kind == c"s":
        for i in range(n):
            out[i] = (<const int16_t*> values)[start + i]
    elif kind == c"S":
        for i in range(n):
            out[i] = (<const uint16_t*> values)[start + i]
    elif kind == c"c":
        for i in range(n):
            out[i] = (<const int8_t*> values)[start + i]
    else:
        for i in range(n):
            out[i] = values[start + i]
