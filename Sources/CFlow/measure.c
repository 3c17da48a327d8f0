#include "cells.h"
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
            load_samples(&it, from, left, top);
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
            descend(&it, from, to, &best, coarse ? 5 : 16);
            *here = best;
        }
    }
    // Search in reverse order too, so that results from further on propagate back.
    for (int32_t row = rows - 1; row >= 0; row--) {
        for (int32_t column = columns - 1; column >= 0; column--) {
            motion *here = &patches[row * columns + column];
            float error = here->error;
            if (error < 4) continue;
            template it;
            load_samples(&it, from, patch_place(column, from->width), patch_place(row, from->height));
            motion best = *here;
            if (column + 1 < columns) consider(&it, to, &best, here[1].x, here[1].y);
            if (row + 1 < rows) consider(&it, to, &best, here[columns].x, here[columns].y);
            if (best.error < error) {
                descend(&it, from, to, &best, 4);
                *here = best;
            }
        }
    }
}

/// Finds the motion in one direction, of every sample of one picture to the other.
INLINE void find_body(cflow_field *field, int side) {
    for (int32_t index = field->level_count - 1; index >= 0; index--) {
        const bool is_odd = index % 2 == 1;
        motion *patches = is_odd ? field->odd_patches[side] : field->patches[side];
        const motion *coarse = is_odd ? field->patches[side] : field->odd_patches[side];
        const level *coarser = index + 1 < field->level_count ? &field->levels[side][index + 1] : NULL;
        search_body(&field->levels[side][index], &field->levels[1 - side][index], patches, coarser ? coarse : NULL, coarser);
    }
    gather_body(field, side);
    find_repeats_body(field, side);
}

static void find_plain(cflow_field *field, int side) {
    find_body(field, side);
}

#if defined(__x86_64__)
static __attribute__((target("avx2"))) void find_avx2(cflow_field *field, int side) {
    find_body(field, side);
}
#endif

static void find(cflow_field *field, int side) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return find_avx2(field, side);
#endif
    find_plain(field, side);
}

/// Turns the residual of each cell into trust in its motion, and marks the cells that no motion explains.
///
/// Returns the mean consistency of the motion there and back.
static float judge(cflow_field *field, int side, float *trust) {
    const int32_t columns = field->columns, rows = field->rows;
    const cell_motion *cells = field->cells[side], *back = field->cells[1 - side];
    double likeness_sum = 0;
    // The sums over adjacent rows, with an empty column at each side.
    float *left_overs = trust + (size_t)columns * (size_t)rows, *stills = left_overs + columns + 2;
    memset(left_overs, 0, 2 * (size_t)(columns + 2) * sizeof(float));
    for (int32_t row = 0; row < rows; row++) {
        const int32_t above = row > 0 ? row - 1 : row, below = row + 1 < rows ? row + 1 : row;
        for (int32_t column = 0; column < columns; column++) {
            float left_over = 0, still = 0;
            for (int32_t y = above; y <= below; y++) {
                left_over += cells[y * columns + column].left_over;
                still += cells[y * columns + column].still;
            }
            left_overs[column + 1] = left_over;
            stills[column + 1] = still;
        }
        for (int32_t column = 0; column < columns; column++) {
            const int32_t wide = 1 + (column > 0) + (column + 1 < columns);
            const float count = (float)(wide * (below - above + 1));
            const float left_over = (left_overs[column] + left_overs[column + 1] + left_overs[column + 2]) / count;
            const float still = (stills[column] + stills[column + 1] + stills[column + 2]) / count;
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

/// Counts, in `sums`, the cells within `near` of each that are lost for this reason or a stronger one.
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

/// Keeps cells lost only if most of their surroundings are: single cells would look torn, and a mixture is
/// closer to the truth. Unexplained cells are lost if they are most of a large tile, as after a light
/// switched. Returns the number of lost cells.
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

/// Motion with less trust than this is drawn to that around it.
static const float untrusted = 0.05f;

/// Draws untrusted motion towards its neighbours' motion, weighted by their trust.
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
    // Each side's trust depends on the other's motion, so both are judged before either is stored.
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
