#include "field.h"

#include <math.h>
#include <string.h>

typedef float f4 __attribute__((vector_size(16)));

/// Lets the motion of every cell of one side arrive where it is at the instant.
static void send(cflow_field *field, int side, float part) {
    const int32_t columns = field->columns, rows = field->rows;
    f4 *arrived = (f4 *)(void *)field->arrived[side];
    memset(arrived, 0, (size_t)columns * (size_t)rows * sizeof(f4));
    const float most_x = (float)columns + 2, most_y = (float)rows + 2;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            const cell_motion *it = &field->cells[side][row * columns + column];
            float x = (float)column + it->x * part / cell, y = (float)row + it->y * part / cell;
            if (!(x > -2 && y > -2 && x < most_x && y < most_y)) continue;
            float floor_x = floorf(x), floor_y = floorf(y);
            float fx = x - floor_x, fy = y - floor_y;
            int32_t left = (int32_t)floor_x, top = (int32_t)floor_y;
            float trust = it->trust * it->trust + 1e-4f;
            f4 what = {it->x * trust, it->y * trust, trust, 1};
            for (int dy = 0; dy < 2; dy++) {
                if (top + dy < 0 || top + dy >= rows) continue;
                for (int dx = 0; dx < 2; dx++) {
                    if (left + dx < 0 || left + dx >= columns) continue;
                    float weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy);
                    arrived[(top + dy) * columns + left + dx] += what * weight;
                }
            }
        }
    }
}

static bool is_inside(const cflow_field *field, float x, float y) {
    return x >= 0 && y >= 0 && x <= (float)field->width && y <= (float)field->height;
}

int32_t cflow_place(cflow_field *field, int32_t share) {
    const int32_t columns = field->columns, rows = field->rows;
    const float t = (float)share / 256;
    send(field, 0, t);
    send(field, 1, 1 - t);
    const f4 *from_last = (const f4 *)(const void *)field->arrived[0];
    const f4 *from_next = (const f4 *)(const void *)field->arrived[1];
    for (int32_t at = 0; at < columns * rows; at++) {
        f4 a = from_last[at], b = from_next[at];
        source *it = &field->sources[at];
        float ax = a[0] / (a[2] + 1e-9f), ay = a[1] / (a[2] + 1e-9f);
        float bx = -b[0] / (b[2] + 1e-9f), by = -b[1] / (b[2] + 1e-9f);
        if (field->is_lost[at]) {
            *it = (source){{0, 0}, {0, 0}, {share <= 128 ? 16 : 0, share <= 128 ? 0 : 16}, 0};
            continue;
        }
        // Where both sides say the same, their mean; otherwise what is trusted more.
        float x, y;
        float dx = ax - bx, dy = ay - by;
        if (dx * dx + dy * dy < 1) {
            float s = a[2] / (a[2] + b[2] + 1e-9f);
            x = bx + (ax - bx) * s;
            y = by + (ay - by) * s;
        } else if (a[2] > b[2]) {
            x = ax;
            y = ay;
        } else {
            x = bx;
            y = by;
        }
        // What lies beyond the edge of one picture is seen in the other alone.
        float middle_x = ((float)(at % columns) + 0.5f) * cell, middle_y = ((float)(at / columns) + 0.5f) * cell;
        bool in_last = is_inside(field, middle_x - x * t, middle_y - y * t);
        bool in_next = is_inside(field, middle_x + x * (1 - t), middle_y + y * (1 - t));
        float last_part = in_last == in_next ? (1 - t) * 16 : in_last ? 16 : 0;
        *it = (source){
            {(int32_t)lrintf(-x * t * 16), (int32_t)lrintf(x * (1 - t) * 16)},
            {(int32_t)lrintf(-y * t * 16), (int32_t)lrintf(y * (1 - t) * 16)},
            {(int32_t)lrintf(last_part), 16 - (int32_t)lrintf(last_part)},
            a[2] > b[2] ? a[2] : b[2],
        };
    }
    return (int32_t)((int64_t)field->lost_count * 65536 / ((int64_t)columns * rows));
}
