#include "field.h"

#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef int16_t s8 __attribute__((vector_size(16)));
typedef uint16_t u8x __attribute__((vector_size(16)));
typedef uint16_t u8xu __attribute__((vector_size(16), aligned(2)));
typedef uint8_t b8 __attribute__((vector_size(8), aligned(1)));

enum {
    /// A cell is seen through a window of twice its size that fades out to all sides.
    window = 2 * cell,
    /// Rows and columns that a cubic between four samples takes of such a window.
    taps = 4,
    reach = window + taps - 1,
};

/// Catmull-Rom's cubic at 16ths of a sample, in 64ths.
static const int16_t cubic[16][taps] = {
    {0, 64, 0, 0}, {-2, 64, 2, 0}, {-3, 62, 5, 0}, {-4, 60, 9, -1}, {-5, 56, 14, -1}, {-5, 52, 19, -2},
    {-5, 47, 24, -2}, {-4, 42, 29, -3}, {-4, 36, 36, -4}, {-3, 29, 42, -4}, {-2, 24, 47, -5}, {-2, 19, 52, -5},
    {-1, 14, 56, -5}, {-1, 9, 60, -4}, {0, 5, 62, -3}, {0, 2, 64, -2},
};

static const uint16_t fade[window] = {1, 3, 5, 7, 7, 5, 3, 1};

/// The window's samples at (`x`, `y`) in 16ths, of a plane of bytes.
INLINE void fetch_bytes(const cflow_plane *plane, int32_t x, int32_t y, s8 *result) {
    int32_t left = (x >> 4) - 1, top = (y >> 4) - 1;
    const int16_t *h = cubic[x & 15], *v = cubic[y & 15];
    uint8_t copy[reach * 16];
    const uint8_t *base = plane->base + (intptr_t)top * plane->stride + left;
    intptr_t stride = plane->stride;
    if (left < 0 || top < 0 || left + reach > plane->width || top + reach > plane->height) {
        for (int32_t row = 0; row < reach; row++) {
            int32_t at = top + row;
            at = at < 0 ? 0 : at >= plane->height ? plane->height - 1 : at;
            const uint8_t *line = plane->base + (intptr_t)at * plane->stride;
            for (int32_t column = 0; column < reach; column++) {
                int32_t place = left + column;
                copy[row * 16 + column] = line[place < 0 ? 0 : place >= plane->width ? plane->width - 1 : place];
            }
        }
        base = copy;
        stride = 16;
    }
    s8 rows[reach];
    for (int row = 0; row < reach; row++) {
        const uint8_t *p = base + row * stride;
        s8 b = __builtin_convertvector(*(const b8 *)(p + 1), s8);
        if ((x & 15) == 0) {
            rows[row] = b;
            continue;
        }
        s8 a = __builtin_convertvector(*(const b8 *)p, s8), c = __builtin_convertvector(*(const b8 *)(p + 2), s8),
           d = __builtin_convertvector(*(const b8 *)(p + 3), s8);
        rows[row] = (a * h[0] + b * h[1] + c * h[2] + d * h[3] + 32) >> 6;
    }
    const s8 zero = {0}, most = zero + 255;
    for (int row = 0; row < window; row++) {
        s8 sum = (y & 15) == 0 ? rows[row + 1]
            : (rows[row] * v[0] + rows[row + 1] * v[1] + rows[row + 2] * v[2] + rows[row + 3] * v[3] + 32) >> 6;
        s8 high = sum > most, low = sum < zero;
        result[row] = ((sum & ~high) | (most & high)) & ~low;
    }
}

/// Adds what a cell shows to the sums of the rows through its window.
INLINE void add_bytes(const cflow_plane *planes, const source *it, int32_t left, int32_t top, uint16_t *sums, intptr_t stride) {
    s8 shown[window];
    s8 other[window];
    if (it->part[1] == 0) {
        fetch_bytes(&planes[0], left * 16 + it->x[0], top * 16 + it->y[0], shown);
        for (int row = 0; row < window; row++) shown[row] <<= 2;
    } else if (it->part[0] == 0) {
        fetch_bytes(&planes[1], left * 16 + it->x[1], top * 16 + it->y[1], shown);
        for (int row = 0; row < window; row++) shown[row] <<= 2;
    } else {
        fetch_bytes(&planes[0], left * 16 + it->x[0], top * 16 + it->y[0], shown);
        fetch_bytes(&planes[1], left * 16 + it->x[1], top * 16 + it->y[1], other);
        int16_t a = (int16_t)it->part[0], b = (int16_t)it->part[1];
        for (int row = 0; row < window; row++) shown[row] = (shown[row] * a + other[row] * b + 2) >> 2;
    }
    const u8x across = *(const u8xu *)fade;
    for (int row = 0; row < window; row++) {
        u8xu *sum = (u8xu *)(sums + row * stride);
        *sum += (u8x)shown[row] * (across * fade[row]);
    }
}

static void render_bytes(
    const source *sources, int32_t columns, int32_t rows, const cflow_plane *planes, uint16_t *sums, intptr_t stride,
    uint8_t *target, intptr_t target_stride
) {
    const int32_t width = planes[0].width, height = planes[0].height;
    memset(sums, 0, (size_t)window * (size_t)stride * sizeof(uint16_t));
    // Cells beyond the edges are as those at them.
    for (int32_t row = -1; row <= rows; row++) {
        int32_t from = row < 0 ? 0 : row < rows ? row : rows - 1;
        for (int32_t column = -1; column <= columns; column++) {
            const source *it = &sources[from * columns + (column < 0 ? 0 : column < columns ? column : columns - 1)];
            add_bytes(planes, it, column * cell - cell / 2, row * cell - cell / 2, sums + (column + 1) * cell, stride);
        }
        for (int32_t line = 0; line < cell; line++) {
            int32_t y = row * cell - cell / 2 + line;
            if (y < 0 || y >= height) continue;
            const uint16_t *sum = sums + line * stride + cell / 2 + cell;
            uint8_t *out = target + (intptr_t)y * target_stride;
            for (int32_t x = 0; x < width; x++) out[x] = (uint8_t)((uint32_t)(sum[x] + 128) >> 8);
        }
        size_t half = (size_t)cell * (size_t)stride * sizeof(uint16_t);
        memmove(sums, sums + cell * stride, half);
        memset(sums + cell * stride, 0, half);
    }
}

/// The window's samples at (`x`, `y`) in 16ths, of a plane of 16-bit samples.
INLINE void fetch_words(const cflow_plane *plane, int32_t x, int32_t y, f8 *result) {
    int32_t left = (x >> 4) - 1, top = (y >> 4) - 1;
    const int16_t *h = cubic[x & 15], *v = cubic[y & 15];
    uint16_t copy[reach * 16];
    const uint8_t *base = plane->base + (intptr_t)top * plane->stride + 2 * (intptr_t)left;
    intptr_t stride = plane->stride;
    if (left < 0 || top < 0 || left + reach > plane->width || top + reach > plane->height) {
        for (int32_t row = 0; row < reach; row++) {
            int32_t at = top + row;
            at = at < 0 ? 0 : at >= plane->height ? plane->height - 1 : at;
            const uint16_t *line = (const uint16_t *)(const void *)(plane->base + (intptr_t)at * plane->stride);
            for (int32_t column = 0; column < reach; column++) {
                int32_t place = left + column;
                copy[row * 16 + column] = line[place < 0 ? 0 : place >= plane->width ? plane->width - 1 : place];
            }
        }
        base = (const uint8_t *)copy;
        stride = 16 * 2;
    }
    f8 rows[reach];
    for (int row = 0; row < reach; row++) {
        const uint16_t *p = (const uint16_t *)(const void *)(base + row * stride);
        f8 a = __builtin_convertvector(*(const u8xu *)p, f8), b = __builtin_convertvector(*(const u8xu *)(p + 1), f8),
           c = __builtin_convertvector(*(const u8xu *)(p + 2), f8), d = __builtin_convertvector(*(const u8xu *)(p + 3), f8);
        rows[row] = a * (float)h[0] + b * (float)h[1] + c * (float)h[2] + d * (float)h[3];
    }
    for (int row = 0; row < window; row++)
        result[row] = (rows[row] * (float)v[0] + rows[row + 1] * (float)v[1] + rows[row + 2] * (float)v[2]
            + rows[row + 3] * (float)v[3]) * (1.0f / 4096);
}

INLINE void add_words(const cflow_plane *planes, const source *it, int32_t left, int32_t top, float *sums, intptr_t stride) {
    f8 shown[window] = {0};
    f8 other[window];
    for (int side = 0; side < 2; side++) {
        if (it->part[side] == 0) continue;
        fetch_words(&planes[side], left * 16 + it->x[side], top * 16 + it->y[side], other);
        for (int row = 0; row < window; row++) shown[row] += other[row] * ((float)it->part[side] * (1.0f / 16));
    }
    const f8 across = __builtin_convertvector(*(const u8xu *)fade, f8);
    for (int row = 0; row < window; row++) {
        f8u *sum = (f8u *)(sums + row * stride);
        *sum += shown[row] * (across * ((float)fade[row] * (1.0f / 64)));
    }
}

static void render_words(
    const source *sources, int32_t columns, int32_t rows, const cflow_plane *planes, float *sums, intptr_t stride,
    uint8_t *target, intptr_t target_stride
) {
    const int32_t width = planes[0].width, height = planes[0].height;
    const float most = (float)((1 << planes[0].bits) - 1);
    memset(sums, 0, (size_t)window * (size_t)stride * sizeof(float));
    for (int32_t row = -1; row <= rows; row++) {
        int32_t from = row < 0 ? 0 : row < rows ? row : rows - 1;
        for (int32_t column = -1; column <= columns; column++) {
            const source *it = &sources[from * columns + (column < 0 ? 0 : column < columns ? column : columns - 1)];
            add_words(planes, it, column * cell - cell / 2, row * cell - cell / 2, sums + (column + 1) * cell, stride);
        }
        for (int32_t line = 0; line < cell; line++) {
            int32_t y = row * cell - cell / 2 + line;
            if (y < 0 || y >= height) continue;
            const float *sum = sums + line * stride + cell / 2 + cell;
            uint16_t *out = (uint16_t *)(void *)(target + (intptr_t)y * target_stride);
            for (int32_t x = 0; x < width; x++) {
                float value = sum[x] + 0.5f;
                out[x] = (uint16_t)(value > 0 ? (value < most ? value : most) : 0);
            }
        }
        size_t half = (size_t)cell * (size_t)stride * sizeof(float);
        memmove(sums, sums + cell * stride, half);
        memset(sums + cell * stride, 0, half);
    }
}

void cflow_render(
    cflow_field *field, const cflow_plane *last, const cflow_plane *next, int32_t shift_x, int32_t shift_y,
    uint8_t *target, intptr_t target_stride
) {
    const cflow_plane planes[2] = {*last, *next};
    const source *sources = field->sources;
    int32_t columns = field->columns, rows = field->rows;
    if (shift_x != 0 || shift_y != 0) {
        int32_t wide = 1 << shift_x, high = 1 << shift_y;
        columns = (last->width + cell - 1) / cell;
        rows = (last->height + cell - 1) / cell;
        for (int32_t row = 0; row < rows; row++) {
            for (int32_t column = 0; column < columns; column++) {
                const source *best = NULL;
                for (int32_t y = row * high; y < (row + 1) * high; y++) {
                    for (int32_t x = column * wide; x < (column + 1) * wide; x++) {
                        int32_t cx = x < field->columns ? x : field->columns - 1;
                        int32_t cy = y < field->rows ? y : field->rows - 1;
                        const source *it = &field->sources[cy * field->columns + cx];
                        if (best == NULL || it->trust > best->trust) best = it;
                    }
                }
                source *it = &field->plane_sources[row * columns + column];
                *it = *best;
                for (int side = 0; side < 2; side++) {
                    it->x[side] = (best->x[side] + (shift_x > 0 ? 1 << (shift_x - 1) : 0)) >> shift_x;
                    it->y[side] = (best->y[side] + (shift_y > 0 ? 1 << (shift_y - 1) : 0)) >> shift_y;
                }
            }
        }
        sources = field->plane_sources;
    }
    if (last->bits == 8) {
        render_bytes(sources, columns, rows, planes, field->strip, field->strip_stride, target, target_stride);
    } else {
        render_words(sources, columns, rows, planes, field->strip, field->strip_stride, target, target_stride);
    }
}
