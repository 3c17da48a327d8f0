#include "CPixels.h"

#include <math.h>
#include <stdlib.h>

// x86-64 without a fused multiply-add and arm64 with one must give the same results.
#pragma STDC FP_CONTRACT OFF

enum {
    /// The table's steps along luma and along each of the two chroma axes; grey lies on a node.
    luma_steps = 64,
    chroma_steps = 48,
    luma_nodes = luma_steps + 1,
    chroma_nodes = chroma_steps + 1,
    /// A weight of one is 1 << 15, so that weighted samples fit 32 bits.
    weight_bits = 15,
    /// Samples of the table have 15 bits; those of chroma are above or below the middle.
    values = 1 << 15,
    middle = values / 2,
    /// The bits of a result below those of the picture's samples.
    fraction_bits = 7,
    codes = 1 << 12,
};

static const double one = 1 << weight_bits;

/// The node at or below a sample, and its distance from it: up to 1 << 15 for the next node.
typedef struct {
    uint16_t node, share;
} place;

/// A colour of the table. The halves of its words are weighed by one multiplication.
typedef struct {
    /// The luma here in the low half, and at the next node along luma in the high half.
    uint64_t luma;
    /// Cb in the low half, Cr in the high half.
    uint64_t chroma;
} node;

/// Two steps from a colour of the source to one of the target. The first converts all but the tone: a smooth
/// function, so that it is interpolated well. The second, a factor for the largest component, bends sharply where
/// two components are equal, and needs only one dimension.
struct cpixels_tone_table {
    node nodes[chroma_nodes][chroma_nodes][luma_nodes];
    place luma_places[codes], chroma_places[codes];
    /// The factor for colours whose largest component has a value.
    uint16_t factors[values];
    /// The bits of a factor below one.
    int32_t factor_bits;
};

typedef struct {
    double red, green, blue;
} light;

/// Luminance of BT.2020's primaries, and the weights of its luma.
static const light luminance_2020 = {0.2627, 0.6780, 0.0593};
static const light luminance_709 = {0.2126, 0.7152, 0.0722};

static double weighed(light weights, light value) {
    return weights.red * value.red + weights.green * value.green + weights.blue * value.blue;
}

// PQ, by BT.2100-2 table 4, in cd/m2.
static const double pq_m1 = 2610.0 / 16384, pq_m2 = 2523.0 / 4096 * 128;
static const double pq_c1 = 3424.0 / 4096, pq_c2 = 2413.0 / 4096 * 32, pq_c3 = 2392.0 / 4096 * 32;

static double light_of_pq(double value) {
    double power = pow(fmax(value, 0), 1 / pq_m2);
    return 10000 * pow(fmax(power - pq_c1, 0) / (pq_c2 - pq_c3 * power), 1 / pq_m1);
}

static double pq_of_light(double light) {
    double power = pow(fmax(light, 0) / 10000, pq_m1);
    return pow((pq_c1 + pq_c2 * power) / (1 + pq_c3 * power), pq_m2);
}

/// The inverse OETF of HLG, by BT.2100-2 table 5: scene light, from 0 to 1.
static double scene_of_hlg(double value) {
    const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
    if (value <= 0.5) return value > 0 ? value * value / 3 : 0;
    return (exp((value - c) / a) + b) / 12;
}

/// Returns the light in cd/m2 of a display that shows these values, as BT.2100 defines it.
static light shown(const cpixels_tone *how, light value) {
    if (how->transfer == cpixels_transfer_pq)
        return (light){light_of_pq(value.red), light_of_pq(value.green), light_of_pq(value.blue)};
    light scene = {scene_of_hlg(value.red), scene_of_hlg(value.green), scene_of_hlg(value.blue)};
    // The OOTF of a display of 1000 cd/m2 has a gamma of 1.2.
    double gain = 1000 * pow(weighed(luminance_2020, scene), 0.2);
    return (light){gain * scene.red, gain * scene.green, gain * scene.blue};
}

/// Returns light of BT.709's primaries, which may be negative.
static light narrowed(const cpixels_tone *how, light in) {
    // The inverse of the conversion in BT.2087, which BT.2407 gives too; and that for P3-D65 of SMPTE EG 432-1.
    static const double from_2020[3][3] = {
        {1.660491, -0.587641, -0.072850}, {-0.124550, 1.132900, -0.008349}, {-0.018151, -0.100579, 1.118730}};
    static const double from_p3[3][3] = {
        {1.224940, -0.224940, 0}, {-0.042057, 1.042057, 0}, {-0.019638, -0.078636, 1.098274}};
    if (how->primaries == cpixels_primaries_709) return in;
    const double(*m)[3] = how->primaries == cpixels_primaries_p3 ? from_p3 : from_2020;
    return (light){
        m[0][0] * in.red + m[0][1] * in.green + m[0][2] * in.blue,
        m[1][0] * in.red + m[1][1] * in.green + m[1][2] * in.blue,
        m[2][0] * in.red + m[2][1] * in.green + m[2][2] * in.blue};
}

/// Brings colours outside BT.709 into it, towards grey of their own luminance, which keeps their hue. Colours
/// near its edge move a little to make room, as in the gamut compression of ACES 1.3.
static light desaturated(light in) {
    // The distance from grey: 1 where a component is 0. BT.2020's green has 1.87.
    const double threshold = 0.85, limit = 1.9;
    const double scale = (limit - threshold) * (1 - threshold) / (limit - 1);
    double grey = weighed(luminance_709, in);
    if (!(grey > 0)) return (light){0, 0, 0};
    double distance = 1 - fmin(in.red, fmin(in.green, in.blue)) / grey;
    if (distance <= threshold) return in;
    double excess = distance - threshold;
    double part = fmin(threshold + excess / (1 + excess / scale), 1) / distance;
    return (light){
        grey + part * (in.red - grey), grey + part * (in.green - grey), grey + part * (in.blue - grey)};
}

/// The EETF of BT.2390-10, section 5.4.1, from a peak to a display of 100 cd/m2 with a black of 0. Highlights
/// roll off along a Hermite spline; everything below the knee stays as it is.
static double rolled_off(double light, double peak) {
    double top = pq_of_light(peak), value = fmin(pq_of_light(light) / top, 1);
    double most = pq_of_light(100) / top, knee = 1.5 * most - 0.5;
    if (most >= 1 || value <= knee) return fmin(light, 100);
    double t = (value - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    value = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * most;
    return fmin(light_of_pq(value * top), 100);
}

/// The inverse of BT.1886's EOTF with a black of 0: the value for light from 0 to 1.
static double value_1886(double light) { return pow(fmax(light, 0), 1 / 2.4); }

/// HDR's reference white of 203 cd/m2, by BT.2408, becomes the 100 cd/m2 at which SDR's white is shown.
static const double white = 203;

/// The largest value of a component, where 1 is `white`. The conversion to BT.709 makes that of some reds 1.6 times as
/// large, and HLG's 1.1 shows less than 2000 cd/m2.
static double largest_value(const cpixels_tone *how) {
    return value_1886(1.6 * (how->transfer == cpixels_transfer_pq ? 10000 : 2000) / white);
}

/// Returns red, green and blue of BT.709 for luma and chroma of BT.2020, before highlights roll off.
static light converted(const cpixels_tone *how, double y, double cb, double cr) {
    // BT.2100-2 table 6. PQ ends at 1; HLG has values up to 1.09 (table 9), and no value that is shown is higher.
    const double most = how->transfer == cpixels_transfer_pq ? 1 : 1.1;
    light value = {.red = y + 1.4746 * cr, .blue = y + 1.8814 * cb};
    value.green = (y - luminance_2020.red * value.red - luminance_2020.blue * value.blue) / luminance_2020.green;
    value = (light){fmin(value.red, most), fmin(value.green, most), fmin(value.blue, most)};
    light in = desaturated(narrowed(how, shown(how, value)));
    return (light){value_1886(in.red / white), value_1886(in.green / white), value_1886(in.blue / white)};
}

/// Returns the factor that rolls off a colour whose largest component is `value`. The same for all three
/// components, it keeps their hue and ends in the gamut.
static double factor(const cpixels_tone *how, double value) {
    const double peak = how->transfer == cpixels_transfer_pq ? fmin(fmax(how->peak, 100), 10000) : 1000;
    return value_1886(rolled_off(100 * pow(value, 2.4), 100 * peak / white) / 100) / value;
}

/// Places all codes of samples from `low` to `high` on a number of steps.
static void place_codes(place *places, int32_t count, double low, double high, int32_t steps) {
    for (int32_t code = 0; code < count; code++) {
        double at = fmin(fmax((code - low) / (high - low), 0), 1) * steps;
        int32_t node = (int32_t)fmin(at, steps - 1);
        places[code] = (place){(uint16_t)node, (uint16_t)lround((at - node) * one)};
    }
}

cpixels_tone_table *cpixels_tone_table_new(const cpixels_tone *how) {
    cpixels_tone_table *it = malloc(sizeof *it);
    if (it == NULL) return NULL;
    const int32_t count = 1 << how->bits, step = count >> 8, most = count - 1, centre = count >> 1;
    place_codes(it->luma_places, count, how->is_full ? 0 : 16 * step, how->is_full ? most : 235 * step, luma_steps);
    // In the full range, grey lies half a code above the middle.
    const double reach = how->is_full ? most / 2.0 : 112 * step;
    place_codes(it->chroma_places, count, centre - reach, centre + reach, chroma_steps);
    const double unit = (values - 1) / largest_value(how);
    for (int32_t cb = 0; cb < chroma_nodes; cb++)
        for (int32_t cr = 0; cr < chroma_nodes; cr++) {
            node *column = it->nodes[cb][cr];
            for (int32_t y = 0; y < luma_nodes; y++) {
                const light out = converted(
                    how, y / (double)luma_steps, cb / (double)chroma_steps - 0.5, cr / (double)chroma_steps - 0.5);
                // BT.709-6, item 3.
                const double value = weighed(luminance_709, out);
                column[y].luma = (uint64_t)lround(value * unit);
                column[y].chroma = (uint64_t)lround((out.blue - value) / 1.8556 * unit + (double)middle)
                    | (uint64_t)lround((out.red - value) / 1.5748 * unit + (double)middle) << 32;
            }
            for (int32_t y = 0; y < luma_steps; y++) column[y].luma |= column[y + 1].luma << 32;
        }
    // With it, a factor turns a sample of the table into one of the picture.
    const double step_of_picture = 219 * (1 << fraction_bits) / unit;
    it->factor_bits = 16 - (int32_t)ceil(log2(step_of_picture));
    for (int32_t value = 0; value < values; value++)
        it->factors[value] = (uint16_t)lround(
            factor(how, (value > 0 ? value : 1) / unit) * step_of_picture * (1 << it->factor_bits));
    return it;
}

void cpixels_tone_table_free(cpixels_tone_table *it) { free(it); }

/// The columns of luma nodes around a chroma sample, and their weights.
typedef struct {
    const node *starts[4];
    uint32_t weights[4];
} columns;

static inline columns columns_of(const cpixels_tone_table *it, place cb, place cr) {
    const uint32_t both = ((uint32_t)cb.share * cr.share) >> weight_bits;
    const node *start = it->nodes[cb.node][cr.node], *below = it->nodes[cb.node + 1][cr.node];
    return (columns){
        {start, start + luma_nodes, below, below + luma_nodes},
        {(1u << weight_bits) - cb.share - cr.share + both, cr.share - both, cb.share - both, both}};
}

/// Returns the weighted sums of luma at a node and at the next.
static inline uint64_t mixed_luma(const columns *at, int32_t n) {
    return at->starts[0][n].luma * at->weights[0] + at->starts[1][n].luma * at->weights[1]
        + at->starts[2][n].luma * at->weights[2] + at->starts[3][n].luma * at->weights[3];
}

/// Returns the weighted sums of Cb and Cr at a node.
static inline uint64_t mixed_chroma(const columns *at, int32_t n) {
    return at->starts[0][n].chroma * at->weights[0] + at->starts[1][n].chroma * at->weights[1]
        + at->starts[2][n].chroma * at->weights[2] + at->starts[3][n].chroma * at->weights[3];
}

/// Returns the sample between two sums of weighted ones.
static inline int32_t between(uint32_t here, uint32_t next, uint32_t share) {
    const uint32_t weight = (1u << weight_bits) - share;
    return (int32_t)(((here >> weight_bits) * weight + (next >> weight_bits) * share) >> weight_bits);
}

static inline int32_t larger(int32_t value, int32_t other) { return value > other ? value : other; }

/// Returns the luma of a pixel before highlights roll off.
static inline int32_t luma_of(const columns *at, place y) {
    const uint64_t mix = mixed_luma(at, y.node);
    return between((uint32_t)mix, (uint32_t)(mix >> 32), y.share);
}

/// Returns the factor for a pixel whose largest component is higher than luma by `excess`.
static inline int32_t factor_of(const cpixels_tone_table *it, int32_t luma, int32_t excess) {
    const int32_t largest = luma + excess;
    return it->factors[largest < values ? largest : values - 1];
}

/// Returns the byte for a sample, which is negative for chroma below grey. `black` includes the dither.
static inline uint8_t toned(const cpixels_tone_table *it, int32_t sample, int32_t factor, int32_t black) {
    return (uint8_t)((((sample * factor) >> it->factor_bits) + black) >> fraction_bits);
}

void cpixels_tone_rows(
    const cpixels_tone_table *it, const cpixels_plane source[3], uint8_t *const target[3],
    const intptr_t target_strides[3], int32_t from, int32_t to
) {
    // Bayer's 4x4 matrix. Without it, eight bits show bands in skies.
    static const uint8_t order[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const uint32_t mask = (1u << source->bits) - 1;
    for (int32_t row = from; row < to; row += 2) {
        const uint16_t *in[4] = {
            (const uint16_t *)(const void *)(source[0].base + row * source[0].stride),
            (const uint16_t *)(const void *)(source[0].base + (row + 1) * source[0].stride),
            (const uint16_t *)(const void *)(source[1].base + row / 2 * source[1].stride),
            (const uint16_t *)(const void *)(source[2].base + row / 2 * source[2].stride),
        };
        uint8_t *upper = target[0] + row * target_strides[0], *lower = upper + target_strides[0];
        uint8_t *blue = target[1] + row / 2 * target_strides[1], *red = target[2] + row / 2 * target_strides[2];
        int32_t blacks[2][4], greys[4];
        for (int32_t x = 0; x < 4; x++) {
            blacks[0][x] = (16 << fraction_bits) + order[row & 3][x] * 8 + 4;
            blacks[1][x] = (16 << fraction_bits) + order[(row + 1) & 3][x] * 8 + 4;
            greys[x] = (128 << fraction_bits) + order[(row / 2) & 3][x] * 8 + 4;
        }
        for (int32_t x = 0; x < source->width; x += 2) {
            const columns at = columns_of(
                it, it->chroma_places[in[2][x / 2] & mask], it->chroma_places[in[3][x / 2] & mask]);
            const uint32_t y[4] = {in[0][x] & mask, in[0][x + 1] & mask, in[1][x] & mask, in[1][x + 1] & mask};
            // The four pixels have one chroma, so it is converted once, at their mean luma.
            const place mean = it->luma_places[(y[0] + y[1] + y[2] + y[3] + 2) >> 2];
            const uint64_t here = mixed_chroma(&at, mean.node), next = mixed_chroma(&at, mean.node + 1);
            const int32_t cb = between((uint32_t)here, (uint32_t)next, mean.share) - middle;
            const int32_t cr = between((uint32_t)(here >> 32), (uint32_t)(next >> 32), mean.share) - middle;
            // The largest of red, green and blue above luma, by BT.709-6, item 3, in 1/4096.
            const int32_t excess = larger(larger(7601 * cb, 6450 * cr), -767 * cb - 1917 * cr) >> 12;
            int32_t lumas[4];
            for (int32_t n = 0; n < 4; n++) lumas[n] = luma_of(&at, it->luma_places[y[n]]);
            const int32_t *above = blacks[0] + (x & 2), *below = blacks[1] + (x & 2);
            upper[x] = toned(it, lumas[0], factor_of(it, lumas[0], excess), above[0]);
            upper[x + 1] = toned(it, lumas[1], factor_of(it, lumas[1], excess), above[1]);
            lower[x] = toned(it, lumas[2], factor_of(it, lumas[2], excess), below[0]);
            lower[x + 1] = toned(it, lumas[3], factor_of(it, lumas[3], excess), below[1]);
            // Chroma has 224 steps where luma has 219.
            const int32_t factor = factor_of(it, (lumas[0] + lumas[1] + lumas[2] + lumas[3]) >> 2, excess) * 224 / 219;
            blue[x / 2] = toned(it, cb, factor, greys[x / 2 & 3]);
            red[x / 2] = toned(it, cr, factor, greys[x / 2 & 3]);
        }
    }
}
