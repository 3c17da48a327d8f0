#include "CPixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// x86-64 without a fused multiply-add and arm64 with one must give the same results.
#pragma STDC FP_CONTRACT OFF

enum {
    /// The size of groups of weights, the last of which is padded with zeros.
    group = 8,
};

static const double lobes = 3;

/// The source samples of each sample of a line, and their weights.
typedef struct {
    int32_t *starts;
    /// `stride` weights for each sample.
    float *weights;
    int32_t taps, stride;
} line_taps;

static double lanczos(double x) {
    if (fabs(x) < 1e-9) return 1;
    if (fabs(x) >= lobes) return 0;
    double angle = M_PI * x;
    return sin(angle) * sin(angle / lobes) * lobes / (angle * angle);
}

static int32_t clamped(double value, int32_t lowest, int32_t highest) {
    return value > lowest ? value < highest ? (int32_t)value : highest : lowest;
}

static void free_taps(line_taps *it) {
    free(it->starts);
    free(it->weights);
}

static bool make_taps(line_taps *it, int32_t size, double start, double length, int32_t count) {
    double step = length / count, width = step > 1 ? step : 1;
    double reach = lobes * width;
    int32_t wanted = clamped(2 * reach + 2, 1, 1 << 20);
    it->taps = wanted < size ? wanted : size;
    it->stride = (it->taps + group - 1) / group * group;
    size_t weights = (size_t)it->stride * (size_t)count;
    it->starts = calloc((size_t)count, sizeof *it->starts);
    it->weights = calloc(weights, sizeof *it->weights);
    double *exact = calloc((size_t)it->taps, sizeof *exact);
    if (it->starts == NULL || it->weights == NULL || exact == NULL) {
        free(exact);
        return false;
    }
    for (int32_t place = 0; place < count; place++) {
        double centre = start + (place + 0.5) * step - 0.5;
        int32_t from = clamped(floor(centre - reach), -(1 << 24), 1 << 24) + 1;
        int32_t first = clamped(from, 0, size - it->taps);
        memset(exact, 0, (size_t)it->taps * sizeof *exact);
        double sum = 0;
        for (int32_t at = from; at < from + wanted; at++) {
            double weight = lanczos((at - centre) / width);
            int32_t sample = at < 0 ? 0 : at >= size ? size - 1 : at;
            exact[sample - first] += weight;
            sum += weight;
        }
        float *own = it->weights + (size_t)place * (size_t)it->stride;
        for (int32_t tap = 0; tap < it->taps; tap++) own[tap] = (float)(exact[tap] / sum);
        it->starts[place] = first;
    }
    free(exact);
    return true;
}

/// Computes the weighted sum of `taps` rows.
static void mix_bytes(
    const cpixels_plane *plane, int32_t first_row, int32_t left, int32_t width, const float *weights, int32_t taps,
    float *row
) {
    memset(row, 0, (size_t)width * sizeof *row);
    for (int32_t tap = 0; tap < taps; tap++) {
        const float weight = weights[tap];
        const uint8_t *line = plane->base + (intptr_t)(first_row + tap) * plane->stride + left;
        for (int32_t x = 0; x < width; x++) row[x] += (float)line[x] * weight;
    }
}

static void mix_words(
    const cpixels_plane *plane, int32_t first_row, int32_t left, int32_t width, const float *weights, int32_t taps,
    float *row
) {
    memset(row, 0, (size_t)width * sizeof *row);
    for (int32_t tap = 0; tap < taps; tap++) {
        const float weight = weights[tap];
        const uint16_t *line =
            (const uint16_t *)(const void *)(plane->base + (intptr_t)(first_row + tap) * plane->stride) + left;
        for (int32_t x = 0; x < width; x++) row[x] += (float)line[x] * weight;
    }
}

/// Returns sample `x` of a line of the target, to be truncated.
static inline float narrowed(const float *row, int32_t left, const line_taps *across, int32_t x, float most) {
    const float *samples = row + (across->starts[x] - left);
    const float *weights = across->weights + (size_t)x * (size_t)across->stride;
    float sums[group] = {0};
    for (int32_t base = 0; base < across->stride; base += group)
        for (int32_t tap = 0; tap < group; tap++) sums[tap] += samples[base + tap] * weights[base + tap];
    float sum = 0.5f + ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    return sum > 0 ? sum < most ? sum : most : 0;
}

bool cpixels_zoom(
    const cpixels_plane *source, const cpixels_window *window, uint8_t *target, intptr_t target_stride,
    int32_t target_width, int32_t target_height
) {
    line_taps across = {0}, down = {0};
    bool ok = make_taps(&across, source->width, window->left, window->width, target_width)
        && make_taps(&down, source->height, window->top, window->height, target_height);
    // The columns that are used. The starts increase along the line.
    int32_t left = ok ? across.starts[0] : 0;
    int32_t width = ok ? across.starts[target_width - 1] + across.taps - left : 0;
    // The row is padded with zeros for the last, zero weights.
    size_t room = (size_t)width + group;
    float *row = ok ? calloc(room, sizeof *row) : NULL;
    ok = ok && row != NULL;
    const float most = (float)((1 << source->bits) - 1);
    for (int32_t y = 0; ok && y < target_height; y++) {
        uint8_t *line = target + (intptr_t)y * target_stride;
        uint16_t *words = (uint16_t *)(void *)line;
        const float *weights = down.weights + (size_t)y * (size_t)down.stride;
        if (source->bits == 8) {
            mix_bytes(source, down.starts[y], left, width, weights, down.taps, row);
            for (int32_t x = 0; x < target_width; x++) line[x] = (uint8_t)narrowed(row, left, &across, x, most);
        } else {
            mix_words(source, down.starts[y], left, width, weights, down.taps, row);
            for (int32_t x = 0; x < target_width; x++) words[x] = (uint16_t)narrowed(row, left, &across, x, most);
        }
    }
    free(row);
    free_taps(&across);
    free_taps(&down);
    return ok;
}
