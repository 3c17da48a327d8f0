#include "CPixels.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

enum { margin = 2 };

static int32_t mirrored(int32_t place, int32_t count) {
    if (place < 0) return -place;
    return place >= count ? 2 * (count - 1) - place : place;
}

/// Returns a sample in 16 bits.
static int32_t sample(const cpixels_plane *plane, const uint8_t *row, int32_t x) {
    return plane->bits > 8 ? ((const uint16_t *)(const void *)row)[x] << (16 - plane->bits) : row[x] * 257;
}

/// Returns a sample minus the black level, times the gain; values below black stay negative, so that noise
/// has no colour.
static int32_t lit(int32_t value, int32_t black, float gain) {
    float result = (float)(value - black) * gain;
    return result < 65535 ? result > -65535 ? (int32_t)(result + (result < 0 ? -0.5f : 0.5f)) : -65535 : 65535;
}

void cpixels_spread(const cpixels_plane *mosaic, const cpixels_development *how, int32_t *samples) {
    const int32_t width = mosaic->width, height = mosaic->height, stride = width + 2 * margin;
    for (int32_t y = -margin; y < height + margin; y++) {
        const int32_t from = mirrored(y, height);
        const uint8_t *row = mosaic->base + (intptr_t)from * mosaic->stride;
        int32_t *target = samples + (intptr_t)(y + margin) * stride + margin;
        const bool is_red_row = (from & 1) == how->red_row;
        // These are red and green, or green and blue, for even columns and odd ones.
        float gains[2];
        for (int32_t column = 0; column < 2; column++) {
            const bool is_red_column = column == how->red_column;
            gains[column] = is_red_row != is_red_column ? how->gains[1] : how->gains[is_red_row ? 0 : 2];
        }
        for (int32_t x = 0; x < width; x++) target[x] = lit(sample(mosaic, row, x), how->black, gains[x & 1]);
        for (int32_t x = -margin; x < 0; x++) target[x] = target[mirrored(x, width)];
        for (int32_t x = width; x < width + margin; x++) target[x] = target[mirrored(x, width)];
    }
}

static int32_t clamped(int32_t sixteenths) {
    int32_t value = (sixteenths + 8) >> 4;
    return value > 0 ? value < 65535 ? value : 65535 : 0;
}

static int32_t clamped_float(float value) {
    return value > 0 ? value < 65535 ? (int32_t)(value + 0.5f) : 65535 : 0;
}

/// Writes a row of pixels with all colours, by the filters of Malvar, He and Cutler.
void cpixels_demosaic_row(
    const int32_t *samples, int32_t width, int32_t y, const cpixels_development *how, bool is_deep, uint8_t *target
) {
    const intptr_t stride = width + 2 * margin;
    const int32_t *row = samples + (y + margin) * stride + margin;
    const bool is_red_row = (y & 1) == how->red_row;
    const int own_place = is_red_row ? 0 : 2;
    uint16_t *words = (uint16_t *)(void *)target;
    for (int32_t x = 0; x < width; x++) {
        const int32_t *at = row + x;
        const int32_t own = at[0], beside = at[-1] + at[1], above = at[-stride] + at[stride];
        const int32_t far_beside = at[-2] + at[2], far_above = at[-2 * stride] + at[2 * stride];
        const int32_t corners = at[-stride - 1] + at[-stride + 1] + at[stride - 1] + at[stride + 1];
        int32_t rgb[3];
        if (is_red_row == ((x & 1) == how->red_column)) {
            // This is red or blue: green comes from the cross, the opposite colour from the corners.
            rgb[own_place] = clamped(own * 16);
            rgb[1] = clamped(8 * own + 4 * (beside + above) - 2 * (far_beside + far_above));
            rgb[2 - own_place] = clamped(12 * own + 4 * corners - 3 * (far_beside + far_above));
        } else {
            const int32_t level = 10 * own - 2 * corners;
            rgb[own_place] = clamped(level + 8 * beside - 2 * far_beside + far_above);
            rgb[1] = clamped(own * 16);
            rgb[2 - own_place] = clamped(level + 8 * above - 2 * far_above + far_beside);
        }
        if (how->has_matrix) {
            const float r = (float)rgb[0], g = (float)rgb[1], b = (float)rgb[2];
            const float *m = how->matrix;
            rgb[0] = clamped_float(r * m[0] + g * m[1] + b * m[2]);
            rgb[1] = clamped_float(r * m[3] + g * m[4] + b * m[5]);
            rgb[2] = clamped_float(r * m[6] + g * m[7] + b * m[8]);
        }
        if (is_deep) {
            for (int color = 0; color < 3; color++) words[3 * x + color] = how->curve[rgb[color]];
        } else {
            for (int color = 0; color < 3; color++) target[3 * x + color] = (uint8_t)how->curve[rgb[color]];
        }
    }
}

void cpixels_develop_grey(
    const cpixels_plane *plane, const cpixels_development *how, bool is_deep, uint8_t *target, intptr_t target_stride
) {
    for (int32_t y = 0; y < plane->height; y++) {
        const uint8_t *row = plane->base + (intptr_t)y * plane->stride;
        uint8_t *line = target + (intptr_t)y * target_stride;
        uint16_t *words = (uint16_t *)(void *)line;
        for (int32_t x = 0; x < plane->width; x++) {
            int32_t value = lit(sample(plane, row, x), how->black, how->gains[1]);
            uint16_t shown = how->curve[value > 0 ? value : 0];
            if (is_deep) words[x] = shown;
            else line[x] = (uint8_t)shown;
        }
    }
}

void cpixels_blocks(
    const cpixels_plane *plane, int32_t red_column, int32_t red_row, int32_t size, cpixels_block *blocks
) {
    const int32_t columns = plane->width / size, rows = plane->height / size;
    const bool is_grey = red_column < 0;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            double sums[3] = {0};
            int32_t counts[3] = {0}, most = 0;
            for (int32_t y = row * size; y < (row + 1) * size; y++) {
                const uint8_t *line = plane->base + (intptr_t)y * plane->stride;
                for (int32_t x = column * size; x < (column + 1) * size; x++) {
                    const bool is_red_row = (y & 1) == red_row, is_red_column = (x & 1) == red_column;
                    const int color = is_grey || is_red_row != is_red_column ? 1 : is_red_row ? 0 : 2;
                    const int32_t value = sample(plane, line, x);
                    sums[color] += value;
                    counts[color]++;
                    most = value > most ? value : most;
                }
            }
            cpixels_block *block = &blocks[row * columns + column];
            for (int color = 0; color < 3; color++)
                block->mean[color] = counts[color] > 0 ? (float)(sums[color] / counts[color]) : 0;
            block->most = (float)most;
        }
    }
}
