# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Expected window errors of every level of a ranked pair, over all tied choices (Carroll 2010).

At level i the reference keeps its boundaries of rank ≤ i, n of them; the hypothesis gives its n
most prominent ones: whole ranks first (*chosen*), then m out of the T boundaries of one rank
(*tied*). The number of tied boundaries that land in a window is hypergeometric, so a window's
expected error follows from three counts: reference, chosen and tied boundaries inside.

Window x holds the positions x+1 … x+k. As x grows the counts change only where a boundary
enters (x = p−k) or leaves (x = p); between two changes all windows cost the same. Hence the work
is one step per boundary and level, independent of N. If every position is a candidate and the
unmarked ones are tied, they are not listed: a window holds as many as it has real positions minus
its marked ones.
"""

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from segscore._kernels.batch cimport (
    Batch, Row, Stop, Watch, check_length, check_offsets, close_batch, next_row, open_batch, step
)
from segscore._kernels.common cimport position_t
from segscore._kernels.hypergeometric cimport (
    mean_distance, mean_distance_over, probability, probability_over,
)

cdef enum:
    DROP = 0
    PAD = 1
    WRAP = 2
    WRAP_SEAM = 3
    RING = 4               # of EvalHDS: like WRAP, but the seam is no place at all

cdef enum:
    PK = 0                 # measures; their numbers are MEASURES' order in metrics/hierarchy.py
    WINDOWDIFF = 1
    WEIGHTED = 2

cdef enum:
    REMEMBERED = 1024      # values kept per level, a power of two
    UNRANKED = 2147483647  # the level of a place that is no boundary

cdef int64_t FAR = (<int64_t> 1) << 62


cdef struct Listed:
    # The positions that a document lists.
    const int64_t* first
    int64_t n


cdef struct Place:
    # A position that may matter: what it is in the reference and in the hypothesis.
    int64_t position
    int32_t ref_level
    int32_t hyp_level


cdef struct Event:
    # What one position adds to the counts of a window that holds it.
    int64_t position
    int8_t ref
    int8_t chosen
    int8_t tied


cdef struct Known:
    # A cached value of the current level; its two counts are the key.
    int64_t level
    int64_t inside
    int64_t target
    double value


cdef struct Level:
    # What stays the same for all windows of one level.
    int64_t serial
    int64_t n_units
    int64_t k
    double T
    double m
    bint complement
    int edges              # wrap-seam is never here: see seam
    bint seam              # k more windows, without an error (Pk under wrap-seam)
    int measure
    double fn_weight
    double fp_weight


cdef struct Scratch:
    Place* places
    Event* events
    int64_t* group_sizes
    Known* known
    int64_t room
    int64_t group_room


cdef inline double known_value(
    const Level* level, Known* known, int64_t inside, int64_t target
) noexcept nogil:
    """P(X = target), or E|X − target| for the weighted measure; the last 1024 are cached."""
    cdef Known* entry = &known[(inside * 31 + target) & (REMEMBERED - 1)]
    if entry.level == level.serial and entry.inside == inside and entry.target == target:
        return entry.value
    entry.level, entry.inside, entry.target = level.serial, inside, target
    if level.measure == WEIGHTED:
        entry.value = mean_distance(level.T, level.m, <double> inside, <double> target)
    else:
        entry.value = probability(level.T, level.m, <double> inside, <double> target)
    return entry.value


cdef double run_value(
    const Level* level, Known* known, int64_t inside, int64_t slope, int64_t target, int64_t length
) noexcept nogil:
    """`known_value` summed over a run of windows; `inside` changes by `slope` with each."""
    cdef int64_t first, last
    if slope == 0:
        if target < 0 and level.measure != WEIGHTED:
            return 0
        return length * known_value(level, known, inside, target)
    first = inside if slope > 0 else inside - length + 1
    last = first + length - 1
    if level.measure == WEIGHTED:
        return mean_distance_over(level.T, level.m, first, last, target)
    return probability_over(level.T, level.m, first, last, target)


cdef double run_error(
    const Level* level, Known* known, int64_t ref, int64_t chosen, int64_t inside, int64_t slope,
    int64_t length,
) noexcept nogil:
    """Expected cost of `length` windows that share their counts."""
    cdef int64_t target = -chosen if level.measure == PK else ref - chosen
    cdef double value = run_value(level, known, inside, slope, target, length)
    if level.measure == WEIGHTED:
        return value
    if level.measure != PK:
        return length - value
    return level.fn_weight * value if ref > 0 else level.fp_weight * (length - value)


cdef inline int64_t real_positions(const Level* level, int64_t x) noexcept nogil:
    """How many positions of the text window x holds (for wrap, the seam counted among them)."""
    cdef int64_t first = x, last = x + level.k
    if level.edges == PAD:
        first = max(first, 0)
        last = min(last, level.n_units - 1)
    return last - first


cdef double slide(
    const Level* level, Known* known, const Event* events, Watch* watch
) noexcept nogil:
    """The expected error summed over all windows. `events` ends with one that is never reached."""
    cdef int64_t k = level.k, n_units = level.n_units
    cdef int64_t x = 1 - k if level.edges == PAD else 0
    cdef int64_t end = (n_units - k if level.edges == DROP
                        else n_units if level.edges == WRAP else n_units - 1)
    cdef int64_t entering = 0, leaving = 0, ref = 0, chosen = 0, tied = 0
    cdef int64_t stop, inside, slope
    cdef double total = 0
    while x < end:
        while events[entering].position - k <= x:
            ref += events[entering].ref
            chosen += events[entering].chosen
            tied += events[entering].tied
            entering += 1
        while events[leaving].position <= x:
            ref -= events[leaving].ref
            chosen -= events[leaving].chosen
            tied -= events[leaving].tied
            leaving += 1
        stop = min(end, min(events[entering].position - k, events[leaving].position))
        inside, slope = tied, 0
        if level.complement:
            inside += real_positions(level, x)
            if level.edges == PAD:
                # The text's own ends pass through the window as well: cut the run there.
                if x < 0:
                    stop = min(stop, 0)
                if x + k < n_units - 1:
                    stop = min(stop, n_units - 1 - k)
                slope = (x + k < n_units - 1) - (x >= 0)
        total += run_error(level, known, ref, chosen, inside, slope, stop - x)
        x = stop
        if step(watch, 20):  # a probability is so much work, or more
            break
    return total


cdef void list_events(
    const Level* level, const Place* places, int64_t n_places, int32_t ref_level,
    int32_t whole, int32_t tied, Event* events,
) noexcept nogil:
    """The places that count at this level: in ref, of a rank ≤ `whole`, or of the tied rank.

    If tied places are counted as the complement of the marked ones, a marked place counts −1; so
    does the seam, which cannot be chosen. Wrapping repeats the start of the text.
    """
    cdef int64_t i, n = 0, first, around = level.n_units - (level.edges == RING)
    cdef Event event
    for i in range(n_places):
        event.ref = places[i].ref_level <= ref_level
        event.chosen = places[i].hyp_level <= whole
        event.tied = (-event.chosen if level.complement else places[i].hyp_level == tied)
        if event.ref or event.chosen or event.tied:
            event.position = places[i].position
            events[n] = event
            n += 1
    if level.edges == WRAP or level.edges == RING:
        first = n
        if level.complement and level.edges == WRAP:
            events[n].position, events[n].tied = level.n_units, -1
            events[n].ref = events[n].chosen = 0
            n += 1
        for i in range(first):
            if events[i].position >= level.k:
                break
            events[n] = events[i]
            events[n].position += around
            n += 1
    events[n].position = FAR


cdef int64_t merge_places(
    const position_t* ref, const int32_t* ref_levels, int64_t n_ref,
    const position_t* hyp, const int32_t* hyp_levels, int64_t n_hyp, int32_t lowest, Place* places,
) noexcept nogil:
    """The boundaries of either side in order; one that hyp did not mark has its lowest rank."""
    cdef int64_t r = 0, h = 0, n = 0
    while r < n_ref or h < n_hyp:
        places[n].ref_level = UNRANKED
        places[n].hyp_level = lowest
        if h == n_hyp or (r < n_ref and ref[r] < hyp[h]):
            places[n].position, places[n].ref_level = ref[r], ref_levels[r]
            r += 1
        else:
            places[n].position, places[n].hyp_level = hyp[h], hyp_levels[h]
            if r < n_ref and ref[r] == hyp[h]:
                places[n].ref_level = ref_levels[r]
                r += 1
            h += 1
        n += 1
    return n


cdef void add_candidates(
    Place* places, int64_t n_places, Listed candidates, int32_t lowest
) noexcept nogil:
    """Put the candidates that neither side marked between the places; all places are candidates.

    From the end, in place: nothing is overwritten before it is read.
    """
    cdef int64_t place = n_places - 1, i
    for i in range(candidates.n - 1, -1, -1):
        if place >= 0 and places[place].position == candidates.first[i]:
            places[i] = places[place]
            place -= 1
        else:
            places[i].position = candidates.first[i]
            places[i].ref_level = UNRANKED
            places[i].hyp_level = lowest


cdef int reserve(Scratch* scratch, int64_t places, int64_t groups) except -1 nogil:
    """Room for so many places (their events: twice as many, the seam, the end) and ranks."""
    if places > scratch.room:
        free(scratch.places)
        free(scratch.events)
        scratch.room = 0
        scratch.places = <Place*> malloc(places * sizeof(Place))
        scratch.events = <Event*> malloc((2 * places + 2) * sizeof(Event))
        if scratch.places == NULL or scratch.events == NULL:
            raise MemoryError
        scratch.room = places
    if groups > scratch.group_room:
        free(scratch.group_sizes)
        scratch.group_room = 0
        scratch.group_sizes = <int64_t*> malloc(groups * sizeof(int64_t))
        if scratch.group_sizes == NULL:
            raise MemoryError
        scratch.group_room = groups
    return 0


cdef double level_error(
    Level* level, Scratch* scratch, int64_t n_places, int32_t n_groups, int32_t ref_level,
    int64_t wanted, bint listed, Watch* watch,
) noexcept nogil:
    """Expected error per window if hyp gives its `wanted` most prominent boundaries.

    `n_groups` counts hyp's ranks with the unmarked candidates as the last one; their sizes
    are in `scratch.group_sizes`. If these candidates are not listed, they are tied even if all of
    them are taken, so that windows count them.
    """
    cdef int32_t whole = 0, last = n_groups if listed else n_groups - 1
    cdef int64_t taken = 0, n_windows
    while whole < last and taken + scratch.group_sizes[whole] <= wanted:
        taken += scratch.group_sizes[whole]
        whole += 1
    level.T = level.m = 0
    if whole < n_groups and wanted > taken:
        level.T = <double> scratch.group_sizes[whole]
        level.m = <double> min(wanted - taken, scratch.group_sizes[whole])
    level.complement = not listed and whole == n_groups - 1 and level.T > 0
    list_events(
        level, scratch.places, n_places, ref_level, whole,
        whole + 1 if level.T > 0 else UNRANKED - 1, scratch.events,
    )
    n_windows = (level.n_units - level.k if level.edges == DROP
                 else level.n_units + level.k - 2 if level.edges == PAD
                 else level.n_units - (level.edges == RING))
    if level.seam:
        n_windows += level.k
    return slide(level, scratch.known, scratch.events, watch) / n_windows


cdef void count_groups(
    Scratch* scratch, const int32_t* hyp_levels, int64_t n_hyp, int32_t n_groups, int64_t n_places
) noexcept nogil:
    """How many boundaries each rank of hyp has, and how many of the places it left unmarked."""
    cdef int64_t i
    memset(scratch.group_sizes, 0, n_groups * sizeof(int64_t))
    for i in range(n_hyp):
        scratch.group_sizes[hyp_levels[i] - 1] += 1
    scratch.group_sizes[n_groups - 1] = n_places - n_hyp


cdef double all_levels(
    Level* level, Scratch* scratch, int64_t n_places, int32_t n_groups, int64_t n_hyp,
    Listed candidates, const int64_t* sizes, const int64_t* k, double* errors, int64_t n_levels,
    Watch* watch,
) noexcept nogil:
    """Fill in the error of each level; give their sum weighted by the boundaries of each."""
    cdef int64_t i, before = 0
    cdef double total = 0
    cdef bint waiting = candidates.n > 0
    for i in range(n_levels):
        # Candidates matter only if the boundaries that hyp marked are too few.
        if waiting and sizes[i] > n_hyp:
            add_candidates(scratch.places, n_places, candidates, n_groups)
            n_places = candidates.n
            waiting = False
        level.serial += 1
        level.k = k[i]
        errors[i] = level_error(level, scratch, n_places, n_groups, <int32_t> (i + 1), sizes[i],
                                candidates.n > 0, watch)
        if step(watch, n_places):
            break
        total += (sizes[i] - before) * errors[i]
        before = sizes[i]
    return total


# ---- a batch ----

cdef inline Listed candidates_of(
    const int64_t[::1] ref_offsets, const int64_t[::1] refs,
    const int64_t[::1] hyp_offsets, const int64_t[::1] hyps, Py_ssize_t row,
) noexcept nogil:
    """The candidates of a document: those of hyp, else those of ref; none listed means all."""
    cdef Listed listed
    listed.n = hyp_offsets[row + 1] - hyp_offsets[row]
    listed.first = &hyps[0] + hyp_offsets[row]
    if listed.n == 0:
        listed.n = ref_offsets[row + 1] - ref_offsets[row]
        listed.first = &refs[0] + ref_offsets[row]
    return listed


def expected_errors(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int32_t[::1] ref_levels, const int32_t[::1] hyp_levels,
    const int64_t[::1] ref_candidate_offsets, const int64_t[::1] ref_candidates,
    const int64_t[::1] hyp_candidate_offsets, const int64_t[::1] hyp_candidates,
    const int64_t[::1] level_offsets, const int64_t[::1] level_sizes, const int64_t[::1] level_k,
    tuple measure, double[::1] errors, double[:, ::1] out, Stop halt=None,
):
    """Rows: Σ over levels of (boundaries of the level × expected error), boundaries.

    Levels are dense ranks (1, 2, …), one per position. Level j of a document stands at its level
    offset + j-1: in `level_sizes` the boundaries of rank ≤ j in ref, in `level_k` the window, and
    in `errors`, filled here, the expected error. A document that cannot be scored has no levels.
    `measure` = (edges, measure, weight of FN windows, weight of FP windows); edges 4, the ring of
    EvalHDS, is for `segscore.conventions`.
    """
    cdef Scratch scratch
    cdef Level level
    cdef Listed candidates
    cdef Batch batch
    cdef Row row
    cdef Py_ssize_t i, first, n_levels
    cdef int64_t n_places
    cdef int32_t n_groups
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 2, halt)
    check_length(ref_levels.shape[0], ref_positions.shape[0], "ref_levels")
    check_length(hyp_levels.shape[0], hyp_positions.shape[0], "hyp_levels")
    check_offsets(ref_candidate_offsets, start, stop, ref_candidates.shape[0], "ref candidates")
    check_offsets(hyp_candidate_offsets, start, stop, hyp_candidates.shape[0], "hyp candidates")
    check_offsets(level_offsets, start, stop, level_sizes.shape[0], "level_offsets")
    check_length(level_k.shape[0], level_sizes.shape[0], "level_k")
    check_length(errors.shape[0], level_sizes.shape[0], "errors")
    level.serial = 0
    level.edges, level.measure, level.fn_weight, level.fp_weight = measure
    level.seam = level.edges == WRAP_SEAM and level.measure == PK
    if level.edges == WRAP_SEAM:  # as in window.pyx: the seam leaves Pk the errors of drop
        level.edges = DROP if level.seam else WRAP
    memset(&scratch, 0, sizeof(scratch))
    try:
        scratch.known = <Known*> calloc(REMEMBERED, sizeof(Known))
        if scratch.known == NULL:
            raise MemoryError
        with nogil:
            while next_row(&batch, &row):
                first = level_offsets[row.index]
                n_levels = level_offsets[row.index + 1] - first
                if n_levels == 0:
                    continue
                candidates = candidates_of(ref_candidate_offsets, ref_candidates,
                                           hyp_candidate_offsets, hyp_candidates, row.index)
                level.n_units = row.units
                if candidates.n == level.n_units - 1:
                    candidates.n = 0  # every position: no need to list them
                n_groups = 1
                for i in range(row.hyp, row.hyp + row.n_hyp):
                    n_groups = max(n_groups, hyp_levels[i] + 1)
                    if hyp_levels[i] < 1:
                        with gil:
                            raise IndexError(f"hyp_levels[{i}] is {hyp_levels[i]}: expected 1, 2 …")
                reserve(&scratch, max(row.n_ref + row.n_hyp, candidates.n), n_groups)
                n_places = merge_places(
                    &ref_positions[0] + row.ref, &ref_levels[0] + row.ref, row.n_ref,
                    &hyp_positions[0] + row.hyp, &hyp_levels[0] + row.hyp, row.n_hyp,
                    n_groups, scratch.places,
                )
                count_groups(&scratch, &hyp_levels[0] + row.hyp, row.n_hyp, n_groups,
                             candidates.n if candidates.n else level.n_units - 1)
                row.out[0] = all_levels(
                    &level, &scratch, n_places, n_groups, row.n_hyp, candidates,
                    &level_sizes[first], &level_k[first], &errors[first], n_levels, &batch.watch,
                )
                row.out[1] = row.n_ref
    finally:
        free(scratch.known)
        free(scratch.places)
        free(scratch.events)
        free(scratch.group_sizes)
    close_batch(&batch)


cdef int64_t first_outside(
    const position_t* positions, int64_t n, Listed candidates
) noexcept nogil:
    """The first position that is no candidate, or 0."""
    cdef int64_t i, c = 0
    for i in range(n):
        while c < candidates.n and candidates.first[c] < positions[i]:
            c += 1
        if c == candidates.n or candidates.first[c] != positions[i]:
            return positions[i]
    return 0


cdef bint differ(const int64_t[::1] a, const int64_t[::1] b, int64_t i, int64_t j,
                 int64_t n) noexcept nogil:
    """Whether n values from a[i] on differ from those from b[j] on."""
    cdef int64_t step
    for step in range(n):
        if a[i + step] != b[j + step]:
            return True
    return False


def first_misfit(
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] ref_candidate_offsets, const int64_t[::1] ref_candidates,
    const int64_t[::1] hyp_candidate_offsets, const int64_t[::1] hyp_candidates,
):
    """The first document whose candidates do not fit: (row, position of ref, position of hyp)
    that is no candidate, or (row, 0, 0) if both sides list different candidates; (-1, 0, 0) if
    all fit."""
    cdef Py_ssize_t row
    cdef int64_t n_ref, n_hyp, ref, hyp
    cdef Listed candidates
    cdef Py_ssize_t n_rows = ref_offsets.shape[0] - 1
    check_offsets(ref_offsets, 0, n_rows, ref_positions.shape[0], "ref_offsets")
    check_offsets(hyp_offsets, 0, n_rows, hyp_positions.shape[0], "hyp_offsets")
    check_offsets(ref_candidate_offsets, 0, n_rows, ref_candidates.shape[0], "ref candidates")
    check_offsets(hyp_candidate_offsets, 0, n_rows, hyp_candidates.shape[0], "hyp candidates")
    for row in range(n_rows):
        n_ref = ref_candidate_offsets[row + 1] - ref_candidate_offsets[row]
        n_hyp = hyp_candidate_offsets[row + 1] - hyp_candidate_offsets[row]
        if n_ref == 0 and n_hyp == 0:
            continue
        if n_ref > 0 and n_hyp > 0 and (n_ref != n_hyp or differ(
            ref_candidates, hyp_candidates, ref_candidate_offsets[row],
            hyp_candidate_offsets[row], n_ref,
        )):
            return row, 0, 0
        candidates = candidates_of(ref_candidate_offsets, ref_candidates,
                            hyp_candidate_offsets, hyp_candidates, row)
        ref = first_outside(&ref_positions[0] + ref_offsets[row],
                            ref_offsets[row + 1] - ref_offsets[row], candidates)
        hyp = first_outside(&hyp_positions[0] + hyp_offsets[row],
                            hyp_offsets[row + 1] - hyp_offsets[row], candidates)
        if ref or hyp:
            return row, ref, hyp
    return -1, 0, 0


def hypergeometric(double T, double m, double w, double x):
    """P(X = x) and E|X − x| as the kernels compute them (for tests)."""
    return probability(T, m, w, x), mean_distance(T, m, w, x)
