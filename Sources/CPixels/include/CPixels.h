#ifndef CPIXELS_H
#define CPIXELS_H

#include <stdbool.h>
#include <stdint.h>

// Work on the samples of pictures for which libswscale is too coarse. Plain C, as its loops become vector instructions
// that need no check of each index.

/// Samples of one colour of a picture.
typedef struct {
    const uint8_t *base;
    /// Bytes from one row to the next.
    intptr_t stride;
    int32_t width, height;
    /// 8 for bytes; up to 16 for 16-bit samples in this machine's order.
    int32_t bits;
} cpixels_plane;

/// A part of a plane, in its samples: 0, 0 is the upper left corner of its first sample.
typedef struct {
    double left, top, width, height;
} cpixels_window;

/// Makes `window` of `source` as large as the target, by Lanczos' filter of three lobes; where it becomes smaller, the
/// filter is as much wider. Beyond the edges, the samples at them are repeated.
///
/// Returns false without memory. `window` is larger than nothing; the sizes are from 1 to 65535.
bool cpixels_zoom(
    const cpixels_plane *source, const cpixels_window *window, uint8_t *target, intptr_t target_stride,
    int32_t target_width, int32_t target_height);

/// How the samples of a sensor become those of a picture.
typedef struct {
    /// Where in each square of four pixels red lies.
    int32_t red_column, red_row;
    /// What the sensor gives without light, in 16 bits.
    int32_t black;
    /// What red, green and blue are multiplied by.
    float gains[3];
    /// Whether the colours are mixed by `matrix`: a row for each colour of the result.
    bool has_matrix;
    float matrix[9];
    /// The sample of the picture for each of 16 bits: 65536 of them.
    const uint16_t *curve;
} cpixels_development;

/// Spreads the samples of a mosaic out, without black and brightened, with a mirrored margin of two in which each colour
/// stays in its place: `samples` has room for (width + 4) * (height + 4). The mosaic has at least 4x4 pixels.
void cpixels_spread(const cpixels_plane *mosaic, const cpixels_development *how, int32_t *samples);

/// Makes row `y` of red, green and blue side by side of what cpixels_spread gave, in 16 bits each where `is_deep`.
void cpixels_demosaic_row(
    const int32_t *samples, int32_t width, int32_t y, const cpixels_development *how, bool is_deep, uint8_t *target);

/// The same of a sensor without colours.
void cpixels_develop_grey(
    const cpixels_plane *plane, const cpixels_development *how, bool is_deep, uint8_t *target, intptr_t target_stride);

/// A square of a mosaic, in 16 bits.
typedef struct {
    /// The means of its red, green and blue samples; of a plane without colours the second alone counts.
    float mean[3];
    /// The brightest of its samples.
    float most;
} cpixels_block;

/// Measures all whole squares of `size` samples, an even number, row by row. `red_column` is below 0 for a plane without
/// colours.
void cpixels_blocks(
    const cpixels_plane *plane, int32_t red_column, int32_t red_row, int32_t size, cpixels_block *blocks);

/// Makes a whole picture of one field of `picture`: its lines stay as they are, and those of the other field are made of
/// them and of the fields around it.
///
/// All four have the same size and depth. `keeps_top` is whether the field is of the first, third and further lines;
/// `is_first` whether it was filmed before the other one. At an end of the film `previous` or `next` is `picture`.
void cpixels_deinterlace(
    const cpixels_plane *previous, const cpixels_plane *picture, const cpixels_plane *next, bool keeps_top,
    bool is_first, uint8_t *target, intptr_t target_stride);

#endif
