#include "CPixels.h"

#include <string.h>

// Where little moves between the adjacent fields, a missing sample is the mean of its values a field before
// and a field after. Where more moves, it is interpolated from the lines above and below, and from the
// vertical detail at both times, by the BBC's filters (J. Easterbrook, "w3fdif": a half-band pair for lines
// and for time, and one for lines alone). In both cases, it differs from that mean by at most the change of
// neighbouring samples in the adjacent fields.

/// The filters' taps, in 8192ths: of the lines in this field at distances 1 and 3, of those in the adjacent
/// fields at 0, 2 and 4, and of the lines alone at 1 and 3.
enum { near_low = 4309, far_low = 213, mid_high = 5570, near_high = 3801, far_high = 1016, near_line = 5077, far_line = 981 };

static inline int32_t magnitude(int32_t value) { return value < 0 ? -value : value; }
static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t greatest(int32_t a, int32_t b) { return a > b ? a : b; }

/// Returns the nearest existing row to `row` of the same field in a picture of `height` rows.
static int32_t held(int32_t row, int32_t height) {
    while (row < 0) row += 2;
    while (row >= height) row -= 2;
    return row < 0 ? 0 : row;
}

#define MAKE_ROW(NAME, SAMPLE)                                                                                          \
    /* The source rows of an interpolated row. */                                                                       \
    typedef struct {                                                                                                    \
        const SAMPLE *up, *down, *up3, *down3, *before[5], *after[5];                                                   \
        const SAMPLE *before_up, *before_down, *after_up, *after_down;                                                  \
    } NAME##_rows;                                                                                                      \
    static void NAME(const NAME##_rows *rows, SAMPLE *restrict made, int32_t width, int32_t largest) {                  \
        const SAMPLE *up = rows->up, *down = rows->down, *up3 = rows->up3, *down3 = rows->down3;                        \
        const SAMPLE *b4 = rows->before[0], *b2 = rows->before[1], *b0 = rows->before[2], *bd2 = rows->before[3];       \
        const SAMPLE *bd4 = rows->before[4], *a4 = rows->after[0], *a2 = rows->after[1], *a0 = rows->after[2];          \
        const SAMPLE *ad2 = rows->after[3], *ad4 = rows->after[4];                                                      \
        const SAMPLE *before_up = rows->before_up, *before_down = rows->before_down;                                    \
        const SAMPLE *after_up = rows->after_up, *after_down = rows->after_down;                                        \
        for (int32_t x = 0; x < width; x++) {                                                                           \
            int32_t above = up[x], below = down[x];                                                                     \
            int32_t mean = (b0[x] + a0[x]) >> 1;                                                                        \
            int32_t changed = magnitude(b0[x] - a0[x]);                                                                 \
            int32_t changed_before = (magnitude(before_up[x] - above) + magnitude(before_down[x] - below)) >> 1;        \
            int32_t changed_after = (magnitude(after_up[x] - above) + magnitude(after_down[x] - below)) >> 1;           \
            int32_t room = greatest(changed >> 1, greatest(changed_before, changed_after));                             \
            int32_t above2 = ((b2[x] + a2[x]) >> 1) - above, below2 = ((bd2[x] + ad2[x]) >> 1) - below;                 \
            int32_t to_above = mean - above, to_below = mean - below;                                                   \
            int32_t most = greatest(greatest(to_below, to_above), least(above2, below2));                               \
            int32_t fewest = least(least(to_below, to_above), greatest(above2, below2));                                \
            int32_t wide = greatest(room, greatest(fewest, -most));                                                     \
            int32_t high = mid_high * (b0[x] + a0[x]) - near_high * (b2[x] + a2[x] + bd2[x] + ad2[x]) +                 \
                           far_high * (b4[x] + a4[x] + bd4[x] + ad4[x]);                                                \
            int32_t both = ((high >> 2) + near_low * (above + below) - far_low * (up3[x] + down3[x])) >> 13;            \
            int32_t lines = (near_line * (above + below) - far_line * (up3[x] + down3[x])) >> 13;                       \
            int32_t value = magnitude(above - below) > changed ? both : lines;                                          \
            value = greatest(mean - wide, least(mean + wide, value));                                                   \
            value = room == 0 ? mean : value;                                                                           \
            made[x] = (SAMPLE)greatest(0, least(largest, value));                                                       \
        }                                                                                                               \
    }

MAKE_ROW(make_row8, uint8_t)
MAKE_ROW(make_row16, uint16_t)

#define FILL_ROWS(SAMPLE)                                                                                               \
    rows.up = (const SAMPLE *)(picture->base + held(y - 1, height) * picture->stride);                                  \
    rows.down = (const SAMPLE *)(picture->base + held(y + 1, height) * picture->stride);                                \
    rows.up3 = (const SAMPLE *)(picture->base + held(y - 3, height) * picture->stride);                                 \
    rows.down3 = (const SAMPLE *)(picture->base + held(y + 3, height) * picture->stride);                               \
    for (int32_t tap = 0; tap < 5; tap++) {                                                                             \
        int32_t row = held(y + 2 * tap - 4, height);                                                                    \
        rows.before[tap] = (const SAMPLE *)(earlier->base + row * earlier->stride);                                     \
        rows.after[tap] = (const SAMPLE *)(later->base + row * later->stride);                                          \
    }                                                                                                                   \
    rows.before_up = (const SAMPLE *)(previous->base + held(y - 1, height) * previous->stride);                         \
    rows.before_down = (const SAMPLE *)(previous->base + held(y + 1, height) * previous->stride);                       \
    rows.after_up = (const SAMPLE *)(next->base + held(y - 1, height) * next->stride);                                  \
    rows.after_down = (const SAMPLE *)(next->base + held(y + 1, height) * next->stride);

void cpixels_deinterlace(
    const cpixels_plane *previous, const cpixels_plane *picture, const cpixels_plane *next, bool keeps_top,
    bool is_first, uint8_t *target, intptr_t target_stride) {
    int32_t width = picture->width, height = picture->height;
    // The other field was captured half a frame before and after this one.
    const cpixels_plane *earlier = is_first ? previous : picture, *later = is_first ? picture : next;
    int32_t largest = (1 << picture->bits) - 1;
    for (int32_t y = 0; y < height; y++) {
        uint8_t *made = target + y * target_stride;
        if ((y & 1) == (keeps_top ? 0 : 1) || height < 2) {
            memcpy(made, picture->base + y * picture->stride, (size_t)width * (picture->bits > 8 ? 2 : 1));
        } else if (picture->bits > 8) {
            make_row16_rows rows;
            FILL_ROWS(uint16_t)
            make_row16(&rows, (uint16_t *)made, width, largest);
        } else {
            make_row8_rows rows;
            FILL_ROWS(uint8_t)
            make_row8(&rows, made, width, largest);
        }
    }
}
