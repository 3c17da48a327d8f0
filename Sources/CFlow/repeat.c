#include "repeat.h"

/// Returns whether two blocks have similar repetitions.
static bool is_alike(uint8_t one, uint8_t other) {
    return one >= block_is_repeated && other >= block_is_repeated && other - one <= 1 && one - other <= 1;
}

/// Returns whether the surroundings of the repeated blocks around one move along with them, or the blocks are
/// too few for a pattern. Lists the blocks in `found`.
static bool is_carried(cflow_field *field, int side, int32_t first, int32_t *found, int32_t *found_count) {
    const int32_t columns = field->block_columns, rows = field->block_rows;
    uint8_t *blocks = field->blocks[side];
    int32_t like = 0, unlike = 0, count = 0;
    const uint8_t kind = blocks[first];
    blocks[first] = block_is_settled;
    found[count++] = first;
    for (int32_t index = 0; index < count; index++) {
        const int32_t row = found[index] / columns, column = found[index] % columns;
        const motion *own = &field->block_motions[side][found[index]];
        for (int32_t y = row - 1; y <= row + 1; y++) {
            for (int32_t x = column - 1; x <= column + 1; x++) {
                if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
                uint8_t *it = &blocks[y * columns + x];
                if (is_alike(*it, kind)) {
                    *it = block_is_settled;
                    found[count++] = y * columns + x;
                } else if (*it == block_is_seen || *it == block_is_doubtful || *it >= block_is_repeated) {
                    const motion *other = &field->block_motions[side][y * columns + x];
                    float dx = own->x - other->x, dy = own->y - other->y;
                    float way = own->x * own->x + own->y * own->y;
                    if (dx * dx + dy * dy >= 0.5f + 0.02f * way) unlike++;
                    else if (*it != block_is_doubtful) like++;
                }
            }
        }
    }
    *found_count = count;
    return count < few_blocks || 2 * like > unlike;
}

/// Adds single blocks among repeated ones to them.
static void close_holes(cflow_field *field, int side) {
    const int32_t columns = field->block_columns, rows = field->block_rows;
    const uint8_t *blocks = field->blocks[side];
    uint8_t *closed = field->closed;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            uint8_t *it = &closed[row * columns + column];
            *it = blocks[row * columns + column];
            if (*it != block_is_seen && *it != block_is_doubtful) continue;
            int32_t most = 0;
            for (int32_t place = 0; place < 9; place++) {
                int32_t y = row + place / 3 - 1, x = column + place % 3 - 1;
                if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
                uint8_t one = blocks[y * columns + x];
                int32_t alike = 0;
                for (int32_t other = 0; other < 9; other++) {
                    int32_t v = row + other / 3 - 1, u = column + other % 3 - 1;
                    alike += u >= 0 && v >= 0 && u < columns && v < rows && is_alike(one, blocks[v * columns + u]);
                }
                if (alike < 3 || alike <= most) continue;
                most = alike;
                *it = one;
            }
        }
    }
    field->closed = field->blocks[side];
    field->blocks[side] = closed;
}

int32_t lose_repeats(cflow_field *field) {
    int32_t lost = 0;
    // The cells of a block, each way.
    const int32_t cells = block * patch_step * field->reduction / cell;
    for (int side = 0; side < 2; side++) {
        close_holes(field, side);
        for (int32_t at = 0; at < field->block_columns * field->block_rows; at++) {
            int32_t count;
            if (field->blocks[side][at] < block_is_repeated || is_carried(field, side, at, field->found, &count)) continue;
            for (int32_t index = 0; index < count; index++) {
                // One patch represents its block, so a quarter of a block around it is lost too.
                int32_t top = field->found[index] / field->block_columns * cells - cells / 4;
                int32_t left = field->found[index] % field->block_columns * cells - cells / 4;
                for (int32_t row = top < 0 ? 0 : top; row < top + cells + cells / 2 && row < field->rows; row++) {
                    for (int32_t column = left < 0 ? 0 : left; column < left + cells + cells / 2 && column < field->columns; column++) {
                        uint8_t *is_lost = &field->is_lost[row * field->columns + column];
                        lost += *is_lost == 0;
                        *is_lost = 1;
                    }
                }
            }
        }
    }
    return lost;
}
