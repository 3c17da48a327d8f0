#ifndef CFLOW_H
#define CFLOW_H

#include <stdbool.h>
#include <stdint.h>

// Optical flow between two pictures, and pictures interpolated with it. Plain C, because it needs fixed-width
// vectors that compile to one instruction each; integers and floats are processed in a fixed order, so that
// every run gives the same pixels.

/// The samples of one component of a picture.
typedef struct {
    const uint8_t *base;
    /// The bytes from one row to the next.
    intptr_t stride;
    int32_t width, height;
    /// 8 for bytes; up to 16 for 16-bit samples in this machine's byte order.
    int32_t bits;
} cflow_plane;

/// The motion between two pictures of the same size, and its memory.
typedef struct cflow_field cflow_field;

/// Creates a field for pictures of this size; NULL if memory runs out. The size may be any from 1 to 65535.
cflow_field *cflow_create(int32_t width, int32_t height);

void cflow_destroy(cflow_field *field);

/// Sets the luma of the next picture; the former next picture becomes the last.
void cflow_push(cflow_field *field, const cflow_plane *luma);

/// The result of cflow_judge for the last two pictures.
typedef enum {
    /// Motion, at least in parts.
    cflow_motion = 0,
    /// A cut, or a light that switched: no part of one picture is made from the other.
    cflow_break = 1,
} cflow_kind;

/// Finds the motion from one of the last two pictures to the other: 0 from the last to the next, 1 back. Two
/// threads may run one each at the same time.
void cflow_search(cflow_field *field, int32_t side);

/// Compares both motions found by cflow_search, and determines the trust in them.
cflow_kind cflow_judge(cflow_field *field);

/// Finds the position of everything at the instant `share` / 256 of the way from the last picture to the
/// next.
///
/// Returns the part of the picture that no motion explains, in 65536ths: the nearer picture is shown there.
int32_t cflow_place(cflow_field *field, int32_t share);

/// Renders one plane of the picture at the instant of cflow_place.
///
/// `shift_x` and `shift_y`: the subsampling of the plane, in powers of two (0 to 2).
void cflow_render(
    cflow_field *field, const cflow_plane *last, const cflow_plane *next, int32_t shift_x, int32_t shift_y,
    uint8_t *target, intptr_t target_stride);

#endif
