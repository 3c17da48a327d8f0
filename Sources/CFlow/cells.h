#ifndef CELLS_H
#define CELLS_H

#include "template.h"

#include <string.h>

// The step from the motion of patches, four of which cover each sample, to that of cells.

enum {
    /// The rows of samples whose patches are summed at a time: those of a patch, and of a started cell.
    strip_rows = patch + cell,
};

/// Adds the motion of a row of patches to the sums of the samples below them: the better a patch fits a
/// sample, the higher its weight.
INLINE void add_patches(
    const level *from, const level *to, const motion *patches, int32_t top, float *x, float *y, float *weights, size_t stride
) {
    const int32_t columns = patch_count(from->width);
    for (int32_t column = 0; column < columns; column++) {
        template it;
        int32_t left = patch_place(column, from->width);
        load_samples(&it, from, left, top);
        const motion *best = &patches[column];
        f8 left_over[patch];
        residual(&it, to, best->x, best->y, left_over, NULL, NULL);
        for (int row = 0; row < patch; row++) {
            size_t at = (size_t)row * stride + (size_t)left;
            f8 weight = 1 / (1 + left_over[row] * left_over[row] + 0.05f * best->error);
            *(f8u *)(x + at) += weight * best->x;
            *(f8u *)(y + at) += weight * best->y;
            *(f8u *)(weights + at) += weight;
        }
    }
}

/// Returns the mean difference of a cell's samples from those of the other picture at an offset of `u` and
/// `v`.
INLINE float difference(const level *from, const level *to, int32_t left, int32_t top, int32_t n, float u, float v) {
    float x = clamped((float)left + u, -border, (float)(to->width + border - 2 - cell));
    float y = clamped((float)top + v, -border, (float)(to->height + border - 2 - cell));
    float floor_x = floorf(x), floor_y = floorf(y);
    float fx = x - floor_x, fy = y - floor_y;
    const float w11 = fx * fy, w01 = fx - w11, w10 = fy - w11, w00 = 1 - fx - w10;
    const float *p = to->origin + (intptr_t)floor_y * to->stride + (intptr_t)floor_x;
    const float *own = from->origin + (intptr_t)top * from->stride + left;
    f4 sum = {0};
    for (int32_t row = 0; row < n; row++, p += to->stride, own += from->stride) {
        const float *q = p + to->stride;
        sum += __builtin_elementwise_abs(*(const f4u *)own
            - (*(const f4u *)p * w00 + *(const f4u *)(p + 1) * w01 + *(const f4u *)q * w10 + *(const f4u *)(q + 1) * w11));
    }
    return (n == 1 ? sum[0] : n == 2 ? sum[0] + sum[1] : (sum[0] + sum[2]) + (sum[1] + sum[3])) / (float)(n * n);
}

/// Computes the motion of a row of cells, and the difference from the samples at its target. `x`, `y` and
/// `weights` are the sums of its first row of samples; rows below the picture repeat its last.
INLINE void make_cells(
    const level *from, const level *to, cell_motion *cells, int32_t columns, int32_t top, int32_t n,
    const float *x, const float *y, const float *weights, size_t stride, float scale
) {
    for (int32_t column = 0; column < columns; column++) {
        int32_t left = column * n;
        float sum_x = 0, sum_y = 0, sum = 0;
        for (int32_t dy = 0; dy < n; dy++) {
            size_t row = (size_t)(top + dy < from->height ? dy : from->height - 1 - top) * stride;
            for (int32_t dx = 0; dx < n; dx++) {
                size_t at = row + (size_t)(left + dx < from->width ? left + dx : from->width - 1);
                sum_x += x[at];
                sum_y += y[at];
                sum += weights[at];
            }
        }
        float u = sum_x / sum, v = sum_y / sum;
        cells[column] = (cell_motion){
            u * scale, v * scale, difference(from, to, left, top, n, u, v),
            difference(from, to, left, top, n, 0, 0), 0
        };
    }
}

/// Computes the motion of every cell of a picture.
INLINE void gather_body(cflow_field *field, int side) {
    const level *from = &field->levels[side][0], *to = &field->levels[1 - side][0];
    const int32_t n = cell / field->reduction, rows = patch_count(from->height);
    const size_t stride = (size_t)from->stride, samples = strip_rows * stride;
    float *x = field->strips[side], *y = x + samples, *weights = y + samples;
    memset(x, 0, 3 * samples * sizeof(float));
    int32_t base = 0, next = 0;
    for (int32_t row = 0; row <= rows; row++) {
        const bool is_over = row == rows;
        const int32_t top = is_over ? from->height : patch_place(row, from->height);
        for (; next < field->rows && (is_over || (next + 1) * n <= top); next++) {
            int32_t place = next * n < from->height ? next * n : from->height - 1;
            size_t at = (size_t)(place - base) * stride;
            make_cells(
                from, to, &field->cells[side][next * field->columns], field->columns, place, n, x + at, y + at, weights + at,
                stride, (float)field->reduction);
        }
        if (is_over) break;
        // Move out the finished rows to make room for further ones.
        const int32_t done = next * n - base;
        if (done > 0) {
            for (float *sums = x; sums <= weights; sums += samples) {
                memmove(sums, sums + (size_t)done * stride, (strip_rows - (size_t)done) * stride * sizeof(float));
                memset(sums + (strip_rows - (size_t)done) * stride, 0, (size_t)done * stride * sizeof(float));
            }
            base += done;
        }
        size_t at = (size_t)(top - base) * stride;
        add_patches(from, to, &field->patches[side][row * patch_count(from->width)], top, x + at, y + at, weights + at, stride);
    }
}

#endif
