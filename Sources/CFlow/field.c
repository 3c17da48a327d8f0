#include "cells.h"
#include "repeat.h"

#include <stdlib.h>
#include <string.h>

/// Allocates zeroed memory for `count` items of `size` bytes, aligned for vectors. Returns NULL on failure.
static void *memory(size_t count, size_t size) {
    void *result = NULL;
    size_t bytes = (count * size + 63) / 64 * 64 + 64;
    if (posix_memalign(&result, 64, bytes) != 0) return NULL;
    memset(result, 0, bytes);
    return result;
}

static bool make_level(level *it, int32_t width, int32_t height) {
    it->width = width;
    it->height = height;
    it->stride = (width + 2 * border + 15) / 8 * 8;
    it->memory = memory((size_t)it->stride * (size_t)(height + 2 * border + 1), sizeof(float));
    if (it->memory == NULL) return false;
    it->origin = it->memory + (size_t)border * (size_t)it->stride + border;
    return true;
}

/// Returns the number of patches in a level; 0 if there is no such level.
static size_t patches_of(const level *it) {
    return it->memory == NULL ? 0 : (size_t)patch_count(it->width) * (size_t)patch_count(it->height);
}

/// Returns the pixels of luma per sample, each way: motion is estimated on about half a million samples, and
/// at full size in tiny pictures.
static int32_t reduction(int32_t width, int32_t height) {
    int64_t pixels = (int64_t)width * height;
    return pixels <= 200000 ? 1 : pixels <= 3200000 ? 2 : 4;
}

cflow_field *cflow_create(int32_t width, int32_t height) {
    cflow_field *field = calloc(1, sizeof *field);
    if (field == NULL) return NULL;
    field->width = width;
    field->height = height;
    field->reduction = reduction(width, height);
    int32_t w = width / field->reduction, h = height / field->reduction;
    bool ok = true;
    while (field->level_count < most_levels && w >= patch && h >= patch) {
        ok = ok && make_level(&field->levels[0][field->level_count], w, h)
            && make_level(&field->levels[1][field->level_count], w, h);
        field->level_count++;
        if (w < 3 * patch || h < 3 * patch) break;
        w /= 2;
        h /= 2;
    }
    field->columns = (width + cell - 1) / cell;
    field->rows = (height + cell - 1) / cell;
    size_t cells = (size_t)field->columns * (size_t)field->rows;
    for (int side = 0; side < 2; side++) {
        field->patches[side] = memory(patches_of(&field->levels[side][0]), sizeof(motion));
        field->odd_patches[side] = memory(patches_of(&field->levels[side][1]), sizeof(motion));
        field->cells[side] = memory(cells, sizeof(cell_motion));
        field->arrived[side] = memory(cells, 4 * sizeof(float));
        field->strips[side] = memory(3 * strip_rows * (size_t)field->levels[side][0].stride, sizeof(float));
        ok = ok && field->strips[side] && field->patches[side] && field->odd_patches[side] && field->cells[side] && field->arrived[side];
    }
    const int32_t side_of_block = block * patch_step;
    field->block_columns = (width / field->reduction + side_of_block - 1) / side_of_block;
    field->block_rows = (height / field->reduction + side_of_block - 1) / side_of_block;
    size_t blocks = (size_t)field->block_columns * (size_t)field->block_rows;
    for (int side = 0; side < 2; side++) {
        field->blocks[side] = memory(blocks, 1);
        field->block_motions[side] = memory(blocks, sizeof(motion));
        ok = ok && field->blocks[side] && field->block_motions[side];
    }
    field->found = memory(blocks, sizeof(int32_t));
    field->closed = memory(blocks, 1);
    ok = ok && field->found && field->closed;
    field->sources = memory(cells, sizeof(source));
    // This suffices for chroma of half the width or height, or less.
    field->plane_sources = memory((cells + (size_t)field->columns + (size_t)field->rows) / 2 + 1, sizeof(source));
    field->strip_stride = (field->columns + 4) * cell;
    field->strip = memory((size_t)field->strip_stride * 2 * cell, sizeof(uint32_t));
    field->is_lost = memory(cells, 1);
    ok = ok && field->is_lost && field->strip && field->sources && field->plane_sources;
    if (!ok) {
        cflow_destroy(field);
        return NULL;
    }
    return field;
}

void cflow_destroy(cflow_field *field) {
    if (field == NULL) return;
    for (int side = 0; side < 2; side++) {
        for (int32_t index = 0; index < most_levels; index++) free(field->levels[side][index].memory);
        free(field->patches[side]);
        free(field->odd_patches[side]);
        free(field->cells[side]);
        free(field->arrived[side]);
        free(field->blocks[side]);
        free(field->block_motions[side]);
        free(field->strips[side]);
    }
    free(field->found);
    free(field->closed);
    free(field->is_lost);
    free(field->strip);
    free(field->sources);
    free(field->plane_sources);
    free(field);
}

/// Repeats the samples at a level's edges around it.
static void set_border(level *it) {
    for (int32_t y = 0; y < it->height; y++) {
        float *row = it->origin + (intptr_t)y * it->stride;
        for (int32_t x = 1; x <= border; x++) row[-x] = row[0];
        for (int32_t x = it->width; x < it->stride - border; x++) row[x] = row[it->width - 1];
    }
    size_t bytes = (size_t)it->stride * sizeof(float);
    for (int32_t y = 1; y <= border; y++) {
        memcpy(it->origin - (intptr_t)y * it->stride - border, it->origin - border, bytes);
        float *last = it->origin + (intptr_t)(it->height - 1) * it->stride - border;
        memcpy(last + (intptr_t)y * it->stride, last, bytes);
    }
}

void cflow_push(cflow_field *field, const cflow_plane *luma) {
    field->pushed += field->pushed < 2;
    for (int32_t index = 0; index < field->level_count; index++) {
        level older = field->levels[0][index];
        field->levels[0][index] = field->levels[1][index];
        field->levels[1][index] = older;
    }
    if (field->level_count == 0) return;
    level *first = &field->levels[1][0];
    const int32_t n = field->reduction;
    const float scale = 1.0f / (float)(n * n * (1 << (luma->bits - 8)));
    for (int32_t y = 0; y < first->height; y++) {
        float *row = first->origin + (intptr_t)y * first->stride;
        if (luma->bits == 8 && n == 2) {
            const uint8_t *a = luma->base + (intptr_t)(2 * y) * luma->stride, *b = a + luma->stride;
            for (int32_t x = 0; x < first->width; x++)
                row[x] = (float)(a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) * 0.25f;
            continue;
        }
        for (int32_t x = 0; x < first->width; x++) {
            uint32_t sum = 0;
            for (int32_t dy = 0; dy < n; dy++) {
                const uint8_t *line = luma->base + (intptr_t)(n * y + dy) * luma->stride;
                for (int32_t dx = 0; dx < n; dx++)
                    sum += luma->bits == 8 ? line[n * x + dx] : ((const uint16_t *)line)[n * x + dx];
            }
            row[x] = (float)sum * scale;
        }
    }
    set_border(first);
    for (int32_t index = 1; index < field->level_count; index++) {
        const level *from = &field->levels[1][index - 1];
        level *to = &field->levels[1][index];
        for (int32_t y = 0; y < to->height; y++) {
            const float *a = from->origin + (intptr_t)(2 * y) * from->stride, *b = a + from->stride;
            float *row = to->origin + (intptr_t)y * to->stride;
            for (int32_t x = 0; x < to->width; x++)
                row[x] = (a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) * 0.25f;
        }
        set_border(to);
    }
}
