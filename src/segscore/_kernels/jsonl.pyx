# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Plain lines of our JSON Lines, straight from bytes into columns.

A plain line is one object with the keys `document`, `coder`, `masses` or `boundaries`, `n_units`,
`segment_labels` (a string or null per segment), `kind`, `group`, `coders` and `units`, each once and
in any order, whose numbers are short.
All other lines, above all wrong ones, are left to the caller, which parses the line with the
standard library and writes the message. So the scanner is strict: it reads a line exactly as that
parser would, or not at all. The text of a document (`units`) is checked and kept as it stands, in
JSON, for whoever asks for it.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize, PyBytes_Size
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int32_t, int64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy

from segscore._kernels.json_steps cimport (
    choice, label, most_numbers, next_label, skip_blanks, string, whole,
)

cdef enum:
    DOCUMENT = 1
    CODER = 2
    MASSES = 4
    BOUNDARIES = 8
    N_UNITS = 16
    LABELS = 32
    KIND = 64
    GROUP = 128
    SCOPE = 256
    TEXT = 512

# Codes of coders: a coding without a coder, and a document of which only the text is known.
cdef enum:
    NO_CODER = -1
    NO_CODING = -2

# Kinds of coders, and the scopes of their names, which are bits.
cdef enum:
    NO_KIND = -1
    PERSON = 0
    SYSTEM = 1
    CONSENSUS = 2
    GLOBAL = 1
    LOCAL = 2

cdef const char *KIND_WORDS[3]
KIND_WORDS[:] = [b'"person"', b'"system"', b'"consensus"']
cdef const char *SCOPE_WORDS[2]
SCOPE_WORDS[:] = [b'"global"', b'"local"']
cdef dict KINDS = {None: NO_KIND, "person": PERSON, "system": SYSTEM, "consensus": CONSENSUS}

# Codes of segments without a label: on a line with labels, and on one without any.
cdef enum:
    NO_LABEL = -1
    NO_LABELS = -2


cdef struct Line:
    const char* document
    Py_ssize_t document_size
    const char* coder
    Py_ssize_t coder_size
    int64_t n_units
    Py_ssize_t n_positions
    const char* labels
    Py_ssize_t n_labels
    const char* group
    Py_ssize_t group_size
    const char* text
    Py_ssize_t text_size
    Py_ssize_t n_texts
    int kind
    int scope
    int seen


cdef object decoded(const char* text, Py_ssize_t size):
    """The string between two quotes that `string` stepped over."""
    if memchr(text, c"\\", size) == NULL:
        return PyUnicode_DecodeUTF8(text, size, NULL)
    from json import loads  # most files need none, and nor does who imports segscore

    return loads(PyUnicode_DecodeUTF8(text - 1, size + 2, NULL))


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
    if size == 4 and memcmp(text, b"kind", 4) == 0:
        return KIND
    if size == 5 and memcmp(text, b"group", 5) == 0:
        return GROUP
    if size == 6 and memcmp(text, b"coders", 6) == 0:
        return SCOPE
    if size == 5 and memcmp(text, b"units", 5) == 0:
        return TEXT
    return 0


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


cdef inline const char* text_list(const char* p, const char* end, Line* line) noexcept nogil:
    """Step over a list of strings, one at least, and count them; NULL if it is something else."""
    line.text = p
    line.n_texts = 0
    if p == end or p[0] != c"[":
        return NULL
    p = skip_blanks(p + 1, end)
    while True:
        p = string(p, end)
        if p == NULL:
            return NULL
        line.n_texts += 1
        p = next_label(p, end)
        if p == NULL:
            return NULL
        if p[0] == c"]":
            break
    line.text_size = p + 1 - line.text
    return p + 1


cdef void* grown(void* memory, size_t size) except NULL:
    """A column with more room; if there is none, it stays as it is."""
    cdef void* moved = realloc(memory, size)
    if moved == NULL:
        raise MemoryError()
    return moved


cdef class Builder:
    """Columns that grow, line by line.

    `documents` holds the name of each row, `coders` the distinct coder names in the order in which
    they turned up; a row without a coder has code -1, a document of which only the text is known
    code -2. `label_names` are the distinct labels of segments, `group_names` those of groups,
    likewise. `texts` are those of rows that have one: (number of the line, N, code of the coder, JSON).
    `first_global` and `first_local` are the first rows whose coder names are global, or local to
    their document; -1 if there is none. `known` are names that the rows may have in this order:
    equal ones are shared, as names are half of the memory that many documents take.
    """

    cdef int64_t* n_units
    cdef int64_t* offsets
    cdef int64_t* positions
    cdef int32_t* codes
    cdef int32_t* groups
    cdef int32_t* lines
    cdef int8_t* kinds
    cdef Py_ssize_t rows, room_for_rows, room_for_positions
    cdef list known
    cdef readonly list documents
    cdef readonly list coders
    cdef readonly list label_names
    cdef readonly list group_names
    cdef readonly dict texts
    cdef readonly Py_ssize_t first_global, first_local
    cdef int32_t* label_codes  # one per segment, once a line with labels was met
    cdef Py_ssize_t room_for_labels
    cdef dict label_code_of
    cdef dict code_of
    cdef dict group_code_of
    cdef bytes last_coder
    cdef int32_t last_code
    cdef bint handed_over

    def __cinit__(self, list known=[]):
        self.known = known
        self.handed_over = False
        self.rows = 0
        self.room_for_rows = 1024
        self.room_for_positions = 8192
        self.n_units = <int64_t*> malloc(self.room_for_rows * sizeof(int64_t))
        self.offsets = <int64_t*> malloc((self.room_for_rows + 1) * sizeof(int64_t))
        self.codes = <int32_t*> malloc(self.room_for_rows * sizeof(int32_t))
        self.groups = <int32_t*> malloc(self.room_for_rows * sizeof(int32_t))
        self.lines = <int32_t*> malloc(self.room_for_rows * sizeof(int32_t))
        self.kinds = <int8_t*> malloc(self.room_for_rows * sizeof(int8_t))
        self.positions = <int64_t*> malloc(self.room_for_positions * sizeof(int64_t))
        if not (self.n_units and self.offsets and self.codes and self.groups and self.lines
                and self.kinds and self.positions):
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
        self.group_names = []
        self.group_code_of = {}
        self.texts = {}
        self.first_global = self.first_local = -1

    def __dealloc__(self):
        free(self.n_units)
        free(self.offsets)
        free(self.codes)
        free(self.groups)
        free(self.lines)
        free(self.kinds)
        free(self.positions)
        free(self.label_codes)

    cdef int grow_rows(self) except -1:
        cdef Py_ssize_t room = self.room_for_rows * 2
        self.n_units = <int64_t*> grown(self.n_units, room * sizeof(int64_t))
        self.offsets = <int64_t*> grown(self.offsets, (room + 1) * sizeof(int64_t))
        self.codes = <int32_t*> grown(self.codes, room * sizeof(int32_t))
        self.groups = <int32_t*> grown(self.groups, room * sizeof(int32_t))
        self.lines = <int32_t*> grown(self.lines, room * sizeof(int32_t))
        self.kinds = <int8_t*> grown(self.kinds, room * sizeof(int8_t))
        self.room_for_rows = room
        return 0

    cdef int make_room(self, Py_ssize_t needed) except -1:
        """Room for so many more positions than are committed."""
        cdef Py_ssize_t room = self.room_for_positions
        needed += self.offsets[self.rows]
        if needed <= room:
            return 0
        while room < needed:
            room *= 2
        self.positions = <int64_t*> grown(self.positions, room * sizeof(int64_t))
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

    cdef const char* about(self, const char* p, const char* end, Line* line, int key) noexcept nogil:
        """Read what is told of a document or its coder; NULL if it needs a real parser."""
        cdef int which = 0
        if key == KIND:
            p = choice(p, end, KIND_WORDS, 3, &which)
            line.kind = PERSON + which
        elif key == SCOPE:
            p = choice(p, end, SCOPE_WORDS, 2, &which)
            line.scope = LOCAL if which else GLOBAL
        elif key == GROUP:
            line.group = p + 1
            p = string(p, end)
            if p != NULL:
                line.group_size = p - 1 - line.group
        else:
            p = text_list(p, end, line)
        return p

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
        elif key & (KIND | GROUP | SCOPE | TEXT):
            p = self.about(p, end, line, key)
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
        line.kind = NO_KIND
        line.scope = GLOBAL
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
        if line.seen & GROUP and line.group_size == 0:
            return False
        if line.seen & TEXT:
            if not line.seen & (MASSES | N_UNITS):
                line.n_units = line.n_texts
            if line.n_units != line.n_texts:
                return False
        if not line.seen & (MASSES | BOUNDARIES):
            return line.seen & TEXT != 0 and not line.seen & (CODER | LABELS | KIND)
        if line.seen & LABELS and line.n_labels != line.n_positions + 1:
            return False
        if line.seen & MASSES:
            return True
        if not line.seen & (N_UNITS | TEXT) or not 1 <= line.n_units <= limit:
            return False
        return line.n_positions == 0 or (
            self.positions[self.offsets[self.rows] + line.n_positions - 1] < line.n_units
        )

    cdef int commit(
        self, object document, int32_t code, int64_t units, Py_ssize_t n,
        int kind, int32_t group, int scope, Py_ssize_t line,
    ) except -1:
        """Keep the row whose positions were written after the last one."""
        if self.rows == self.room_for_rows:
            self.grow_rows()
        if self.rows < len(self.known) and self.known[self.rows] == document:
            document = self.known[self.rows]
        self.documents.append(document)
        self.n_units[self.rows] = units
        self.codes[self.rows] = code
        self.kinds[self.rows] = kind
        self.groups[self.rows] = group
        self.lines[self.rows] = <int32_t> min(line, 0x7fffffff)
        if scope == LOCAL and self.first_local < 0:
            self.first_local = self.rows
        elif scope == GLOBAL and self.first_global < 0:
            self.first_global = self.rows
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
            moved = grown(self.label_codes, room * sizeof(int32_t))
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
                name = PyBytes_FromStringAndSize(p + 1, after - p - 2)
                if memchr(p + 1, c"\\", after - p - 2) != NULL:
                    name = decoded(p + 1, after - p - 2).encode()
                out[i] = self.label_code(name)
            p = next_label(after, end)
        return 0

    cdef int32_t code(self, object coder) except -2:
        known = self.code_of.get(coder)
        if known is None:
            known = len(self.coders)
            self.code_of[coder] = known
            self.coders.append(coder)
        return known

    cdef int32_t code_of_bytes(self, Line* line) except -3:
        """The code of the line's coder; most lines have the coder of the line before."""
        if not line.seen & (MASSES | BOUNDARIES):
            return NO_CODING
        if not line.seen & CODER:
            return NO_CODER
        if (
            self.last_coder is None
            or PyBytes_Size(self.last_coder) != line.coder_size
            or memcmp(PyBytes_AsString(self.last_coder), line.coder, line.coder_size) != 0
        ):
            self.last_code = self.code(decoded(line.coder, line.coder_size))
            self.last_coder = PyBytes_FromStringAndSize(line.coder, line.coder_size)
        return self.last_code

    cdef int32_t group_code(self, object name) except -2:
        """The code of a group's name, or of None."""
        if name is None:
            return -1
        known = self.group_code_of.get(name)
        if known is None:
            known = len(self.group_names)
            self.group_code_of[name] = known
            self.group_names.append(name)
        return known

    def append(
        self, str document not None, str coder, int64_t n_units, bytes packed not None,
        tuple labels=None, str kind=None, str group=None, bint local=False, Py_ssize_t line=0,
    ):
        """Add a row that was parsed elsewhere; packed are its boundaries as native int64, labels
        those of its segments, a str or None each. Without a coder, only the text is known."""
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
        self.commit(
            document, NO_CODING if coder is None else self.code(coder), n_units, n,
            KINDS[kind],
            self.group_code(group), LOCAL if local else GLOBAL, line,
        )

    cdef int keep(self, Line* line, const char* end, Py_ssize_t number) except -1:
        """Keep a line that was parsed; nothing of it if a name is not UTF-8."""
        cdef int32_t group = -1
        document = decoded(line.document, line.document_size)
        if line.seen & GROUP:
            group = self.group_code(decoded(line.group, line.group_size))
        if line.seen & TEXT:
            text = PyBytes_FromStringAndSize(line.text, line.text_size)
            if not text.isascii():
                text.decode()
        code = self.code_of_bytes(line)
        self.put_labels(line, end)
        if line.seen & TEXT:
            self.texts[self.rows] = (number, line.n_units, code, text)
        self.commit(
            document, code, line.n_units, line.n_positions, line.kind, group, line.scope, number
        )
        return 0

    def scan(self, bytes block not None, Py_ssize_t start, bint last, Py_ssize_t number=0):
        """Take plain lines from `start` on, before which there were `number` lines: (where it
        stopped, lines passed, whether it met a line that is not plain). Unless the block is the
        `last`, a line without its end is left for later. Blank lines are passed over."""
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
                    self.keep(&line, stop, number + lines + 1)
                except UnicodeDecodeError:
                    return p - begin, lines, True
            lines += 1
            if stop == end:
                p = end
            else:
                p = stop + (2 if stop == carriage and stop + 1 == newline else 1)
        return p - begin, lines, False

    def columns(self):
        """(n_units, offsets, positions) as packed int64. Positions are handed over, once: they are
        most of the memory."""
        cdef Py_ssize_t n = self.rows
        if self.handed_over:
            raise RuntimeError("the positions were handed over")
        positions = PyBytes_FromStringAndSize(<char*> self.positions, self.offsets[n] * sizeof(int64_t))
        self.handed_over = True
        self.room_for_positions = 1
        self.positions = <int64_t*> grown(self.positions, sizeof(int64_t))
        return (
            PyBytes_FromStringAndSize(<char*> self.n_units, n * sizeof(int64_t)),
            PyBytes_FromStringAndSize(<char*> self.offsets, (n + 1) * sizeof(int64_t)),
            positions,
        )

    def about_rows(self):
        """(codes, kinds, groups, lines) of rows as packed int32, int8, int32, int32: a kind is 0
        for a person, 1 for a system, 2 for a consensus, a group the index of its name; -1 is
        unknown. A line is counted from 1; 0 is unknown."""
        return (
            PyBytes_FromStringAndSize(<char*> self.codes, self.rows * sizeof(int32_t)),
            PyBytes_FromStringAndSize(<char*> self.kinds, self.rows * sizeof(int8_t)),
            PyBytes_FromStringAndSize(<char*> self.groups, self.rows * sizeof(int32_t)),
            PyBytes_FromStringAndSize(<char*> self.lines, self.rows * sizeof(int32_t)),
        )

    def labels(self):
        """The codes of all segments' labels as packed int32, row after row; None if no row has
        labels. A segment without a label has code -1, all segments of a row without labels -2."""
        if self.label_codes == NULL:
            return None
        return PyBytes_FromStringAndSize(
            <char*> self.label_codes, (self.offsets[self.rows] + self.rows) * sizeof(int32_t)
        )
