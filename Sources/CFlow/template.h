#ifndef TEMPLATE_H
#define TEMPLATE_H

#include "field.h"

#include <math.h>
#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))

/// Error below which a fit is not improved further: the mean square of the residual.
#define good_fit 0.1f

INLINE float clamped(float value, float low, float high) {
    // NaN becomes `low`.
    return value > low ? (value < high ? value : high) : low;
}

INLINE float total(const f8 *v) {
    return (((*v)[0] + (*v)[4]) + ((*v)[2] + (*v)[6])) + (((*v)[1] + (*v)[5]) + ((*v)[3] + (*v)[7]));
}

/// A patch of the picture whose motion is sought.
typedef struct {
    /// The samples without their mean.
    f8 samples[patch];
    f8 gradient_x[patch], gradient_y[patch];
    /// The inverse of the structure tensor, the sums of products of gradients.
    float xx, xy, yy;
    float left, top;
    /// The largest position in the other picture.
    float most_x, most_y;
    bool is_flat;
} template;

/// Loads the samples of a patch; its gradients are loaded only when needed.
INLINE void load_samples(template *it, const level *from, int32_t left, int32_t top) {
    const float *base = from->origin + (intptr_t)top * from->stride + left;
    f8 sum = {0};
    for (int row = 0; row < patch; row++) {
        it->samples[row] = *(const f8u *)(base + (intptr_t)row * from->stride);
        sum += it->samples[row];
    }
    float mean = total(&sum) / 64;
    for (int row = 0; row < patch; row++) it->samples[row] -= mean;
    it->left = (float)left;
    it->top = (float)top;
    it->most_x = (float)(from->width + border - patch - 1);
    it->most_y = (float)(from->height + border - patch - 1);
}

INLINE void load_gradients(template *it, const level *from) {
    const float *base = from->origin + (intptr_t)it->top * from->stride + (intptr_t)it->left;
    f8 sum_x = {0}, sum_y = {0};
    for (int row = 0; row < patch; row++) {
        const float *p = base + (intptr_t)row * from->stride;
        it->gradient_x[row] = (*(const f8u *)(p + 1) - *(const f8u *)(p - 1)) * 0.5f;
        it->gradient_y[row] = (*(const f8u *)(p + from->stride) - *(const f8u *)(p - from->stride)) * 0.5f;
        sum_x += it->gradient_x[row];
        sum_y += it->gradient_y[row];
    }
    float mean_x = total(&sum_x) / 64, mean_y = total(&sum_y) / 64;
    f8 xx = {0}, xy = {0}, yy = {0};
    for (int row = 0; row < patch; row++) {
        it->gradient_x[row] -= mean_x;
        it->gradient_y[row] -= mean_y;
        xx += it->gradient_x[row] * it->gradient_x[row];
        xy += it->gradient_x[row] * it->gradient_y[row];
        yy += it->gradient_y[row] * it->gradient_y[row];
    }
    // The addition to the diagonal limits steps along an edge, which are otherwise unconstrained.
    float a = total(&xx) + 4, b = total(&xy), c = total(&yy) + 4;
    float determinant = a * c - b * b;
    it->is_flat = !(determinant > 1e-3f);
    float inverse = it->is_flat ? 0 : 1 / determinant;
    it->xx = c * inverse;
    it->xy = -b * inverse;
    it->yy = a * inverse;
}

/// Returns the error of the other picture at a motion against the template, with the residual and the step
/// that reduces it.
INLINE float residual(
    const template *it, const level *to, float u, float v, f8 *left_over, float *step_x, float *step_y
) {
    float x = clamped(it->left + u, -border, it->most_x), y = clamped(it->top + v, -border, it->most_y);
    float floor_x = floorf(x), floor_y = floorf(y);
    float fx = x - floor_x, fy = y - floor_y;
    const float *base = to->origin + (intptr_t)floor_y * to->stride + (intptr_t)floor_x;
    const float w11 = fx * fy, w01 = fx - w11, w10 = fy - w11, w00 = 1 - fx - w10;
    f8 sum = {0}, squares = {0}, bx = {0}, by = {0};
    for (int row = 0; row < patch; row++) {
        const float *p = base + (intptr_t)row * to->stride, *q = p + to->stride;
        f8 r = *(const f8u *)p * w00 + *(const f8u *)(p + 1) * w01 + *(const f8u *)q * w10
            + *(const f8u *)(q + 1) * w11 - it->samples[row];
        sum += r;
        squares += r * r;
        if (step_x) {
            bx += it->gradient_x[row] * r;
            by += it->gradient_y[row] * r;
        }
        if (left_over) left_over[row] = r;
    }
    float s = total(&sum);
    if (step_x) {
        float p = total(&bx), q = total(&by);
        *step_x = it->xx * p + it->xy * q;
        *step_y = it->xy * p + it->yy * q;
    }
    if (left_over)
        for (int row = 0; row < patch; row++) left_over[row] -= s / 64;
    return (total(&squares) - s * s / 64) / 64;
}

INLINE int32_t patch_count(int32_t size) { return (size - patch + patch_step - 1) / patch_step + 1; }

INLINE int32_t patch_place(int32_t index, int32_t size) {
    int32_t place = index * patch_step;
    return place < size - patch ? place : size - patch;
}

INLINE void consider(const template *it, const level *to, motion *best, float x, float y) {
    if (best->error < good_fit) return;
    float dx = x - best->x, dy = y - best->y;
    if (dx * dx + dy * dy < 0.02f) return;
    float error = residual(it, to, x, y, NULL, NULL, NULL);
    if (error < best->error) *best = (motion){x, y, error};
}

/// Descends by gradient steps from the best known motion.
INLINE void descend(template *it, const level *from, const level *to, motion *best, int iterations) {
    if (best->error < good_fit) return;
    load_gradients(it, from);
    if (it->is_flat) return;
    float x = best->x, y = best->y;
    float from_x = x, from_y = y;
    for (int count = 0; count < iterations; count++) {
        float step_x, step_y;
        float error = residual(it, to, x, y, NULL, &step_x, &step_y);
        if (count > 0) {
            if (!(error < best->error)) return;
            *best = (motion){x, y, error};
        }
        if (step_x * step_x + step_y * step_y < 0.0025f) return;
        x -= step_x;
        y -= step_y;
        float dx = x - from_x, dy = y - from_y;
        if (!(dx * dx + dy * dy < patch * patch)) return;
    }
    float error = residual(it, to, x, y, NULL, NULL, NULL);
    if (error < best->error) *best = (motion){x, y, error};
}

#endif
