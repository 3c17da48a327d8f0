#include "template.h"

#include <string.h>

/// Moves every cell of one side along its motion to its position at the instant.
INLINE void send(cflow_field *field, int side, float part) {
    const int32_t columns = field->columns, rows = field->rows;
    f4 *arrived = (f4 *)(void *)field->arrived[side];
    memset(arrived, 0, (size_t)columns * (size_t)rows * sizeof(f4));
    const float most_x = (float)columns + 2, most_y = (float)rows + 2;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            const cell_motion *it = &field->cells[side][row * columns + column];
            float x = (float)column + it->x * part / cell, y = (float)row + it->y * part / cell;
            if (!(x > -2 && y > -2 && x < most_x && y < most_y)) continue;
            // This rounds down; floorf is a call on x86-64.
            const int32_t left = (int32_t)(x + 4) - 4, top = (int32_t)(y + 4) - 4;
            const float fx = x - (float)left, fy = y - (float)top;
            float trust = it->trust + 1e-3f;
            f4 what = {it->x * trust, it->y * trust, trust, 1};
            f4 *there = arrived + (intptr_t)top * columns + left;
            if (left >= 0 && top >= 0 && left + 1 < columns && top + 1 < rows) {
                there[0] += what * ((1 - fx) * (1 - fy));
                there[1] += what * (fx * (1 - fy));
                there[columns] += what * ((1 - fx) * fy);
                there[columns + 1] += what * (fx * fy);
                continue;
            }
            for (int dy = 0; dy < 2; dy++) {
                if (top + dy < 0 || top + dy >= rows) continue;
                for (int dx = 0; dx < 2; dx++) {
                    if (left + dx < 0 || left + dx >= columns) continue;
                    there[dy * columns + dx] += what * ((dx ? fx : 1 - fx) * (dy ? fy : 1 - fy));
                }
            }
        }
    }
}

/// Rounds to the nearest integer; lrintf is a call on x86-64.
INLINE int16_t nearest(float value) { return (int16_t)(clamped(value, -32767, 32767) + (value < 0 ? -0.5f : 0.5f)); }

INLINE bool is_inside(const cflow_field *field, float x, float y) {
    return x >= 0 && y >= 0 && x <= (float)field->width && y <= (float)field->height;
}


/// Interpolates the 8 by 8 samples of a level from (`x`, `y`) on, all of which must lie within it.
INLINE void fetch(const level *it, float x, float y, f8 *result) {
    const int32_t left = (int32_t)x, top = (int32_t)y;
    const float fx = x - (float)left, fy = y - (float)top;
    const float w11 = fx * fy, w01 = fx - w11, w10 = fy - w11, w00 = 1 - fx - w10;
    const float *p = it->origin + (intptr_t)top * it->stride + left;
    for (int row = 0; row < patch; row++, p += it->stride) {
        const float *q = p + it->stride;
        result[row] = *(const f8u *)p * w00 + *(const f8u *)(p + 1) * w01 + *(const f8u *)q * w10 + *(const f8u *)(q + 1) * w11;
    }
}

INLINE bool is_patch_inside(const level *it, float x, float y) {
    return x >= 0 && y >= 0 && x <= (float)(it->width - patch - 1) && y <= (float)(it->height - patch - 1);
}

/// Returns the difference of both pictures around a position at the instant `t`, given a motion; negative if
/// that leaves one of them.
INLINE float difference(const cflow_field *field, float middle_x, float middle_y, float x, float y, float t) {
    const level *last = &field->levels[0][0], *next = &field->levels[1][0];
    const float scale = 1 / (float)field->reduction, half = (patch - 1) * 0.5f;
    middle_x = middle_x * scale - 0.5f - half;
    middle_y = middle_y * scale - 0.5f - half;
    x *= scale;
    y *= scale;
    const float last_x = middle_x - x * t, last_y = middle_y - y * t;
    const float next_x = middle_x + x * (1 - t), next_y = middle_y + y * (1 - t);
    if (!is_patch_inside(last, last_x, last_y) || !is_patch_inside(next, next_x, next_y)) return -1;
    f8 one[patch], other[patch], sum = {0};
    fetch(last, last_x, last_y, one);
    fetch(next, next_x, next_y, other);
    for (int row = 0; row < patch; row++) sum += __builtin_elementwise_abs(one[row] - other[row]);
    return total(&sum);
}

enum {
    /// The distance of the cells from which one borrows its motion, if its own makes the pictures differ.
    neighbour_distance = 4,
    /// The mean difference of samples, in 256ths, up to which a cell keeps its own motion.
    enough = 16,
};

/// Borrows the motion that arrives near a cell if it halves the difference of both pictures there.
INLINE void borrow(const cflow_field *field, int32_t at, float t, float *x, float *y) {
    const int32_t columns = field->columns, rows = field->rows, column = at % columns, row = at / columns;
    const float middle_x = ((float)column + 0.5f) * cell, middle_y = ((float)row + 0.5f) * cell;
    float least = difference(field, middle_x, middle_y, *x, *y, t);
    if (least <= enough * patch * patch) return;
    least *= 0.5f;
    for (int index = 0; index < 8; index++) {
        const int32_t way = index & 2 ? neighbour_distance : -neighbour_distance;
        const int32_t u = column + (index & 4 ? way : 0), v = row + (index & 4 ? 0 : way);
        if (u < 0 || v < 0 || u >= columns || v >= rows) continue;
        const f4 it = ((const f4 *)(const void *)field->arrived[index & 1])[v * columns + u];
        const float sign = index & 1 ? -1 : 1;
        const float there_x = sign * it[0] / (it[2] + 1e-9f), there_y = sign * it[1] / (it[2] + 1e-9f);
        const float dx = there_x - *x, dy = there_y - *y;
        if (dx * dx + dy * dy < 1) continue;
        const float by_it = difference(field, middle_x, middle_y, there_x, there_y, t);
        if (by_it < 0 || by_it >= least) continue;
        least = by_it;
        *x = there_x;
        *y = there_y;
    }
}

INLINE int32_t place_body(cflow_field *field, int32_t share) {
    const int32_t columns = field->columns, rows = field->rows;
    const float t = (float)share / 256;
    send(field, 0, t);
    send(field, 1, 1 - t);
    const f4 *from_last = (const f4 *)(const void *)field->arrived[0];
    const f4 *from_next = (const f4 *)(const void *)field->arrived[1];
    for (int32_t at = 0; at < columns * rows; at++) {
        f4 a = from_last[at], b = from_next[at];
        source *it = &field->sources[at];
        float ax = a[0] / (a[2] + 1e-9f), ay = a[1] / (a[2] + 1e-9f);
        float bx = -b[0] / (b[2] + 1e-9f), by = -b[1] / (b[2] + 1e-9f);
        if (field->is_lost[at]) {
            *it = (source){{0, 0}, {0, 0}, {share <= 128 ? 16 : 0, share <= 128 ? 0 : 16}, 0};
            continue;
        }
        const float middle_x = ((float)(at % columns) + 0.5f) * cell, middle_y = ((float)(at / columns) + 0.5f) * cell;
        // Use the mean of both sides; if they differ, use the one by which the pictures are more alike, if
        // any.
        const float s = a[2] / (a[2] + b[2] + 1e-9f), dx = ax - bx, dy = ay - by;
        float x = bx + dx * s, y = by + dy * s;
        if (dx * dx + dy * dy >= 1) {
            const float by_mean = difference(field, middle_x, middle_y, x, y, t);
            const float by_last = difference(field, middle_x, middle_y, ax, ay, t);
            const float by_next = difference(field, middle_x, middle_y, bx, by, t);
            if (by_mean >= 0 && by_last >= 0 && by_next >= 0 && (by_last < by_mean || by_next < by_mean)) {
                x = by_last <= by_next ? ax : bx;
                y = by_last <= by_next ? ay : by;
            }
        }
        // Trusted motion already aligns what belongs together.
        if (a[2] + b[2] < 0.5f * (a[3] + b[3])) borrow(field, at, t, &x, &y);
        // Content beyond the edge of one picture comes from the other alone.
        bool in_last = is_inside(field, middle_x - x * t, middle_y - y * t);
        bool in_next = is_inside(field, middle_x + x * (1 - t), middle_y + y * (1 - t));
        float last_part = in_last == in_next ? (1 - t) * 16 : in_last ? 16 : 0;
        *it = (source){
            {nearest(-x * t * 16), nearest(x * (1 - t) * 16)},
            {nearest(-y * t * 16), nearest(y * (1 - t) * 16)},
            {nearest(last_part), (int16_t)(16 - nearest(last_part))},
            a[2] > b[2] ? a[2] : b[2],
        };
    }
    return (int32_t)((int64_t)field->lost_count * 65536 / ((int64_t)columns * rows));
}

static int32_t place_plain(cflow_field *field, int32_t share) { return place_body(field, share); }

#if defined(__x86_64__)
static __attribute__((target("avx2"))) int32_t place_avx2(cflow_field *field, int32_t share) {
    return place_body(field, share);
}
#endif

int32_t cflow_place(cflow_field *field, int32_t share) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return place_avx2(field, share);
#endif
    return place_plain(field, share);
}
