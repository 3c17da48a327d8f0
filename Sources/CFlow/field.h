#ifndef FIELD_H
#define FIELD_H

#include "CFlow.h"

// x86-64 without a fused multiply-add and arm64 with one are to give the same numbers.
#pragma STDC FP_CONTRACT OFF

typedef float f4 __attribute__((vector_size(16)));
typedef float f4u __attribute__((vector_size(16), aligned(4)));
typedef float f8 __attribute__((vector_size(32)));
typedef float f8u __attribute__((vector_size(32), aligned(4)));

enum {
    /// The most sizes of a picture, each half of the one before.
    most_levels = 12,
    /// Samples around a level: vectors may point so far beyond its edge.
    border = 16,
    /// Samples of a patch, each way.
    patch = 8,
    /// Samples from one patch to the next.
    patch_step = 4,
    /// Pixels of luma of a cell, each way: all of it moves alike.
    cell = 4,
    /// Cells of a tile, each way, in which lights are seen to switch.
    tile = 32,
    /// How far cells around one are asked whether they are lost, and how they move.
    near = 4,
};

/// One size of a picture, with a border of repeated samples.
typedef struct {
    float *origin;
    float *memory;
    int32_t width, height, stride;
} level;

/// A patch's motion in samples of its level, and how ill it fits: the mean square of what is left.
typedef struct {
    float x, y, error;
} motion;

/// The motion of a cell to the other picture, in pixels of luma.
typedef struct {
    float x, y;
    /// The mean difference of what it meets there, in 256ths of full light, and of what lies in its own place there.
    float left_over, still;
    /// How far the motion is to be trusted: 0 to 1.
    float trust;
} cell_motion;

/// Why a cell is lost.
enum { is_unexplained = 1, is_wrong = 2 };

/// What a cell of the new picture is made of: a place in each picture, in 16ths of a pixel relative to its own, and how
/// much of each, together 16.
typedef struct {
    int16_t x[2], y[2];
    int16_t part[2];
    float trust;
} source;

struct cflow_field {
    int32_t width, height;
    /// Pixels of luma of a sample of level 0, each way.
    int32_t reduction;
    int32_t level_count;
    /// Of the last picture and the next.
    level levels[2][most_levels];
    /// The patches of a level from the last picture to the next, and back: of even levels, and of odd ones.
    motion *patches[2];
    motion *odd_patches[2];
    /// Sums of what the patches say of the motion of some rows of samples of level 0.
    float *strips[2];
    int32_t columns, rows;
    cell_motion *cells[2];
    /// Whether no motion explains a cell of either picture, and of how many that is so.
    uint8_t *is_lost;
    int32_t lost_count;
    /// What is seen of the blocks of both pictures, how they move, and a list of some of them.
    uint8_t *blocks[2], *closed;
    motion *block_motions[2];
    int32_t *found;
    int32_t block_columns, block_rows;
    /// Sums of the motion that arrives in each cell at an instant, from either side.
    float *arrived[2];
    source *sources;
    source *plane_sources;
    /// Sums of the rows that are being made.
    void *strip;
    intptr_t strip_stride;
    int32_t pushed;
};

#endif
