#include "template.h"

#include <stdlib.h>
#include <string.h>

// Functions that return vectors are all inlined, so no calling convention matters.
#pragma clang diagnostic ignored "-Wpsabi"

typedef int16_t s16 __attribute__((vector_size(32)));
typedef uint16_t u8x __attribute__((vector_size(16)));
typedef uint16_t u8xu __attribute__((vector_size(16), aligned(2)));
typedef uint8_t b8 __attribute__((vector_size(8)));
typedef uint8_t b8u __attribute__((vector_size(8), aligned(1)));

enum {
    /// The window of a cell, twice its size, which fades out on all sides.
    window = 2 * cell,
    /// The samples of the cubic, each way, and the rows and columns that a window needs with them.
    taps = 4,
    reach = window + taps - 1,
};

/// Catmull-Rom's cubic at 16ths of a sample, in 64ths.
static const int16_t cubic[16][taps] = {
    {0, 64, 0, 0}, {-2, 64, 2, 0}, {-3, 62, 5, 0}, {-4, 60, 9, -1}, {-5, 56, 14, -1}, {-5, 52, 19, -2},
    {-5, 47, 24, -2}, {-4, 42, 29, -3}, {-4, 36, 36, -4}, {-3, 29, 42, -4}, {-2, 24, 47, -5}, {-2, 19, 52, -5},
    {-1, 14, 56, -5}, {-1, 9, 60, -4}, {0, 5, 62, -3}, {0, 2, 64, -2},
};

static const uint16_t fade[window] = {2, 3, 5, 6, 6, 5, 3, 2};

/// Returns the start of the window's samples at (`x`, `y`), in 16ths, in a plane of bytes; if they extend
/// past its edges, they are repeated in `copy`.
INLINE const uint8_t *reached_bytes(const cflow_plane *plane, int32_t x, int32_t y, uint8_t *copy, intptr_t *stride) {
    int32_t left = (x >> 4) - 1, top = (y >> 4) - 1;
    *stride = plane->stride;
    if (left >= 0 && top >= 0 && left + reach <= plane->width && top + reach <= plane->height)
        return plane->base + (intptr_t)top * plane->stride + left;
    for (int32_t row = 0; row < reach; row++) {
        int32_t at = top + row;
        at = at < 0 ? 0 : at >= plane->height ? plane->height - 1 : at;
        const uint8_t *line = plane->base + (intptr_t)at * plane->stride;
        for (int32_t column = 0; column < reach; column++) {
            int32_t place = left + column;
            copy[row * 16 + column] = line[place < 0 ? 0 : place >= plane->width ? plane->width - 1 : place];
        }
    }
    *stride = 16;
    return copy;
}

/// Returns eight samples of each picture, side by side.
INLINE s16 both(const uint8_t *last, const uint8_t *next) {
    b8 a = *(const b8u *)last, b = *(const b8u *)next;
    return __builtin_convertvector(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), s16);
}

/// Returns one value for each picture, repeated.
INLINE s16 spread(int16_t last, int16_t next) {
    return (s16){last, last, last, last, last, last, last, last, next, next, next, next, next, next, next, next};
}

/// Adds a cell's samples to the sums of the rows in its window.
INLINE void add_bytes(const cflow_plane *planes, const source *it, int32_t left, int32_t top, uint16_t *sums, intptr_t stride) {
    // If only one picture contributes, its samples are fetched twice.
    const int a = it->part[0] == 0, b = it->part[1] != 0;
    const int32_t ax = left * 16 + it->x[a], ay = top * 16 + it->y[a], bx = left * 16 + it->x[b], by = top * 16 + it->y[b];
    uint8_t copies[2][reach * 16];
    intptr_t last_stride, next_stride;
    const uint8_t *last = reached_bytes(&planes[a], ax, ay, copies[0], &last_stride);
    const uint8_t *next = reached_bytes(&planes[b], bx, by, copies[1], &next_stride);
    const int16_t *ah = cubic[ax & 15], *bh = cubic[bx & 15], *av = cubic[ay & 15], *bv = cubic[by & 15];
    s16 rows[reach];
    if (((ax | bx) & 15) == 0) {
        for (int row = 0; row < reach; row++)
            rows[row] = (both(last + row * last_stride + 1, next + row * next_stride + 1) << 1) - 256;
    } else {
        const s16 h0 = spread(ah[0], bh[0]), h1 = spread(ah[1], bh[1]), h2 = spread(ah[2], bh[2]), h3 = spread(ah[3], bh[3]);
        for (int row = 0; row < reach; row++) {
            const uint8_t *p = last + row * last_stride, *q = next + row * next_stride;
            rows[row] = (both(p, q) * h0 + both(p + 1, q + 1) * h1 + both(p + 2, q + 2) * h2 + both(p + 3, q + 3) * h3 - (8192 - 16)) >> 5;
        }
    }
    const s16 zero = {0}, most = zero + 1020;
    const s16 v0 = spread(av[0], bv[0]), v1 = spread(av[1], bv[1]), v2 = spread(av[2], bv[2]), v3 = spread(av[3], bv[3]);
    const bool is_level = ((ay | by) & 15) == 0;
    const s16 parts = spread((int16_t)it->part[a], a == b ? 0 : (int16_t)it->part[b]);
    const u8x across = *(const u8xu *)fade;
    for (int row = 0; row < window; row++) {
        s16 one = is_level ? rows[row + 1] << 1
            : (rows[row] * v0 + rows[row + 1] * v1 + rows[row + 2] * v2 + rows[row + 3] * v3 + 16) >> 5;
        one = __builtin_elementwise_max(__builtin_elementwise_min(one + 512, most), zero) * parts;
        u8x shown = (u8x)((__builtin_shufflevector(one, one, 0, 1, 2, 3, 4, 5, 6, 7)
            + __builtin_shufflevector(one, one, 8, 9, 10, 11, 12, 13, 14, 15) + 8) >> 4);
        u8xu *sum = (u8xu *)(sums + row * stride);
        *sum += shown * (across * fade[row]);
    }
}

INLINE void render_bytes_body(
    const source *sources, int32_t columns, int32_t rows, const cflow_plane *planes, uint16_t *sums, intptr_t stride,
    uint8_t *target, intptr_t target_stride
) {
    const int32_t width = planes[0].width, height = planes[0].height;
    memset(sums, 0, (size_t)window * (size_t)stride * sizeof(uint16_t));
    // Cells beyond the edges repeat those at them.
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

#define RENDER_BYTES(name, ...) \
    __VA_ARGS__ static void name( \
        const source *sources, int32_t columns, int32_t rows, const cflow_plane *planes, uint16_t *sums, \
        intptr_t stride, uint8_t *target, intptr_t target_stride \
    ) { \
        render_bytes_body(sources, columns, rows, planes, sums, stride, target, target_stride); \
    }
RENDER_BYTES(render_bytes_plain, )
#if defined(__x86_64__)
RENDER_BYTES(render_bytes_avx2, __attribute__((target("avx2"))))
#endif

static void render_bytes(
    const source *sources, int32_t columns, int32_t rows, const cflow_plane *planes, uint16_t *sums, intptr_t stride,
    uint8_t *target, intptr_t target_stride
) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return render_bytes_avx2(sources, columns, rows, planes, sums, stride, target, target_stride);
#endif
    render_bytes_plain(sources, columns, rows, planes, sums, stride, target, target_stride);
}

/// Interpolates the window's samples at (`x`, `y`), in 16ths, of a plane of 16-bit samples.
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
                    it->x[side] = (int16_t)((best->x[side] + (shift_x > 0 ? 1 << (shift_x - 1) : 0)) >> shift_x);
                    it->y[side] = (int16_t)((best->y[side] + (shift_y > 0 ? 1 << (shift_y - 1) : 0)) >> shift_y);
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
