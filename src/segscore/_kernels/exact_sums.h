/* Sums of columns that are exact up to the rounding of what rounding left over (sums.pyx).

The same sums are found in three ways:
- whole numbers and multiples of 1/256 (most statistics) as integers, several rows side by side;
- others four rows at a time with Knuth's two-sum, columns side by side;
- what is not finite, and what is left over, number by number.
The first two exist where compilers have vectors (bit_words.h). Every addition of the first way is
exact, so that its sums are those of the others, bit for bit. */

#ifndef SEGSCORE_EXACT_SUMS_H
#define SEGSCORE_EXACT_SUMS_H

#include "bit_words.h"

enum { SUMS_AT_ONCE = 4 };   /* rows that are added to each other first */
/* What the ways of vectors take at most; sums.pyx asks, whether there are vectors or not. */
enum { SUMS_MOST_GROUPS = 256, SUMS_WIDEST = 8 };

/* ---- number by number ---- */

/* Knuth's two-sum; what is not finite stays out of `low`, which it would turn into NaN. */
static inline void sums_add(double *high, double *low, double x) {
    double total = *high + x, part = total - *high;
    double error = (*high - (total - part)) + (x - part);
    *high = total;
    if (error == error) *low += error;
}

static inline double sums_two(double a, double b, double *error) {
    double total = a + b, part = total - a;
    *error += (a - (total - part)) + (b - part);
    return total;
}

/* Four numbers: first to each other, so that few additions wait for the one before. */
static inline void sums_add_four(double *high, double *low, const double *x, int64_t stride) {
    double error = 0;
    double left = sums_two(x[0], x[stride], &error);
    double right = sums_two(x[2 * stride], x[3 * stride], &error);
    double total = sums_two(*high, sums_two(left, right, &error), &error);
    if (error == error) {
        *high = total;
        *low += error;
    } else { /* some number is not finite */
        int i;
        for (i = 0; i < SUMS_AT_ONCE; i++) sums_add(high, low, x[i * stride]);
    }
}

static void sums_by_four(const double *rows, int64_t groups, int64_t width, double *high,
                         double *low) {
    int64_t column;
    for (; groups > 0; groups--, rows += SUMS_AT_ONCE * width)
        for (column = 0; column < width; column++)
            sums_add_four(&high[column], &low[column], &rows[column], width);
}

#ifndef SEGSCORE_BIT_ROWS

static int sums_in_fixed_point(const double *rows, int64_t groups, int64_t width, double *high,
                               double *low) {
    (void)rows; (void)groups; (void)width; (void)high; (void)low;
    return 0;
}
static void sums_side_by_side(const double *rows, int64_t groups, int64_t width, double *high,
                              double *low) {
    sums_by_four(rows, groups, width, high, low);
}

#else

/* ---- in fixed point ---- */

#define SUMS_FRACTION 256.0                  /* multiples of 1/256 are exact */
#define SUMS_ROUNDER (6755399441055744.0 / SUMS_FRACTION)   /* 1.5 * 2^52 */
#define SUMS_LARGEST ((uint64_t)1 << 40)     /* in 256ths, so that sums of a block stay below 2^53 */

/* Adding the rounder brings a number into the low bits of a double, as an integer; taking it away
   again shows whether anything was rounded. Negative numbers, and all that is too large, change
   high bits, and NaN comes back as another NaN. 0: nothing was added. */
SMALL int fixed_point(const double *rows, int64_t groups, int width, double *high, double *low) {
    wide_double rounder = doubles_of(SUMS_ROUNDER);
    wide total[SUMS_WIDEST], rounded = wide_of(0), bits = wide_of(0);
    uint64_t base = ((wide)rounder)[0], lane[4 * SUMS_WIDEST];
    int64_t group;
    int v, i;
    for (v = 0; v < width; v++) total[v] = wide_of(0);
    for (group = 0; group < groups; group++, rows += 4 * width) {
        for (v = 0; v < width; v++) {
            wide_double x = doubles_from(rows + 4 * v), raised = x + rounder;
            rounded |= (wide)x ^ (wide)(raised - rounder);
            bits |= (wide)raised;
            total[v] += (wide)raised;
        }
    }
    if (wide_or(rounded) || (wide_or(bits) ^ base) >= SUMS_LARGEST) return 0;
    for (v = 0; v < width; v++) wide_to(lane + 4 * v, total[v]);
    for (i = 0; i < width; i++) {
        uint64_t all = lane[i] + lane[i + width] + lane[i + 2 * width] + lane[i + 3 * width];
        int64_t sum = (int64_t)(all - 4 * (uint64_t)groups * base);
        sums_add(&high[i], &low[i], (double)sum / SUMS_FRACTION);
    }
    return 1;
}

/* Add up to SUMS_MOST_GROUPS times four rows, if that is exact; 0: nothing was added. */
WIDE int sums_in_fixed_point(const double *rows, int64_t groups, int64_t width, double *high,
                             double *low) {
    switch (width) {
#define CASE(WIDTH) case WIDTH: return fixed_point(rows, groups, WIDTH, high, low);
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#undef CASE
        default: return 0;
    }
}

/* ---- four rows at a time ---- */

SMALL wide_double two_of_wide(wide_double a, wide_double b, wide_double *error) {
    wide_double total = a + b, part = total - a;
    *error += (a - (total - part)) + (b - part);
    return total;
}

/* Four columns from the first on; the sums of the first `known` of them are complete already. */
SMALL void four_columns(const double *rows, int64_t groups, int64_t width, double *high, double *low,
                        int known) {
    double sums[4], errors[4];
    wide_double sum = doubles_from(high), left_over = doubles_from(low);
    int i;
    for (; groups > 0; groups--, rows += SUMS_AT_ONCE * width) {
        wide_double error = doubles_of(0);
        wide_double one = doubles_from(rows), two = doubles_from(rows + width);
        wide_double three = doubles_from(rows + 2 * width), four = doubles_from(rows + 3 * width);
        wide_double left = two_of_wide(one, two, &error), right = two_of_wide(three, four, &error);
        wide_double total = two_of_wide(sum, two_of_wide(left, right, &error), &error);
        if (wide_or((wide)(error != error))) { /* some number is not finite */
            doubles_to(sums, sum);
            doubles_to(errors, left_over);
            for (i = 0; i < 4; i++) sums_add_four(&sums[i], &errors[i], &rows[i], width);
            sum = doubles_from(sums);
            left_over = doubles_from(errors);
        } else {
            sum = total;
            left_over += error;
        }
    }
    doubles_to(sums, sum);
    doubles_to(errors, left_over);
    for (i = known; i < 4; i++) {
        high[i] = sums[i];
        low[i] = errors[i];
    }
}

WIDE void sums_side_by_side(const double *rows, int64_t groups, int64_t width, double *high,
                            double *low) {
    int64_t column = 0;
    if (width < 4) {
        sums_by_four(rows, groups, width, high, low);
        return;
    }
    for (; column + 4 <= width; column += 4)
        four_columns(rows + column, groups, width, high + column, low + column, 0);
    if (column < width) {
        int known = (int)(column + 4 - width);
        column = width - 4;
        four_columns(rows + column, groups, width, high + column, low + column, known);
    }
}

#endif /* SEGSCORE_BIT_ROWS */
#endif
