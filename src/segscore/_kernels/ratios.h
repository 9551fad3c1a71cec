/* Columns of doubles divided by each other, four rows at a time where compilers have vectors
(bit_words.h), else row by row. A column is an address and the bytes from one number to the next. */

#ifndef SEGSCORE_RATIOS_H
#define SEGSCORE_RATIOS_H

#include <math.h>

#include "bit_words.h"

typedef struct { const char *at; int64_t step; } Numbers;

static inline double number_of(const Numbers *column, int64_t row) {
    double x;
    memcpy(&x, column->at + row * column->step, sizeof x);
    return x;
}

static inline double ratio_of(double above, double below) {
    return below != 0 ? above / below : (double)NAN;
}

static inline double f_measure_of(double tp, double fp, double fn, double weight) {
    double found = (1 + weight) * tp, missed = weight * fn;
    return ratio_of(found, (found + missed) + fp);
}

/* From a row on: number by number. */
static void quotients_from(int64_t row, int64_t n, Numbers above, Numbers below, double *out) {
    for (; row < n; row++) out[row] = ratio_of(number_of(&above, row), number_of(&below, row));
}

static void f_measures_from(int64_t row, int64_t n, Numbers tp, Numbers fp, Numbers fn,
                            double weight, double *out) {
    for (; row < n; row++)
        out[row] = f_measure_of(number_of(&tp, row), number_of(&fp, row), number_of(&fn, row), weight);
}

#ifndef SEGSCORE_BIT_ROWS

/* How many rows are done. */
static int64_t quotients_by_four(int64_t n, Numbers above, Numbers below, double *out) {
    (void)n; (void)above; (void)below; (void)out;
    return 0;
}
static int64_t f_measures_by_four(int64_t n, Numbers tp, Numbers fp, Numbers fn, double weight,
                                  double *out) {
    (void)n; (void)tp; (void)fp; (void)fn; (void)weight; (void)out;
    return 0;
}

#else

SMALL wide_double four_of(const Numbers *column, int64_t row) {
    return (wide_double){number_of(column, row), number_of(column, row + 1),
                         number_of(column, row + 2), number_of(column, row + 3)};
}

SMALL wide_double ratios_of(wide_double above, wide_double below) {
    wide zero = (wide)(below == doubles_of(0));
    return (wide_double)pick(zero, (wide)doubles_of((double)NAN), (wide)(above / below));
}

WIDE int64_t quotients_by_four(int64_t n, Numbers above, Numbers below, double *out) {
    int64_t row;
    for (row = 0; row + 4 <= n; row += 4)
        doubles_to(out + row, ratios_of(four_of(&above, row), four_of(&below, row)));
    return row;
}

WIDE int64_t f_measures_by_four(int64_t n, Numbers tp, Numbers fp, Numbers fn, double weight,
                                double *out) {
    int64_t row;
    for (row = 0; row + 4 <= n; row += 4) {
        wide_double found = doubles_of(1 + weight) * four_of(&tp, row);
        wide_double missed = doubles_of(weight) * four_of(&fn, row);
        doubles_to(out + row, ratios_of(found, (found + missed) + four_of(&fp, row)));
    }
    return row;
}

#endif /* SEGSCORE_BIT_ROWS */
#endif
