#ifndef REPEAT_H
#define REPEAT_H

#include "template.h"

// A pattern that repeats, such as a fence, fits equally well one repetition further: its motion may be longer
// than the shortest one that fits. Its motion is accepted if its surroundings move along with it; otherwise,
// the nearer picture is shown there.

/// The kinds of blocks. A repeated block has the value below plus its distance in samples, and `repeat_axis`
/// more if the repetition is vertical.
enum {
    block_is_plain = 0,
    block_is_seen = 1,
    /// The motion may be wrong.
    block_is_doubtful = 2,
    block_is_settled = 3,
    block_is_repeated = 64,
    repeat_axis = 64,
};

enum {
    /// The patches of level 0 of a block, each way, one of which represents it.
    block = 4,
    /// The distances in samples of level 0 at which a pattern may repeat.
    least_repeat = 3,
    most_repeat = 24,
    /// Fewer repeated blocks than this are a coincidence.
    few_blocks = 10,
};

/// Marks cells as lost whose motion is ambiguous because of a repetition, and whose surroundings do not move
/// along, so that the nearer picture is shown. Returns the number of newly lost cells.
int32_t lose_repeats(cflow_field *field);

/// Returns the error of a patch at whole samples: the mean square.
INLINE float misfit(const template *it, const level *to, int32_t x, int32_t y) {
    const float *base = to->origin + (intptr_t)y * to->stride + x;
    f8 sum = {0}, squares = {0};
    for (int row = 0; row < patch; row++) {
        f8 r = *(const f8u *)(base + (intptr_t)row * to->stride) - it->samples[row];
        sum += r;
        squares += r * r;
    }
    float s = total(&sum);
    return (total(&squares) - s * s / 64) / 64;
}

/// Returns the distance from its motion at which a patch fits again, in steps of (`step_x`, `step_y`); 0 if
/// it does not, -1 if the picture ends first.
INLINE int32_t repetition(
    template *it, const level *from, const level *to, const motion *best, float texture, int32_t step_x, int32_t step_y
) {
    const int32_t left = (int32_t)lrintf(it->left + best->x), top = (int32_t)lrintf(it->top + best->y);
    const float way = sqrtf(best->x * best->x + best->y * best->y);
    // If the motion is less than a sixth of the repetition, wrong motion is hardly worse than none.
    const int32_t most = (int32_t)clamped(6 * way, 0, most_repeat);
    float before = 0, here = 0, highest = 0;
    for (int32_t step = 1; step <= most + 1; step++) {
        int32_t x = left + step * step_x, y = top + step * step_y;
        if (x < -border || y < -border || (float)x > it->most_x || (float)y > it->most_y) return -1;
        float next = misfit(it, to, x, y);
        // Two fitting positions must have a misfit between them, because an edge fits everywhere along
        // itself.
        if (step - 1 >= least_repeat && here <= before && here <= next && here < 0.6f * texture
            && highest > 0.5f * texture) {
            float dx = (float)(x - step_x) - it->left, dy = (float)(y - step_y) - it->top;
            motion other = {dx, dy, residual(it, to, dx, dy, NULL, NULL, NULL)};
            descend(it, from, to, &other, 6);
            if (other.error < 0.06f * texture + 2 * best->error) return step - 1;
        }
        highest = here > highest ? here : highest;
        before = here;
        here = next;
    }
    return 0;
}

/// Returns whether and how a patch fits again, to a side, or above or below.
INLINE uint8_t repeats(template *it, const level *from, const level *to, const motion *best, float texture) {
    bool is_cut_off = false;
    for (int axis = 0; axis < 2; axis++) {
        int32_t one = repetition(it, from, to, best, texture, axis == 0, axis == 1);
        int32_t other = repetition(it, from, to, best, texture, -(axis == 0), -(axis == 1));
        int32_t least = one <= 0 || (other > 0 && other < one) ? other : one;
        is_cut_off = is_cut_off || one < 0 || other < 0;
        if (least > 0) return (uint8_t)(block_is_repeated + axis * repeat_axis + least);
    }
    // At the picture's edges, repetition cannot be determined.
    return is_cut_off ? block_is_plain : block_is_seen;
}

/// Finds the blocks of one picture that repeat.
INLINE void find_repeats_body(cflow_field *field, int side) {
    const level *from = &field->levels[side][0], *to = &field->levels[1 - side][0];
    const int32_t columns = patch_count(from->width), rows = patch_count(from->height);
    const float scale = (float)field->reduction;
    for (int32_t row = 0; row < field->block_rows; row++) {
        for (int32_t column = 0; column < field->block_columns; column++) {
            const int32_t at = row * field->block_columns + column;
            template it;
            float texture = -1;
            // Use the patch on the diagonal with the most texture, because a bar of a fence may fill any one.
            for (int32_t index = 0; index < block; index++) {
                int32_t x = column * block + index, y = row * block + index;
                x = x < columns ? x : columns - 1;
                y = y < rows ? y : rows - 1;
                template other;
                load_samples(&other, from, patch_place(x, from->width), patch_place(y, from->height));
                f8 squares = {0};
                for (int line = 0; line < patch; line++) squares += other.samples[line] * other.samples[line];
                float shown = total(&squares) / 64;
                if (shown <= texture) continue;
                texture = shown;
                it = other;
                field->block_motions[side][at] = field->patches[side][y * columns + x];
            }
            const motion *best = &field->block_motions[side][at];
            uint8_t *is = &field->blocks[side][at];
            if (texture < 60) *is = block_is_plain;
            else if (best->error > 0.25f * texture) *is = block_is_doubtful;
            else if ((best->x * best->x + best->y * best->y) * scale * scale < 2) *is = block_is_seen;
            else *is = repeats(&it, from, to, best, texture);
        }
    }
}

#endif
