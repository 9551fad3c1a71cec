# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Boundary edit distance where boundaries have types, and the edits themselves (metrics spec §4).

Both sides are merged into points (position, type) that only one side has; the rest are matches.
Types meet only where a position could hold a substitution. So points are first joined into
components: those of one type within reach of each other, and those at a position where both
sides have one. A component without such a position has one type and is a chain (edit_chain.pyx);
the others are matched (edit_matching.pyx). `greedy` instead pairs as edit_greedy.pyx says.

Types come as codes 0 … n_types-1 in the order of their scale: one list per boundary, ascending.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from segscore._kernels.common cimport position_t
from segscore._kernels.edit_chain cimport (
    Chain, chain_block, chain_plan, chain_release, chain_reserve)
from segscore._kernels.edit_greedy cimport Greedy, greedy_pairs, greedy_release, greedy_reserve
from segscore._kernels.edit_matching cimport (
    NO_MEMORY, TOO_LARGE, Matching, match_points, matching_release, matching_reserve)
from segscore._kernels.edit_points cimport Points, Scale, type_distance
from segscore._kernels.edit_prices cimport Prices, Tally, count_pair, price_of

# How documents are compared; the same for all of them.
cdef struct Terms:
    int64_t n_t
    bint greedy
    bint nominal
    int64_t n_types
    int64_t n_declared  # 0: the types of a document are those that occur in it
    const int64_t *values  # of the types, ascending
    double w_sub
    double w_s
    Prices prices

cdef struct Room:
    int64_t capacity
    void *memory  # one allocation that holds the arrays of points and those below
    Points points
    int32_t *root  # of a point's component
    int32_t *coupled  # by root: whether a substitution is possible in the component
    int32_t *ref_point  # scratch: the points behind the chain's two lists; lists of members
    int32_t *hyp_point
    int32_t *members
    int32_t *latest  # by type: the latest point of it, while linking
    int64_t *seen_in  # by type: the latest document (counted from 1) in which it occurred
    int64_t document
    Chain chain
    Matching matching
    Greedy greedy

# What one document came to.
cdef struct Outcome:
    int64_t n_types
    double matches
    double ref_alone
    double hyp_alone
    double substitutions
    double substitution_credit
    Tally tally


cdef int room_open(Room *room, int64_t n_types) noexcept nogil:
    memset(room, 0, sizeof(Room))
    room.latest = <int32_t *>calloc(n_types + 1, sizeof(int32_t))
    room.seen_in = <int64_t *>calloc(n_types + 1, sizeof(int64_t))
    return NO_MEMORY if room.latest == NULL or room.seen_in == NULL else 0


cdef void room_close(Room *room) noexcept nogil:
    free(room.memory)
    free(room.latest)
    free(room.seen_in)
    chain_release(&room.chain)
    matching_release(&room.matching)
    greedy_release(&room.greedy)


cdef int room_reserve(Room *room, int64_t n_points, bint greedy) noexcept nogil:
    """Make room for a number of points; 0, or what went wrong."""
    cdef:
        int64_t n = n_points + n_points // 2 + 16
        Points *points = &room.points
    if greedy:
        if greedy_reserve(&room.greedy, n_points) < 0:
            return NO_MEMORY
    elif (chain_reserve(&room.chain, n_points) < 0
            or matching_reserve(&room.matching, n_points) < 0):
        return NO_MEMORY
    if n_points < room.capacity:
        return 0
    free(room.memory)
    room.capacity = 0
    room.memory = calloc(n, sizeof(int64_t) + 10 * sizeof(int32_t))
    if room.memory == NULL:
        return NO_MEMORY
    points.position = <int64_t *>room.memory
    points.type = <int32_t *>(points.position + n)
    points.is_ref = points.type + n
    points.mate = points.is_ref + n
    points.before = points.mate + n
    points.after = points.before + n
    room.root = points.after + n
    room.coupled = room.root + n
    room.ref_point = room.coupled + n
    room.hyp_point = room.ref_point + n
    room.members = room.hyp_point + n
    room.capacity = n
    return 0


# ---- from boundaries to points ----

cdef void merge(
    Room *room, Outcome *outcome, double *cells, int64_t width,
    const position_t *ref, const int64_t *ref_lists, const int64_t *ref_codes, int64_t n_ref,
    const position_t *hyp, const int64_t *hyp_lists, const int64_t *hyp_codes, int64_t n_hyp
) noexcept nogil:
    """Collect the points that only one side has, and count the matches (in the matrix, too)."""
    cdef:
        Points *points = &room.points
        int64_t i = 0, j = 0, a = ref_lists[0], b = hyp_lists[0], n = 0, p, q, c, d
        int64_t ref_end = ref_lists[n_ref], hyp_end = hyp_lists[n_hyp]
        bint take_ref, take_hyp
    while a < ref_end and b < hyp_end:
        p = ref[i]
        q = hyp[j]
        c = ref_codes[a]
        d = hyp_codes[b]
        take_ref = (p < q) | ((p == q) & (c <= d))
        take_hyp = (q < p) | ((p == q) & (d <= c))
        points.position[n] = p if take_ref else q
        points.type[n] = <int32_t>(c if take_ref else d)
        points.is_ref[n] = take_ref
        n += take_ref != take_hyp
        if cells != NULL:
            cells[c * width + c] += take_ref & take_hyp
        a += take_ref
        b += take_hyp
        i += take_ref & (a == ref_lists[i + 1])
        j += take_hyp & (b == hyp_lists[j + 1])
    outcome.matches = ((a - ref_lists[0]) + (b - hyp_lists[0]) - n) // 2
    while a < ref_end:
        points.position[n] = ref[i]
        points.type[n] = <int32_t>ref_codes[a]
        points.is_ref[n] = True
        n += 1
        a += 1
        i += a == ref_lists[i + 1]
    while b < hyp_end:
        points.position[n] = hyp[j]
        points.type[n] = <int32_t>hyp_codes[b]
        points.is_ref[n] = False
        n += 1
        b += 1
        j += b == hyp_lists[j + 1]
    points.count = n


cdef Scale scale_of(
    Room *room, const Terms *terms, Outcome *outcome,
    const int64_t *ref_codes, int64_t n_ref, const int64_t *hyp_codes, int64_t n_hyp
) noexcept nogil:
    """The scale of one document, and its number of types."""
    cdef:
        Scale scale
        int64_t least = terms.n_types, greatest = -1, k, code
    scale.n_t = terms.n_t
    scale.reach = terms.n_t - 1
    scale.nominal = terms.nominal
    scale.value = terms.values
    if terms.n_declared:
        outcome.n_types = terms.n_declared
        least = 0
        greatest = terms.n_declared - 1
    else:
        room.document += 1
        for k in range(n_ref + n_hyp):
            code = ref_codes[k] if k < n_ref else hyp_codes[k - n_ref]
            outcome.n_types += room.seen_in[code] != room.document
            room.seen_in[code] = room.document
            least = min(least, code)
            greatest = max(greatest, code)
        outcome.n_types = max(outcome.n_types, 1)
    scale.width = 1
    if not terms.nominal and greatest > least:
        scale.width = terms.values[greatest] - terms.values[least]
    return scale


cdef bint link_types(Room *room) noexcept nogil:
    """Link the points of each type; True if any position could hold a substitution."""
    cdef:
        Points *points = &room.points
        int32_t k, previous
        bint coupled = False
    for k in range(<int32_t>points.count):
        room.latest[points.type[k]] = -1
    for k in range(<int32_t>points.count):
        previous = room.latest[points.type[k]]
        room.latest[points.type[k]] = k
        points.before[k] = previous
        points.after[k] = points.mate[k] = -1
        if previous >= 0:
            points.after[previous] = k
        coupled |= k > 0 and may_substitute(points, k)
    return coupled


cdef inline bint may_substitute(const Points *points, int32_t k) noexcept nogil:
    """Whether this point and the one before it stand at one position, on different sides."""
    return (points.position[k] == points.position[k - 1]) & (points.is_ref[k] != points.is_ref[k - 1])


# ---- components ----

cdef int32_t root_of(int32_t *root, int32_t point) noexcept nogil:
    while root[point] != point:
        root[point] = root[root[point]]
        point = root[point]
    return point


cdef void find_components(Room *room, int64_t reach) noexcept nogil:
    """Join points of one type within reach, and all points where a substitution is possible."""
    cdef:
        Points *points = &room.points
        int32_t k, first = 0, previous, n = <int32_t>points.count
        bint coupled = False
    for k in range(n):
        previous = points.before[k]
        room.coupled[k] = False
        room.root[k] = k
        if previous >= 0 and points.position[k] - points.position[previous] <= reach:
            room.root[k] = root_of(room.root, previous)
    for k in range(1, n + 1):
        if k < n and points.position[k] == points.position[first]:
            coupled |= may_substitute(points, k)
            continue
        if coupled:
            for previous in range(first, k - 1):
                room.root[root_of(room.root, previous)] = root_of(room.root, k - 1)
        first = k
        coupled = False
    for k in range(1, n):
        if may_substitute(points, k):
            room.coupled[root_of(room.root, k)] = True


cdef inline bint is_coupled(Room *room, int32_t point, bint some_coupled) noexcept nogil:
    """Whether a point's component is one in which types meet."""
    return some_coupled and room.coupled[root_of(room.root, point)]


cdef void pair_neighbours(Room *room, bint some_coupled) noexcept nogil:
    """With a reach of 1: pair neighbours of one type, the first possible ones from the left."""
    cdef:
        Points *points = &room.points
        int32_t k, later
    for k in range(<int32_t>points.count):
        later = points.after[k]
        if (points.mate[k] < 0 and later >= 0 and points.position[later] - points.position[k] == 1
                and points.is_ref[later] != points.is_ref[k]
                and not is_coupled(room, k, some_coupled)):
            points.mate[k] = later
            points.mate[later] = k


cdef void pair_chain(Room *room, int32_t first, int64_t reach, bint some_coupled) noexcept nogil:
    """Pair the points of one type, except those in components with substitutions."""
    cdef:
        Points *points = &room.points
        Chain *chain = &room.chain
        int32_t point = first, n = 0, r = 0, k, block
    while point >= 0:
        if not is_coupled(room, point, some_coupled):
            chain.at[n] = points.position[point]
            chain.ref_before[n] = r
            if points.is_ref[point]:
                chain.ref[r] = points.position[point]
                room.ref_point[r] = point
                r += 1
            else:
                chain.hyp[n - r] = points.position[point]
                room.hyp_point[n - r] = point
            n += 1
        point = points.after[point]
    chain.ref_before[n] = r
    if r == 0 or r == n:
        return
    chain_plan(chain, n, reach)
    block = chain_block(chain, 0, reach)
    while block < n:
        r = chain.ref_before[block]
        for k in range((chain.block_end[block] - block) >> 1):
            points.mate[room.ref_point[r + k]] = room.hyp_point[block - r + k]
            points.mate[room.hyp_point[block - r + k]] = room.ref_point[r + k]
        block = chain_block(chain, chain.block_end[block], reach)


cdef int pair_coupled(Room *room, const Scale *scale) noexcept nogil:
    """Match each component in which types meet; 0, or what went wrong."""
    cdef:
        int32_t *head = room.ref_point
        int32_t *following = room.hyp_point
        int32_t k, point, root, count, n = <int32_t>room.points.count
        int failed
    for k in range(n):
        head[k] = -1
    for k in range(n - 1, -1, -1):
        root = root_of(room.root, k)
        if room.coupled[root]:
            following[k] = head[root]
            head[root] = k
    for k in range(n):
        point = head[k]
        if point < 0:
            continue
        count = 0
        while point >= 0:
            room.members[count] = point
            count += 1
            point = following[point]
        if count == 2:  # nothing but one substitution
            room.points.mate[room.members[0]] = room.members[1]
            room.points.mate[room.members[1]] = room.members[0]
            continue
        failed = match_points(&room.matching, &room.points, scale, room.members, count)
        if failed:
            return failed
    return 0


cdef int pair_points(Room *room, const Scale *scale, bint greedy) noexcept nogil:
    """Fill `mate` of every point; 0, or what went wrong."""
    cdef:
        bint coupled = link_types(room)
        int32_t k
    if greedy:
        return greedy_pairs(&room.greedy, &room.points, scale)
    if coupled:
        find_components(room, scale.reach)
    if scale.reach == 1:
        pair_neighbours(room, coupled)
    else:
        for k in range(<int32_t>room.points.count):
            if room.points.before[k] < 0:
                pair_chain(room, k, scale.reach, coupled)
    return pair_coupled(room, scale) if coupled else 0


# ---- one document ----

cdef void count_points(
    Room *room, const Terms *terms, const Scale *scale, Outcome *outcome, double *cells,
    int64_t width
) noexcept nogil:
    """Price the pairs, and enter pairs and single points into the matrix, whose last class is
    "none"."""
    cdef:
        Points *points = &room.points
        int32_t k, mate, ref, hyp
        double credit
    for k in range(<int32_t>points.count):
        mate = points.mate[k]
        if 0 <= mate < k:
            continue
        ref = k if points.is_ref[k] else mate
        hyp = mate if points.is_ref[k] else k
        credit = 1
        if mate < 0:
            outcome.ref_alone += points.is_ref[k]
            outcome.hyp_alone += not points.is_ref[k]
        elif points.type[k] == points.type[mate]:
            credit = count_pair(
                &outcome.tally,
                price_of(&terms.prices, points.position[mate] - points.position[k]))
        else:
            outcome.substitutions += 1
            outcome.substitution_credit += count_pair(
                &outcome.tally,
                terms.w_s + terms.w_sub
                * (<double>type_distance(scale, points.type[k], points.type[mate]) / scale.width))
        if cells != NULL:
            cells[(points.type[ref] if ref >= 0 else width - 1) * width
                  + (points.type[hyp] if hyp >= 0 else width - 1)] += credit


cdef int edit(
    Room *room, const Terms *terms, Outcome *outcome, double *cells, Py_ssize_t document,
    const int64_t *ref_offsets, const position_t *ref, const int64_t *ref_lists,
    const int64_t *ref_codes,
    const int64_t *hyp_offsets, const position_t *hyp, const int64_t *hyp_lists,
    const int64_t *hyp_codes
) noexcept nogil:
    """The edits of one document, counted and priced; 0, or what went wrong."""
    cdef:
        int64_t r = ref_offsets[document], n_ref = ref_offsets[document + 1] - r
        int64_t h = hyp_offsets[document], n_hyp = hyp_offsets[document + 1] - h
        int64_t ref_points = ref_lists[r + n_ref] - ref_lists[r]
        int64_t hyp_points = hyp_lists[h + n_hyp] - hyp_lists[h]
        Scale scale
        int failed
    memset(outcome, 0, sizeof(Outcome))
    failed = room_reserve(room, ref_points + hyp_points, terms.greedy)
    if failed:
        return failed
    scale = scale_of(room, terms, outcome, ref_codes + ref_lists[r], ref_points,
                     hyp_codes + hyp_lists[h], hyp_points)
    merge(room, outcome, cells, terms.n_types + 1,
          ref + r, ref_lists + r, ref_codes, n_ref, hyp + h, hyp_lists + h, hyp_codes, n_hyp)
    failed = pair_points(room, &scale, terms.greedy)
    if not failed:
        count_points(room, terms, &scale, outcome, cells, terms.n_types + 1)
    return failed


cdef raise_failure(int failed, Py_ssize_t document):
    if failed == TOO_LARGE:
        raise OverflowError(document)
    raise MemoryError()


# ---- batches ----

cdef Terms terms_of(tuple options, const int64_t[::1] values, const double[::1] table):
    """(n_t, greedy, nominal, declared, w_sub, w_s, base, slope) as a struct."""
    cdef Terms terms
    (terms.n_t, terms.greedy, terms.nominal, declared, terms.w_sub, terms.w_s,
     terms.prices.base, terms.prices.slope) = options
    terms.values = &values[0]
    terms.n_types = values.shape[0]
    terms.n_declared = terms.n_types if declared else 0
    terms.prices.table = &table[0]
    terms.prices.size = table.shape[0]
    return terms


cdef inline void similarity_row(
    const Outcome *outcome, int64_t n_units, double *row
) noexcept nogil:
    row[0] = outcome.ref_alone + outcome.hyp_alone + outcome.tally.cost
    row[1] = outcome.n_types * (n_units - 1)


cdef inline void boundary_row(const Outcome *outcome, int64_t n_units, double *row) noexcept nogil:
    row[0] = outcome.matches + outcome.tally.credit
    row[1] = outcome.matches + outcome.tally.credit_squared
    row[2] = outcome.matches + outcome.tally.pairs + outcome.ref_alone + outcome.hyp_alone
    row[3] = row[0] - outcome.substitution_credit
    row[4] = outcome.hyp_alone + outcome.substitutions
    row[5] = outcome.ref_alone + outcome.substitutions
    row[6] = outcome.n_types * (n_units - 1)


def segmentation_similarity(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] ref_lists, const int64_t[::1] ref_codes,
    const int64_t[::1] hyp_lists, const int64_t[::1] hyp_codes,
    tuple options, const int64_t[::1] values, const double[::1] table, double[:, ::1] out
):
    """Rows: cost of the edits, potential boundaries times types."""
    cdef:
        Room room
        Outcome outcome
        Terms terms = terms_of(options, values, table)
        Py_ssize_t row
        int failed
    with nogil:
        failed = room_open(&room, terms.n_types)
        row = start
        while not failed and row < stop:
            failed = edit(
                &room, &terms, &outcome, NULL, row,
                &ref_offsets[0], &ref_positions[0], &ref_lists[0], &ref_codes[0],
                &hyp_offsets[0], &hyp_positions[0], &hyp_lists[0], &hyp_codes[0])
            if not failed:
                similarity_row(&outcome, n_units[row], &out[row, 0])
                row += 1
        room_close(&room)
    if failed:
        raise_failure(failed, row)


def boundary_similarity(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] ref_lists, const int64_t[::1] ref_codes,
    const int64_t[::1] hyp_lists, const int64_t[::1] hyp_codes,
    tuple options, const int64_t[::1] values, const double[::1] table, double[:, ::1] out
):
    """Rows: correctness, its squares, pairs; tp, fp, fn; potential boundaries times types; and
    with declared types the confusion matrix, row after row, whose last class is "none"."""
    cdef:
        Room room
        Outcome outcome
        Terms terms = terms_of(options, values, table)
        Py_ssize_t row
        int failed
    with nogil:
        failed = room_open(&room, terms.n_types)
        row = start
        while not failed and row < stop:
            failed = edit(
                &room, &terms, &outcome, &out[row, 7] if terms.n_declared else NULL, row,
                &ref_offsets[0], &ref_positions[0], &ref_lists[0], &ref_codes[0],
                &hyp_offsets[0], &hyp_positions[0], &hyp_lists[0], &hyp_codes[0])
            if not failed:
                boundary_row(&outcome, n_units[row], &out[row, 0])
                row += 1
        room_close(&room)
    if failed:
        raise_failure(failed, row)


# ---- the edits themselves ----

def listing(
    bytes ref, const int64_t[::1] ref_lists, const int64_t[::1] ref_codes,
    bytes hyp, const int64_t[::1] hyp_lists, const int64_t[::1] hyp_codes,
    tuple options, const int64_t[::1] values, const double[::1] table
):
    """What is done with every point that only one side has, in order: (position in ref, code in
    ref, position in hyp, code in hyp), with -1 on the side that has no partner."""
    cdef:
        Room room
        Outcome outcome
        Terms terms = terms_of(options, values, table)
        Points *points = &room.points
        int64_t[2] ref_offsets = [0, PyBytes_GET_SIZE(ref) // sizeof(int64_t)]
        int64_t[2] hyp_offsets = [0, PyBytes_GET_SIZE(hyp) // sizeof(int64_t)]
        int32_t k, mate
        int failed = room_open(&room, terms.n_types)
        list result = []
        tuple one, other
    if not failed:
        failed = edit(
            &room, &terms, &outcome, NULL, 0,
            ref_offsets, <const int64_t *>PyBytes_AS_STRING(ref), &ref_lists[0], &ref_codes[0],
            hyp_offsets, <const int64_t *>PyBytes_AS_STRING(hyp), &hyp_lists[0], &hyp_codes[0])
    try:
        if failed:
            raise_failure(failed, 0)
        for k in range(<int32_t>points.count):
            mate = points.mate[k]
            if 0 <= mate < k:
                continue
            one = (points.position[k], points.type[k])
            other = (-1, -1)
            if mate >= 0:
                other = (points.position[mate], points.type[mate])
            result.append(one + other if points.is_ref[k] else other + one)
    finally:
        room_close(&room)
    return result
