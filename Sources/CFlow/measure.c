#include "repeat.h"

#include <math.h>
#include <string.h>

INLINE void search_body(
    const level *from, const level *to, motion *patches, const motion *coarse, const level *coarse_level
) {
    const int32_t columns = patch_count(from->width), rows = patch_count(from->height);
    const int32_t coarse_columns = coarse ? patch_count(coarse_level->width) : 0;
    const int32_t coarse_rows = coarse ? patch_count(coarse_level->height) : 0;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            template it;
            int32_t left = patch_place(column, from->width), top = patch_place(row, from->height);
            load_template(&it, from, left, top);
            motion best = {0, 0, residual(&it, to, 0, 0, NULL, NULL, NULL)};
            if (coarse) {
                int32_t x = (left / 2 - patch / 4 + patch_step / 2) / patch_step;
                int32_t y = (top / 2 - patch / 4 + patch_step / 2) / patch_step;
                x = x < 0 ? 0 : x >= coarse_columns ? coarse_columns - 1 : x;
                y = y < 0 ? 0 : y >= coarse_rows ? coarse_rows - 1 : y;
                const motion *nearest = &coarse[y * coarse_columns + x];
                consider(&it, to, &best, 2 * nearest->x, 2 * nearest->y);
            }
            motion *here = &patches[row * columns + column];
            if (column > 0) consider(&it, to, &best, here[-1].x, here[-1].y);
            if (row > 0) consider(&it, to, &best, here[-columns].x, here[-columns].y);
            descend(&it, to, &best, coarse ? 8 : 16);
            *here = best;
        }
    }
    // And back, so that what was found further on gets here too.
    for (int32_t row = rows - 1; row >= 0; row--) {
        for (int32_t column = columns - 1; column >= 0; column--) {
            motion *here = &patches[row * columns + column];
            float error = here->error;
            if (error < 1) continue;
            template it;
            load_template(&it, from, patch_place(column, from->width), patch_place(row, from->height));
            motion best = *here;
            if (column + 1 < columns) consider(&it, to, &best, here[1].x, here[1].y);
            if (row + 1 < rows) consider(&it, to, &best, here[columns].x, here[columns].y);
            if (best.error < error) {
                descend(&it, to, &best, 4);
                *here = best;
            }
        }
    }
}

/// What the patches say of the motion of each sample of level 0: those that fit it best count most.
INLINE void densify_body(cflow_field *field, int side) {
    const level *from = &field->levels[side][0], *to = &field->levels[1 - side][0];
    const int32_t width = from->width, height = from->height;
    const int32_t columns = patch_count(width), rows = patch_count(height);
    size_t samples = (size_t)width * (size_t)height;
    memset(field->sum_x[side], 0, samples * sizeof(float));
    memset(field->sum_y[side], 0, samples * sizeof(float));
    memset(field->sum_weight[side], 0, samples * sizeof(float));
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            template it;
            int32_t left = patch_place(column, width), top = patch_place(row, height);
            load_template(&it, from, left, top);
            const motion *best = &field->patches[side][row * columns + column];
            f8 left_over[patch];
            residual(&it, to, best->x, best->y, left_over, NULL, NULL);
            for (int y = 0; y < patch; y++) {
                size_t at = (size_t)(top + y) * (size_t)width + (size_t)left;
                f8 weight = 1 / (1 + left_over[y] * left_over[y] + 0.05f * best->error);
                *(f8u *)(field->sum_x[side] + at) += weight * best->x;
                *(f8u *)(field->sum_y[side] + at) += weight * best->y;
                *(f8u *)(field->sum_weight[side] + at) += weight;
            }
        }
    }
    for (size_t at = 0; at < samples; at++) {
        field->sum_x[side][at] /= field->sum_weight[side][at];
        field->sum_y[side][at] /= field->sum_weight[side][at];
    }
}

/// One direction: the motion of every sample of one picture to the other.
INLINE void find_body(cflow_field *field, int side) {
    motion *patches = field->patches[side], *coarse = field->coarse[side];
    for (int32_t index = field->level_count - 1; index >= 0; index--) {
        const level *coarser = index + 1 < field->level_count ? &field->levels[side][index + 1] : NULL;
        search_body(&field->levels[side][index], &field->levels[1 - side][index], patches, coarser ? coarse : NULL, coarser);
        if (index > 0) {
            motion *other = patches;
            patches = coarse;
            coarse = other;
        }
    }
    field->patches[side] = patches;
    field->coarse[side] = coarse;
    densify_body(field, side);
    find_repeats_body(field, side);
}

INLINE float bilinear(const level *it, float x, float y) {
    x = clamped(x, -border, (float)(it->width + border - 2));
    y = clamped(y, -border, (float)(it->height + border - 2));
    float floor_x = floorf(x), floor_y = floorf(y);
    float fx = x - floor_x, fy = y - floor_y;
    const float *p = it->origin + (intptr_t)floor_y * it->stride + (intptr_t)floor_x, *q = p + it->stride;
    return (p[0] + fx * (p[1] - p[0])) * (1 - fy) + (q[0] + fx * (q[1] - q[0])) * fy;
}

/// The motion of each cell, and how well what it meets looks like it.
INLINE void gather_body(cflow_field *field, int side) {
    const level *from = &field->levels[side][0], *to = &field->levels[1 - side][0];
    const int32_t n = cell / field->reduction;
    const float scale = (float)field->reduction;
    for (int32_t row = 0; row < field->rows; row++) {
        for (int32_t column = 0; column < field->columns; column++) {
            float sum_x = 0, sum_y = 0, sum_error = 0, sum_still = 0;
            for (int32_t dy = 0; dy < n; dy++) {
                for (int32_t dx = 0; dx < n; dx++) {
                    int32_t x = column * n + dx, y = row * n + dy;
                    x = x < from->width ? x : from->width - 1;
                    y = y < from->height ? y : from->height - 1;
                    size_t at = (size_t)y * (size_t)from->width + (size_t)x;
                    float u = field->sum_x[side][at], v = field->sum_y[side][at];
                    sum_x += u;
                    sum_y += v;
                    float sample = from->origin[(intptr_t)y * from->stride + x];
                    sum_error += fabsf(sample - bilinear(to, (float)x + u, (float)y + v));
                    sum_still += fabsf(sample - to->origin[(intptr_t)y * to->stride + x]);
                }
            }
            float count = (float)(n * n);
            field->cells[side][row * field->columns + column] =
                (cell_motion){sum_x / count * scale, sum_y / count * scale, sum_error / count, sum_still / count, 0};
        }
    }
}

static void find_plain(cflow_field *field, int side) {
    find_body(field, side);
    gather_body(field, side);
}

#if defined(__x86_64__)
static __attribute__((target("avx2"))) void find_avx2(cflow_field *field, int side) {
    find_body(field, side);
    gather_body(field, side);
}
#endif

static void find(cflow_field *field, int side) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return find_avx2(field, side);
#endif
    find_plain(field, side);
}

/// Turns what is left of each cell into trust in its motion, and finds those that no motion explains.
///
/// Returns the mean likeness of motion there and back.
static float judge(cflow_field *field, int side, float *trust) {
    const int32_t columns = field->columns, rows = field->rows;
    const cell_motion *cells = field->cells[side], *back = field->cells[1 - side];
    double likeness_sum = 0;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            float left_over = 0, still = 0, weight = 0;
            for (int32_t y = row - 1; y <= row + 1; y++) {
                for (int32_t x = column - 1; x <= column + 1; x++) {
                    if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
                    left_over += cells[y * columns + x].left_over;
                    still += cells[y * columns + x].still;
                    weight += 1;
                }
            }
            left_over /= weight;
            still /= weight;
            const cell_motion *it = &cells[row * columns + column];
            float x = clamped((float)column + it->x / cell + 0.5f, 0, (float)(columns - 1));
            float y = clamped((float)row + it->y / cell + 0.5f, 0, (float)(rows - 1));
            const cell_motion *there = &back[(int32_t)y * columns + (int32_t)x];
            float dx = it->x + there->x, dy = it->y + there->y;
            float way = it->x * it->x + it->y * it->y;
            float likeness = 1 / (1 + (dx * dx + dy * dy) / (2 + 0.01f * way));
            likeness_sum += likeness;
            trust[row * columns + column] = likeness / (1 + left_over * left_over / 64);
            uint8_t *is_lost = &field->is_lost[row * columns + column];
            if (left_over > 24 && left_over > 1.2f * still) *is_lost = is_wrong;
            else if (left_over > 12 && left_over > 0.9f * still && *is_lost == 0) *is_lost = is_unexplained;
        }
    }
    return (float)(likeness_sum / ((double)columns * rows));
}

/// How many of the cells at most `near` away from each are lost by this reason or a stronger one, in `sums`.
static void count_near(const cflow_field *field, uint8_t reason, float *sums, float *across) {
    const int32_t columns = field->columns, rows = field->rows;
    for (int32_t row = 0; row < rows; row++) {
        const uint8_t *line = field->is_lost + (size_t)row * (size_t)columns;
        int32_t sum = 0;
        for (int32_t column = -near; column < columns; column++) {
            if (column + near < columns) sum += line[column + near] >= reason;
            if (column - near - 1 >= 0) sum -= line[column - near - 1] >= reason;
            if (column >= 0) across[row * columns + column] = (float)sum;
        }
    }
    for (int32_t column = 0; column < columns; column++) {
        float sum = 0;
        for (int32_t row = -near; row < rows; row++) {
            if (row + near < rows) sum += across[(row + near) * columns + column];
            if (row - near - 1 >= 0) sum -= across[(row - near - 1) * columns + column];
            if (row >= 0) sums[row * columns + column] = sum;
        }
    }
}

/// Keeps lost what is so together with most of what is around it: single cells would look torn, and are nearer to the
/// truth as a mixture. What no motion explains is lost where that is most of a large tile, as where a light switched.
/// Returns how many cells are lost.
static int32_t settle(cflow_field *field) {
    const int32_t columns = field->columns, rows = field->rows;
    float *wrong = field->arrived[0], *unexplained = wrong + (size_t)columns * (size_t)rows;
    count_near(field, is_wrong, wrong, field->arrived[1]);
    count_near(field, is_unexplained, unexplained, field->arrived[1]);
    const float most = 0.5f * (2 * near + 1) * (2 * near + 1);
    int32_t lost = 0;
    for (int32_t top = 0; top < rows; top += tile) {
        for (int32_t left = 0; left < columns; left += tile) {
            int32_t bottom = top + tile < rows ? top + tile : rows;
            int32_t right = left + tile < columns ? left + tile : columns;
            int32_t count = 0;
            for (int32_t row = top; row < bottom; row++)
                for (int32_t column = left; column < right; column++)
                    count += field->is_lost[row * columns + column] != 0;
            bool is_most = 5 * count > 3 * (bottom - top) * (right - left);
            for (int32_t row = top; row < bottom; row++) {
                for (int32_t column = left; column < right; column++) {
                    int32_t at = row * columns + column;
                    uint8_t *it = &field->is_lost[at];
                    *it = wrong[at] > most || (is_most && unexplained[at] > most);
                    lost += *it;
                }
            }
        }
    }
    return lost;
}

/// Motion of less trust than this goes by that around it.
static const float untrusted = 0.05f;

/// Draws motion that is not to be trusted to what is said around it, most of all by what is.
static void smooth(cflow_field *field, int side) {
    const int32_t columns = field->columns, rows = field->rows;
    cell_motion *cells = field->cells[side];
    float *smooth_x = field->arrived[0], *smooth_y = smooth_x + (size_t)columns * (size_t)rows;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            int32_t at = row * columns + column;
            smooth_x[at] = cells[at].x;
            smooth_y[at] = cells[at].y;
            if (cells[at].trust > untrusted) continue;
            float sum_x = 0, sum_y = 0, weight = 0;
            for (int32_t y = row - near; y <= row + near; y++) {
                for (int32_t x = column - near; x <= column + near; x++) {
                    if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
                    const cell_motion *it = &cells[y * columns + x];
                    float part = it->trust + 0.01f;
                    sum_x += it->x * part;
                    sum_y += it->y * part;
                    weight += part;
                }
            }
            smooth_x[at] = sum_x / weight;
            smooth_y[at] = sum_y / weight;
        }
    }
    for (int32_t at = 0; at < columns * rows; at++) {
        cells[at].x = smooth_x[at];
        cells[at].y = smooth_y[at];
    }
}

void cflow_search(cflow_field *field, int32_t side) {
    if (field->level_count > 0 && field->pushed == 2) find(field, side);
}

cflow_kind cflow_judge(cflow_field *field) {
    size_t count = (size_t)field->columns * (size_t)field->rows;
    field->lost_count = (int32_t)count;
    if (field->level_count == 0 || field->pushed < 2) return cflow_break;
    memset(field->is_lost, 0, count);
    // Trust in each side asks the other's motion: both are judged before either is noted.
    float likeness = judge(field, 0, field->arrived[0]) + judge(field, 1, field->arrived[1]);
    double left_over = 0;
    size_t unexplained = 0;
    for (size_t at = 0; at < count; at++) {
        left_over += field->cells[0][at].left_over;
        field->cells[0][at].trust = field->arrived[0][at];
        field->cells[1][at].trust = field->arrived[1][at];
        unexplained += field->is_lost[at] != 0;
    }
    bool is_cut = likeness / 2 < 0.15f && left_over / (double)count > 12;
    if (is_cut || unexplained > count * 2 / 5) return cflow_break;
    field->lost_count = settle(field) + lose_repeats(field);
    smooth(field, 0);
    smooth(field, 1);
    return cflow_motion;
}
