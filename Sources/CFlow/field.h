#ifndef FIELD_H
#define FIELD_H

#include "CFlow.h"

// x86-64 without a fused multiply-add and arm64 with one must give the same results.
#pragma STDC FP_CONTRACT OFF

typedef float f4 __attribute__((vector_size(16)));
typedef float f4u __attribute__((vector_size(16), aligned(4)));
typedef float f8 __attribute__((vector_size(32)));
typedef float f8u __attribute__((vector_size(32), aligned(4)));

enum {
    /// The most levels of a picture, each half the size of the one before.
    most_levels = 12,
    /// The samples around a level, so that vectors may reach past its edge.
    border = 16,
    /// The samples of a patch, each way.
    patch = 8,
    /// The samples from one patch to the next.
    patch_step = 4,
    /// The pixels of luma of a cell, each way: all of it has the same motion.
    cell = 4,
    /// The cells of a tile, each way, in which switched lights are detected.
    tile = 32,
    /// The distance within which a cell's neighbours count for its loss and its motion.
    near = 4,
};

/// A picture at one size, with a border of repeated samples.
typedef struct {
    float *origin;
    float *memory;
    int32_t width, height, stride;
} level;

/// A patch's motion in samples of its level, and its error: the mean square of the residual.
typedef struct {
    float x, y, error;
} motion;

/// The motion of a cell to the other picture, in pixels of luma.
typedef struct {
    float x, y;
    /// The mean difference from the samples at its target, in 256ths of full scale, and from those at its own
    /// place.
    float left_over, still;
    /// The trust in the motion: 0 to 1.
    float trust;
} cell_motion;

/// The reason why a cell is lost.
enum { is_unexplained = 1, is_wrong = 2 };

/// The origin of a cell in the new picture: a position in each picture, in 16ths of a pixel relative to its
/// own, and the share of each, 16 in total.
typedef struct {
    int16_t x[2], y[2];
    int16_t part[2];
    float trust;
} source;

struct cflow_field {
    int32_t width, height;
    /// The pixels of luma per sample of level 0, each way.
    int32_t reduction;
    int32_t level_count;
    /// The levels of the last picture and the next.
    level levels[2][most_levels];
    /// The patches of a level from the last picture to the next, and back: of even levels, and of odd ones.
    motion *patches[2];
    motion *odd_patches[2];
    /// The weighted sums of the patches' motion for some rows of samples of level 0.
    float *strips[2];
    int32_t columns, rows;
    cell_motion *cells[2];
    /// The reason why no motion explains a cell of either picture, or 0, and the number of such cells.
    uint8_t *is_lost;
    int32_t lost_count;
    /// The kinds of the blocks of both pictures, their motion, and a list of some of them.
    uint8_t *blocks[2], *closed;
    motion *block_motions[2];
    int32_t *found;
    int32_t block_columns, block_rows;
    /// The sums of the motion that arrives in each cell at an instant, from each side.
    float *arrived[2];
    source *sources;
    source *plane_sources;
    /// The sums of the rows in progress.
    void *strip;
    intptr_t strip_stride;
    int32_t pushed;
};

#endif
