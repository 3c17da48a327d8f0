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

#endif
