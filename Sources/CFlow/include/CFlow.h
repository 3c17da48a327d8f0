#ifndef CFLOW_H
#define CFLOW_H

#include <stdbool.h>
#include <stdint.h>

// Optical flow between two pictures, and frames between them made by it. Plain C, as it needs vectors of a fixed width
// that become one instruction each; integers and floats are worked on in a fixed order, so that every run gives the
// same pixels.

/// Samples of one colour of a picture.
typedef struct {
    const uint8_t *base;
    /// Bytes from one row to the next.
    intptr_t stride;
    int32_t width, height;
    /// 8 for bytes; up to 16 for 16-bit samples in this machine's order.
    int32_t bits;
} cflow_plane;

/// What is known of the motion between two pictures of one size, and the memory it takes.
typedef struct cflow_field cflow_field;

/// A field for pictures of this size; NULL without memory. The size may be any from 1 to 65535.
cflow_field *cflow_create(int32_t width, int32_t height);

void cflow_destroy(cflow_field *field);

/// Takes the luma of the picture that comes next: what was next becomes last.
void cflow_push(cflow_field *field, const cflow_plane *luma);

/// What cflow_judge found between the last two pictures.
typedef enum {
    /// Motion, at least in parts.
    cflow_motion = 0,
    /// A cut or a light that switched: nothing in one picture is made of the other.
    cflow_break = 1,
} cflow_kind;

/// Finds the motion from one of the last two pictures to the other: 0 from the last to the next, 1 back. Two threads may
/// find one each at the same time.
void cflow_search(cflow_field *field, int32_t side);

/// Compares both motions that cflow_search found: how far they are to be trusted.
cflow_kind cflow_judge(cflow_field *field);

/// Finds where everything is at the instant `share` / 256 of the way from the last picture to the next.
///
/// Returns how much of the picture no motion explains, in 65536ths: the nearer picture is shown there.
int32_t cflow_place(cflow_field *field, int32_t share);

/// Makes one plane of the picture at the instant of cflow_place.
///
/// `shift_x` and `shift_y`: how much smaller the plane is than luma, in powers of two (0 to 2).
void cflow_render(
    cflow_field *field, const cflow_plane *last, const cflow_plane *next, int32_t shift_x, int32_t shift_y,
    uint8_t *target, intptr_t target_stride);

#endif
