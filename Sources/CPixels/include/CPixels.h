#ifndef CPIXELS_H
#define CPIXELS_H

#include <stdbool.h>
#include <stdint.h>

// Operations on pictures' samples for which libswscale is not accurate enough. Plain C, because its loops
// compile to vector instructions without bounds checks.

/// The samples of one component of a picture.
typedef struct {
    const uint8_t *base;
    /// The bytes from one row to the next.
    intptr_t stride;
    int32_t width, height;
    /// 8 for bytes; up to 16 for 16-bit samples in this machine's byte order.
    int32_t bits;
} cpixels_plane;

/// A part of a plane in samples; (0, 0) is the upper left corner of its first sample.
typedef struct {
    double left, top, width, height;
} cpixels_window;

/// Scales `window` of `source` to the target's size with a Lanczos filter of three lobes, widened in
/// proportion for reduction. Samples at the edges are repeated beyond them.
///
/// Returns false if memory runs out. `window` is not empty; the sizes are from 1 to 65535.
bool cpixels_zoom(
    const cpixels_plane *source, const cpixels_window *window, uint8_t *target, intptr_t target_stride,
    int32_t target_width, int32_t target_height);

/// The conversion from a sensor's samples to those of a picture.
typedef struct {
    /// The position of red in each square of four pixels.
    int32_t red_column, red_row;
    /// The sensor's value without light, in 16 bits.
    int32_t black;
    /// The factors on red, green and blue.
    float gains[3];
    /// Whether the colours are converted by `matrix`: a row for each colour of the result.
    bool has_matrix;
    float matrix[9];
    /// The picture's sample for each 16-bit value: 65536 of them.
    const uint16_t *curve;
} cpixels_development;

/// Spreads the samples of a mosaic, with the black level and the gains applied, and a mirrored margin of two
/// in which colours keep their pattern: `samples` has room for (width + 4) * (height + 4). The mosaic has at
/// least 4x4 pixels.
void cpixels_spread(const cpixels_plane *mosaic, const cpixels_development *how, int32_t *samples);

/// Computes row `y` of interleaved red, green and blue from the output of cpixels_spread, in 16 bits each if
/// `is_deep`.
void cpixels_demosaic_row(
    const int32_t *samples, int32_t width, int32_t y, const cpixels_development *how, bool is_deep, uint8_t *target);

/// Develops the picture of a sensor without colours in the same way.
void cpixels_develop_grey(
    const cpixels_plane *plane, const cpixels_development *how, bool is_deep, uint8_t *target, intptr_t target_stride);

/// A square of a mosaic, in 16 bits.
typedef struct {
    /// The means of its red, green and blue samples; for a plane without colours, only the second is valid.
    float mean[3];
    /// The value of its brightest sample.
    float most;
} cpixels_block;

/// Measures all whole squares of `size` samples, an even number, row by row. `red_column` is negative for a
/// plane without colours.
void cpixels_blocks(
    const cpixels_plane *plane, int32_t red_column, int32_t red_row, int32_t size, cpixels_block *blocks);

/// Makes a whole picture of one field of `picture`: its lines are unchanged, and those of the other field are
/// interpolated from them and from the adjacent fields.
///
/// All four have the same size and depth. `keeps_top` is whether the field has the first, third and further
/// lines; `is_first` whether it was captured before the other one. At the ends of the video, `previous` or
/// `next` is `picture`.
void cpixels_deinterlace(
    const cpixels_plane *previous, const cpixels_plane *picture, const cpixels_plane *next, bool keeps_top,
    bool is_first, uint8_t *target, intptr_t target_stride);

enum {
    /// The code points of ITU-T H.273; other primaries are treated as those of BT.2020.
    cpixels_transfer_pq = 16,
    cpixels_transfer_hlg = 18,
    cpixels_primaries_709 = 1,
    cpixels_primaries_p3 = 12,
};

/// The source of a conversion from HDR to SDR: HLG or PQ of BT.2100, in luma and chroma of BT.2020.
typedef struct {
    int32_t transfer, primaries;
    /// 10 to 12 bits a sample.
    int32_t bits;
    bool is_full;
    /// The brightest light in cd/m2, for PQ: from 100 to 10000.
    double peak;
} cpixels_tone;

/// The conversion of 65x49x49 colours, 2.6 MB; only read once it is made.
typedef struct cpixels_tone_table cpixels_tone_table;

/// Returns NULL if memory runs out.
cpixels_tone_table *cpixels_tone_table_new(const cpixels_tone *how);
void cpixels_tone_table_free(cpixels_tone_table *table);

/// Converts the luma rows from `from` to before `to`, both even, and their chroma: 4:2:0 of 10 to 12 bits to 4:2:0
/// of 8 bits in limited range, dithered. The picture has an even width; rows may be converted in any order.
void cpixels_tone_rows(
    const cpixels_tone_table *table, const cpixels_plane source[3], uint8_t *const target[3],
    const intptr_t target_strides[3], int32_t from, int32_t to);

#endif
