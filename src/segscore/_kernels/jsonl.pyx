# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Plain lines of our JSON Lines, straight from bytes into columns.

A plain line is one object with the keys `document`, `coder`, `masses` or `boundaries`, `n_units` and
`segment_labels` (a string or null per segment), each once and in any order, whose strings have no
backslash and whose numbers are short.
All other lines, above all wrong ones, are left to the caller, which parses the line with the
standard library and writes the message. So the scanner is strict: it reads a line exactly as that
parser would, or not at all.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize, PyBytes_Size
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy

cdef enum:
    DOCUMENT = 1
    CODER = 2
    MASSES = 4
    BOUNDARIES = 8
    N_UNITS = 16
    LABELS = 32

# Codes of segments without a label: on a line with labels, and on one without any.
cdef enum:
    NO_LABEL = -1
    NO_LABELS = -2

# Sixteen digits pass 2**53, which is as far as we count, and stay well within 64 bits.
cdef enum:
    MOST_DIGITS = 16


cdef struct Line:
    const char* document
    Py_ssize_t document_size
    const char* coder
    Py_ssize_t coder_size
    int64_t n_units
    Py_ssize_t n_positions
    const char* labels
    Py_ssize_t n_labels
    int seen


cdef inline const char* skip_blanks(const char* p, const char* end) noexcept nogil:
    while p < end and (p[0] == c" " or p[0] == c"\t"):
        p += 1
    return p


cdef inline const char* whole(const char* p, const char* end, int64_t* value) noexcept nogil:
    """Read a whole number without sign or leading zero; NULL if there is none."""
    cdef const char* first = p
    cdef int64_t total = 0
    while p < end and c"0" <= p[0] <= c"9":
        total = total * 10 + (p[0] - c"0")
        p += 1
        if p - first > MOST_DIGITS:
            return NULL
    if p == first or (first[0] == c"0" and p - first > 1):
        return NULL
    value[0] = total
    return p


cdef inline const char* string(const char* p, const char* end) noexcept nogil:
    """Step over a string and both its quotes; NULL if it needs a real parser."""
    if p == end or p[0] != c'"':
        return NULL
    p += 1
    while p < end and p[0] != c'"':
        if p[0] == c"\\" or <unsigned char> p[0] < 32:
            return NULL
        p += 1
    if p == end:
        return NULL
    return p + 1


cdef inline Py_ssize_t most_numbers(const char* p, const char* end) noexcept nogil:
    """At most so many numbers are on a line; for a long line, counted more exactly."""
    cdef Py_ssize_t commas = 0
    if end - p < 1 << 16:
        return (end - p) // 2 + 1
    while p < end:
        commas += p[0] == c","
        p += 1
    return commas + 1


cdef inline int key_of(const char* text, Py_ssize_t size) noexcept nogil:
    if size == 8 and memcmp(text, b"document", 8) == 0:
        return DOCUMENT
    if size == 5 and memcmp(text, b"coder", 5) == 0:
        return CODER
    if size == 6 and memcmp(text, b"masses", 6) == 0:
        return MASSES
    if size == 10 and memcmp(text, b"boundaries", 10) == 0:
        return BOUNDARIES
    if size == 7 and memcmp(text, b"n_units", 7) == 0:
        return N_UNITS
    if size == 14 and memcmp(text, b"segment_labels", 14) == 0:
        return LABELS
    if size == 6 and memcmp(text, b"labels", 6) == 0:  # its name in older files
        return LABELS
    return 0


cdef inline const char* label(const char* p, const char* end) noexcept nogil:
    """Step over a label, a string that is not empty, or null; NULL if it is something else."""
    if end - p >= 4 and memcmp(p, b"null", 4) == 0:
        return p + 4
    if end - p >= 2 and p[0] == c'"' and p[1] == c'"':
        return NULL
    return string(p, end)


cdef inline const char* next_label(const char* p, const char* end) noexcept nogil:
    """From the end of a label to the next one, or to the bracket that closes the list; NULL if
    neither follows."""
    p = skip_blanks(p, end)
    if p == end:
        return NULL
    if p[0] == c"]":
        return p
    if p[0] != c",":
        return NULL
    p = skip_blanks(p + 1, end)
    if p == end or p[0] == c"]":
        return NULL
    return p


cdef inline const char* label_list(const char* p, const char* end, Line* line) noexcept nogil:
    """Step over a list of labels and count them; NULL if it needs a real parser."""
    if p == end or p[0] != c"[":
        return NULL
    p = skip_blanks(p + 1, end)
    line.labels = p
    line.n_labels = 0
    if p == end or p[0] == c"]":
        return NULL
    while p[0] != c"]":
        p = label(p, end)
        if p == NULL:
            return NULL
        line.n_labels += 1
        p = next_label(p, end)
        if p == NULL:
            return NULL
    return p + 1


cdef class Builder:
    """Columns that grow, line by line.

    `documents` holds the name of each row, `coders` the distinct coder names in the order in which
    they turned up; a row without a coder has code -1. `label_names` are the distinct labels of
    segments, likewise.
    """

    cdef int64_t* n_units
    cdef int64_t* offsets
    cdef int64_t* positions
    cdef int32_t* codes
    cdef Py_ssize_t rows, room_for_rows, room_for_positions
    cdef readonly list documents
    cdef readonly list coders
    cdef readonly list label_names
    cdef int32_t* label_codes  # one per segment, once a line with labels was met
    cdef Py_ssize_t room_for_labels
    cdef dict label_code_of
    cdef dict code_of
    cdef bytes last_coder
    cdef int32_t last_code

    def __cinit__(self):
        self.rows = 0
        self.room_for_rows = 1024
        self.room_for_positions = 8192
        self.n_units = <int64_t*> malloc(self.room_for_rows * sizeof(int64_t))
        self.offsets = <int64_t*> malloc((self.room_for_rows + 1) * sizeof(int64_t))
        self.codes = <int32_t*> malloc(self.room_for_rows * sizeof(int32_t))
        self.positions = <int64_t*> malloc(self.room_for_positions * sizeof(int64_t))
        if not (self.n_units and self.offsets and self.codes and self.positions):
            raise MemoryError()
        self.offsets[0] = 0
        self.documents = []
        self.coders = []
        self.code_of = {}
        self.last_coder = None
        self.last_code = -1
        self.label_codes = NULL
        self.room_for_labels = 0
        self.label_names = []
        self.label_code_of = {}

    def __dealloc__(self):
        free(self.n_units)
        free(self.offsets)
        free(self.codes)
        free(self.positions)
        free(self.label_codes)

    cdef int grow_rows(self) except -1:
        cdef Py_ssize_t room = self.room_for_rows * 2
        cdef void* moved
        moved = realloc(self.n_units, room * sizeof(int64_t))
        if moved == NULL:
            raise MemoryError()
        self.n_units = <int64_t*> moved
        moved = realloc(self.offsets, (room + 1) * sizeof(int64_t))
        if moved == NULL:
            raise MemoryError()
        self.offsets = <int64_t*> moved
        moved = realloc(self.codes, room * sizeof(int32_t))
        if moved == NULL:
            raise MemoryError()
        self.codes = <int32_t*> moved
        self.room_for_rows = room
        return 0

    cdef int make_room(self, Py_ssize_t needed) except -1:
        """Room for so many more positions than are committed."""
        cdef Py_ssize_t room = self.room_for_positions
        cdef void* moved
        needed += self.offsets[self.rows]
        if needed <= room:
            return 0
        while room < needed:
            room *= 2
        moved = realloc(self.positions, room * sizeof(int64_t))
        if moved == NULL:
            raise MemoryError()
        self.positions = <int64_t*> moved
        self.room_for_positions = room
        return 0

    cdef const char* numbers(self, const char* p, const char* end, Line* line, int key) noexcept nogil:
        """Read a list of numbers into the free part of `positions`: masses are summed up, and
        boundaries must ascend. There must be room for as many as there are bytes in pairs."""
        cdef int64_t* out = self.positions + self.offsets[self.rows]
        cdef int64_t value = 0, last = 0, limit = <int64_t> 1 << 53
        cdef Py_ssize_t n = 0
        if p == end or p[0] != c"[":
            return NULL
        p = skip_blanks(p + 1, end)
        if p < end and p[0] == c"]":
            line.n_positions = 0
            if key == MASSES:
                return NULL
            return p + 1
        while True:
            p = whole(p, end, &value)
            if p == NULL:
                return NULL
            if key == MASSES:
                if value < 1 or value > limit - last:
                    return NULL
                last += value
            else:
                if value <= last:
                    return NULL
                last = value
            out[n] = last
            n += 1
            p = skip_blanks(p, end)
            if p == end:
                return NULL
            if p[0] == c"]":
                break
            if p[0] != c",":
                return NULL
            p = skip_blanks(p + 1, end)
        line.n_positions = n
        if key == MASSES:  # the last sum is N, not a boundary
            line.n_positions = n - 1
            line.n_units = last
        return p + 1

    cdef const char* member(self, const char* p, const char* end, Line* line) noexcept nogil:
        """Read one key and its value; NULL if it needs a real parser."""
        cdef const char* text = p + 1
        cdef int key
        cdef int64_t told = 0
        p = string(p, end)
        if p == NULL:
            return NULL
        key = key_of(text, p - 1 - text)
        if key == 0 or line.seen & key or (key & (MASSES | BOUNDARIES) and
                                           line.seen & (MASSES | BOUNDARIES)):
            return NULL
        p = skip_blanks(p, end)
        if p == end or p[0] != c":":
            return NULL
        p = skip_blanks(p + 1, end)
        if key == DOCUMENT:
            line.document = p + 1
            p = string(p, end)
            if p == NULL:
                return NULL
            line.document_size = p - 1 - line.document
        elif key == CODER:
            line.coder = p + 1
            p = string(p, end)
            if p == NULL:
                return NULL
            line.coder_size = p - 1 - line.coder
        elif key == N_UNITS:
            p = whole(p, end, &told)
            if p != NULL and line.seen & MASSES and told != line.n_units:
                return NULL
            line.n_units = told
        elif key == LABELS:
            p = label_list(p, end, line)
        else:
            told = line.n_units
            p = self.numbers(p, end, line, key)
            if p != NULL and key == MASSES and line.seen & N_UNITS and told != line.n_units:
                return NULL
        line.seen |= key
        return p

    cdef bint parse(self, const char* p, const char* end, Line* line) noexcept nogil:
        """Read a whole line; false if it needs a real parser."""
        cdef int64_t limit = <int64_t> 1 << 53
        line.seen = 0
        line.n_units = 0
        line.n_positions = 0
        p = skip_blanks(p, end)
        if p == end or p[0] != c"{":
            return False
        p = skip_blanks(p + 1, end)
        while True:
            p = self.member(p, end, line)
            if p == NULL:
                return False
            p = skip_blanks(p, end)
            if p == end:
                return False
            if p[0] == c"}":
                break
            if p[0] != c",":
                return False
            p = skip_blanks(p + 1, end)
        if skip_blanks(p + 1, end) != end or not line.seen & DOCUMENT or line.document_size == 0:
            return False
        if line.seen & CODER and line.coder_size == 0:
            return False
        if line.seen & LABELS and line.n_labels != line.n_positions + 1:
            return False
        if line.seen & BOUNDARIES:
            if not line.seen & N_UNITS or not 1 <= line.n_units <= limit:
                return False
            return line.n_positions == 0 or (
                self.positions[self.offsets[self.rows] + line.n_positions - 1] < line.n_units
            )
        return line.seen & MASSES != 0

    cdef int commit(self, object document, int32_t code, int64_t units, Py_ssize_t n) except -1:
        """Keep the row whose positions were written after the last one."""
        if self.rows == self.room_for_rows:
            self.grow_rows()
        self.documents.append(document)
        self.n_units[self.rows] = units
        self.codes[self.rows] = code
        self.offsets[self.rows + 1] = self.offsets[self.rows] + n
        self.rows += 1
        return 0

    cdef int32_t* room_for_row_labels(self, Py_ssize_t n, bint given) except? NULL:
        """Where the codes of the next row's n segments go; NULL as long as no line has labels."""
        cdef Py_ssize_t start = self.offsets[self.rows] + self.rows, i
        cdef Py_ssize_t room = max(self.room_for_labels, 1024)
        cdef void* moved
        if self.label_codes == NULL and not given:
            return NULL
        while room < start + n:
            room *= 2
        if room > self.room_for_labels:
            moved = realloc(self.label_codes, room * sizeof(int32_t))
            if moved == NULL:
                raise MemoryError()
            if self.label_codes == NULL:
                for i in range(start):
                    (<int32_t*> moved)[i] = NO_LABELS
            self.label_codes = <int32_t*> moved
            self.room_for_labels = room
        if not given:
            for i in range(n):
                self.label_codes[start + i] = NO_LABELS
        return self.label_codes + start

    cdef int32_t label_code(self, bytes name) except -2:
        """The code of a label, which is UTF-8."""
        known = self.label_code_of.get(name)
        if known is None:
            text = name.decode()
            known = len(self.label_names)
            self.label_code_of[name] = known
            self.label_names.append(text)
        return known

    cdef int put_labels(self, Line* line, const char* end) except -1:
        """Write the codes of the line's labels; a line without labels has none."""
        cdef const char* p = line.labels
        cdef const char* after
        cdef Py_ssize_t i
        cdef int32_t* out = self.room_for_row_labels(
            line.n_positions + 1, line.seen & LABELS != 0
        )
        if not line.seen & LABELS:
            return 0
        for i in range(line.n_labels):
            after = label(p, end)
            if p[0] == c"n":
                out[i] = NO_LABEL
            else:
                out[i] = self.label_code(PyBytes_FromStringAndSize(p + 1, after - p - 2))
            p = next_label(after, end)
        return 0

    cdef int32_t code(self, object coder) except -2:
        known = self.code_of.get(coder)
        if known is None:
            known = len(self.coders)
            self.code_of[coder] = known
            self.coders.append(coder)
        return known

    cdef int32_t code_of_bytes(self, Line* line) except -2:
        """The code of the line's coder; most lines have the coder of the line before."""
        if not line.seen & CODER:
            return -1
        if (
            self.last_coder is None
            or PyBytes_Size(self.last_coder) != line.coder_size
            or memcmp(PyBytes_AsString(self.last_coder), line.coder, line.coder_size) != 0
        ):
            self.last_code = self.code(PyUnicode_DecodeUTF8(line.coder, line.coder_size, NULL))
            self.last_coder = PyBytes_FromStringAndSize(line.coder, line.coder_size)
        return self.last_code

    def append(
        self, str document not None, str coder not None, int64_t n_units, bytes packed,
        tuple labels=None,
    ):
        """Add a row that was parsed elsewhere; packed are its boundaries as native int64, labels
        those of its segments, a str or None each."""
        cdef Py_ssize_t n = PyBytes_Size(packed) // sizeof(int64_t)
        cdef Py_ssize_t i
        cdef int32_t* out = self.room_for_row_labels(n + 1, labels is not None)
        if labels is not None:
            if len(labels) != n + 1:
                raise ValueError("expected one label per segment")
            for i in range(n + 1):
                out[i] = NO_LABEL if labels[i] is None else self.label_code(labels[i].encode())
        self.make_room(n)
        memcpy(
            self.positions + self.offsets[self.rows], PyBytes_AsString(packed), n * sizeof(int64_t)
        )
        self.commit(document, self.code(coder), n_units, n)

    def scan(self, bytes block not None, Py_ssize_t start, bint last):
        """Take plain lines from `start` on: (where it stopped, lines passed, whether it met a line
        that is not plain). Unless the block is the `last`, a line without its end is left for
        later. Blank lines are passed over."""
        cdef const char* begin = PyBytes_AsString(block)
        cdef const char* end = begin + PyBytes_Size(block)
        cdef const char* p = begin + min(max(start, 0), PyBytes_Size(block))
        cdef const char* newline = NULL  # the first \n at or after p, once it was looked for
        cdef const char* carriage = NULL
        cdef const char* stop
        cdef const char* found
        cdef Py_ssize_t lines = 0
        cdef Line line
        while p < end:
            if newline < p:
                found = <const char*> memchr(p, c"\n", end - p)
                newline = end if found == NULL else found
            if carriage < p:
                found = <const char*> memchr(p, c"\r", end - p)
                carriage = end if found == NULL else found
            stop = min(newline, carriage)
            # a \r at the very end may be half of \r\n
            if not last and (stop == end or (stop == carriage and stop + 1 == end)):
                break
            if skip_blanks(p, stop) != stop:
                self.make_room(most_numbers(p, stop))
                if not self.parse(p, stop, &line):
                    return p - begin, lines, True
                try:
                    self.put_labels(&line, stop)
                    self.commit(
                        PyUnicode_DecodeUTF8(line.document, line.document_size, NULL),
                        self.code_of_bytes(&line), line.n_units, line.n_positions,
                    )
                except UnicodeDecodeError:
                    return p - begin, lines, True
            lines += 1
            if stop == end:
                p = end
            else:
                p = stop + (2 if stop == carriage and stop + 1 == newline else 1)
        return p - begin, lines, False

    def columns(self):
        """(n_units, offsets, positions, codes) as packed bytes: int64 but for the codes, int32."""
        cdef Py_ssize_t n = self.rows
        return (
            PyBytes_FromStringAndSize(<char*> self.n_units, n * sizeof(int64_t)),
            PyBytes_FromStringAndSize(<char*> self.offsets, (n + 1) * sizeof(int64_t)),
            PyBytes_FromStringAndSize(
                <char*> self.positions, self.offsets[n] * sizeof(int64_t)
            ),
            PyBytes_FromStringAndSize(<char*> self.codes, n * sizeof(int32_t)),
        )

    def labels(self):
        """The codes of all segments' labels as packed int32, row after row; None if no row has
        labels. A segment without a label has code -1, all segments of a row without labels -2."""
        if self.label_codes == NULL:
            return None
        return PyBytes_FromStringAndSize(
            <char*> self.label_codes, (self.offsets[self.rows] + self.rows) * sizeof(int32_t)
        )
