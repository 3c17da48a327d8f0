"""Maps the colours of a high dynamic range to the standard one, by the formulas of the standards in docs/speed.md."""
import math

TO_709 = ((1.660491, -0.587641, -0.072850), (-0.124550, 1.132900, -0.008349), (-0.018151, -0.100579, 1.118730))
WEIGHTS_2020, WEIGHTS_709 = (0.2627, 0.6780, 0.0593), (0.2126, 0.7152, 0.0722)
WHITE = 203  # cd/m2, which the standard range shows with 100
HDR = ("smpte2084", "arib-std-b67")
M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128


def weighed(weights, colour):
    return sum(w * c for w, c in zip(weights, colour))


def pq_light(value):
    power = max(value, 0) ** (1 / M2)
    return 10000 * (max(power - C1, 0) / (C2 - C3 * power)) ** (1 / M1)


def pq_value(light):
    power = (max(light, 0) / 10000) ** M1
    return ((C1 + C2 * power) / (1 + C3 * power)) ** M2


def hlg_scene(value):
    a = 0.17883277
    b, c = 1 - 4 * a, 0.5 - a * math.log(4 * a)
    return max(value, 0) ** 2 / 3 if value <= 0.5 else (math.exp((value - c) / a) + b) / 12


def shown(colour, transfer):
    """Returns the light of a display, in cd/m2."""
    if transfer == "smpte2084":
        return [pq_light(c) for c in colour]
    scene = [hlg_scene(c) for c in colour]
    gain = 1000 * weighed(WEIGHTS_2020, scene) ** 0.2
    return [gain * c for c in scene]


def within_709(light):
    grey = weighed(WEIGHTS_709, light)
    if grey <= 0:
        return [0.0, 0.0, 0.0]
    distance = 1 - min(light) / grey
    if distance <= 0.85:
        return light
    excess = distance - 0.85
    part = min(0.85 + excess / (1 + excess / (1.05 * 0.15 / 0.9)), 1) / distance
    return [grey + part * (c - grey) for c in light]


def rolled_off(light, peak):
    top = pq_value(peak)
    value, most = min(pq_value(light) / top, 1), pq_value(100) / top
    knee = 1.5 * most - 0.5
    if most >= 1 or value <= knee:
        return min(light, 100)
    t = (value - knee) / (1 - knee)
    value = (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (3 * t**2 - 2 * t**3) * most
    return min(pq_light(value * top), 100)


def mapped(colour, transfer, peak=1000):
    """Returns red, green and blue of BT.709, up to 255, for those of BT.2020."""
    light = shown([c / 255 for c in colour], transfer)
    light = within_709([weighed(row, light) for row in TO_709])
    largest = max(light) * 100 / WHITE
    gain = rolled_off(largest, peak * 100 / WHITE) / largest if largest > 0 else 0
    return tuple(255 * max(c * gain / WHITE, 0) ** (1 / 2.4) for c in light)
