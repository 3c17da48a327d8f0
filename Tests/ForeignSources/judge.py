"""Compares a clip with its source: each frame, its order and length, the shape, the orientation, the colours and the place
of the audio."""
import bisect, math
from dataclasses import dataclass, replace
from fractions import Fraction

import tones

DELTA = 9  # of 255, after two conversions of colours
TONE_DELTA = 20  # the source's colours have only 8 bits here, which are coarse in PQ


@dataclass(frozen=True)
class Variant:
    name: str
    options: tuple
    speed: object = 1  # a fraction, a list of (time, speed), or None for "each frame once"
    start: Fraction = Fraction(0)
    end: Fraction = None
    copy: bool = False
    container: str = None  # None for the source's own
    crop: Fraction = None
    fields: bool = False
    pipe: bool = False
    keeps_light: bool = True
    hears: bool = False


V = Variant
CURVE = [(0.0, 1.0), (0.2, 0.25), (0.5, 1.0)]
PART = dict(start=Fraction("0.15"), end=Fraction("0.6"))
PART_OPTIONS = ("--in", "0.15s", "--out", "0.6s")
LOSSLESS = ("--crf", "0", "--preset", "ultrafast")
VARIANTS = [
    V("each", ("--codec", "ffv1"), None, container="mkv"),
    V("real", ("--speed", "1", *LOSSLESS), 1, container="mp4", hears=True),
    V("quarter", ("--speed", "1/4", *LOSSLESS), Fraction(1, 4), container="mov"),
    V("curve", ("--speed", "0s:1, 0.2s:1/4, 0.5s:1", "--codec", "ffv1"), CURVE, container="mkv"),
    V("part", ("--speed", "1/2", *PART_OPTIONS, *LOSSLESS), Fraction(1, 2), **PART, container="mp4", hears=True),
    V("copy", ("--copy", "--speed", "1"), 1, copy=True),
    V("copy-quarter", ("--copy", "--speed", "1/4"), Fraction(1, 4), copy=True),
    V("copy-part", ("--copy", "--speed", "1/2", *PART_OPTIONS), Fraction(1, 2), **PART, copy=True),
    V("copy-curve", ("--copy", "--speed", "0s:1, 0.2s:1/4, 0.5s:1"), CURVE, copy=True),
]
MORE = {
    "crop": [V("square", ("--speed", "1", "--crop", "1:1", *LOSSLESS), 1, container="mp4", crop=Fraction(1)),
             V("upright", ("--speed", "1", "--crop", "9:16", *LOSSLESS), 1, container="mp4", crop=Fraction(9, 16))],
    "fields": [V("fields", ("--speed", "1/2", "--deinterlace", "auto", *LOSSLESS), Fraction(1, 2), container="mp4",
                 fields=True)],
    "hdr": [V("hevc", ("--speed", "1/2", "--codec", "hevc", "--preset", "ultrafast", "--crf", "4"), Fraction(1, 2),
              container="mp4"),
            V("hevc-sdr", ("--speed", "1/2", "--codec", "hevc", "--preset", "ultrafast", "--crf", "4", "--tone", "sdr"),
              Fraction(1, 2), container="mp4")],
    "pipe": [V("pipe", ("--speed", "1/4", *LOSSLESS), Fraction(1, 4), container="mp4", pipe=True)],
}


def integral(curve, time):
    """Returns the clip's time for a capture time."""
    total, (before, speed) = 0.0, (0.0, curve[0][1])
    if time <= 0:
        return time / curve[0][1]
    for at, next_speed in curve:
        if at > before:
            end = min(time, at)
            slope = (next_speed - speed) / (at - before)
            if abs(slope) < 1e-12:
                total += (end - before) / speed
            else:
                total += math.log((speed + slope * (end - before)) / speed) / slope
            if time <= at:
                return total
        before, speed = at, next_speed
    return total + (time - before) / speed


def placed(variant, time):
    """Returns the time in the clip, from its start, at which a capture time is shown."""
    time = float(time)
    if isinstance(variant.speed, list):
        return integral(variant.speed, time) - integral(variant.speed, float(variant.start))
    return (time - float(variant.start)) / float(variant.speed)


def close(one, other, delta=DELTA):
    return all(abs(a - b) <= delta for a, b in zip(one, other))


def alike(frame, other):
    """Returns whether two frames have the same content, by their numbers, or by their pixels if they have no numbers."""
    if frame.numbers[0] is not None or frame.numbers[1] is not None:
        return frame.numbers == other.numbers
    return sum(not close(a, b, 24) for a, b in zip(frame.grid, other.grid)) <= len(frame.grid) // 8


def judge(source, clip, variant, joined=False):
    """Returns the differences, in words; an empty list if the clip is right."""
    found = []
    found += shape(source, clip, variant)
    is_mapped = not variant.copy and source.tags["color_transfer"] in tones.HDR and clip.tags["color_transfer"] == "bt709"
    if is_mapped:
        source = in_standard_range(source)
    if variant.crop is not None:
        return found + cropped(source, clip, variant)
    if source.way != clip.way:
        found.append(f"turned: the source lies {source.way}, the clip {clip.way}")
        return found
    if variant.copy:
        found += kept_codec(source, clip)
        found += copied(source, clip, variant, joined)
    elif variant.fields:
        found += fields(source, clip)
    elif variant.speed is None:
        found += each(source, clip)
    else:
        found += rendered(source, clip, variant, joined)
    if not (variant.copy and clip.container == "nut"):  # NUT has no place for them except in our own tag
        found += colours(source, clip, TONE_DELTA if is_mapped else DELTA)
    found += light(source, clip)
    if is_mapped and clip.light:
        found.append(f"light: {' and '.join(clip.light)} of a high dynamic range")
    if variant.hears and source.has_audio:
        found += audio(source, clip, variant)
    return found


def in_standard_range(source):
    """Returns a source of a high dynamic range as a clip of the standard one should show it: without its grading."""
    peaks = [float(source.light.get("mastering", {}).get("max_luminance", 0)), *source.light.get("light", ())[:1]]
    peak = min([p for p in peaks if 100 <= p <= 10000], default=1000)

    def mapped(colours):
        return [tones.mapped(colour, source.tags["color_transfer"], peak) for colour in colours]

    frames = [replace(f, patches=mapped(f.patches), grid=mapped(f.grid)) for f in source.frames]
    tags = {**source.tags, "color_transfer": "bt709", "color_primaries": "bt709"}
    return replace(source, frames=frames, tags=tags, light={})


def shape(source, clip, variant):
    aspect = variant.crop or source.aspect
    width, height = (clip.width, clip.height) if variant.crop else (source.width, source.height)
    slack = 0.005 + 1.01 / min(width, height) + (2.0 / min(clip.width, clip.height) if variant.crop else 0)
    if abs(float(clip.aspect / aspect) - 1) > slack:
        return [f"shape: shown {float(clip.aspect):.4f} ({clip.width}x{clip.height}), should be {float(aspect):.4f}"
                f" ({source.width}x{source.height})"]
    if not variant.crop and (abs(clip.width - source.width) > 1 or abs(clip.height - source.height) > 1):
        return [f"size: {clip.width}x{clip.height}, should be {source.width}x{source.height}"]
    return []


def cropped(source, clip, variant):
    """Compares the middle part at points that are far from its borders."""
    part = variant.crop / source.aspect
    wide, high = (float(part), 1.0) if part < 1 else (1.0, float(1 / part))
    wrong = 0
    for across in (0.25, 0.4, 0.6, 0.75):
        for down in (0.25, 0.45, 0.6, 0.75):
            x = int((0.5 + (across - 0.5) * wide) * source.width)
            y = int((0.5 + (down - 0.5) * high) * source.height)
            here, there = 3 * (y * source.width + x), 3 * (int(down * clip.height) * clip.width + int(across * clip.width))
            wrong += not close(source.first[here:here + 3], clip.first[there:there + 3], 30)
    return [f"crop: {wrong} of 16 points show something else"] if wrong > 2 else []


def name(frame):
    first, second = frame.numbers
    return str(first) if first == second else f"{first}/{second}"


def several(frames):
    names = [name(f) for f in frames]
    return " ".join(names if len(names) <= 40 else names[:20] + ["..."] + names[-19:])


def each(source, clip):
    """Expects every frame once if the rate is constant, and otherwise no frame out of order."""
    wanted, times = source.frames, source.times
    if not source.lasts[0] and len(clip.frames) == len(wanted) - 1:
        wanted = wanted[:-1]  # the last frame of a cut source may be incomplete
    steps = [b - a for a, b in zip(times, times[1:])]
    if not steps or max(steps) - min(steps) <= max(2 * source.tick, Fraction(1, 900)):
        if len(clip.frames) != len(wanted):
            return [f"each: {len(clip.frames)} frames, should be {len(wanted)}: {several(clip.frames)}"]
        for i, (a, b) in enumerate(zip(wanted, clip.frames)):
            if not alike(a, b):
                return [f"each: frame {i} is {name(b)}, should be {name(a)}: {several(clip.frames)}"]
        return []
    index = 0
    for k, frame in enumerate(clip.frames):
        while index < len(source.frames) and not alike(source.frames[index], frame):
            index += 1
        if index == len(source.frames):
            return [f"each: frame {k} shows {name(frame)}, out of order: {several(clip.frames)}"]
    return []


def rendered(source, clip, variant, joined):
    times = [float(t) for t in clip.times]
    # Of a single frame, Matroska states no rate, and the clip is as long as that frame.
    step = min((b - a for a, b in zip(times, times[1:]) if b > a), default=max(float(clip.lasts[0]), *clip.lengths))
    speed_at_joint = 0.25 if isinstance(variant.speed, list) else float(variant.speed)
    slack = step * 0.76 + 0.002 + (float(source.lasts[0]) / speed_at_joint if joined else 0)
    starts = [placed(variant, t) for t in source.times]
    last_ends = [placed(variant, e) for e in source.lengths]
    if variant.end is not None:
        limit = placed(variant, variant.end)
        last_ends = [min(e, limit) for e in last_ends]
    stops = [max(b, a) for a, b in zip(starts, starts[1:])] + [max(last_ends)]
    if not any(abs(length - e) <= step * 1.01 + slack * joined + 0.002 for e in last_ends for length in clip.lengths):
        return [f"length: {clip.lengths[0]:.4f} s, should be {' or '.join(f'{e:.4f}' for e in last_ends)}; shows {several(clip.frames)}"]
    for k, (time, frame) in enumerate(zip(times, clip.frames)):
        allowed = [i for i in range(len(starts)) if starts[i] - slack <= time <= stops[i] + slack]
        if not any(alike(source.frames[i], frame) for i in allowed):
            should = several([source.frames[i] for i in allowed]) or "nothing"
            return [f"frame {k} at {time:.4f} s shows {name(frame)}, should be {should}: {several(clip.frames)}"]
    for i, (start, stop) in enumerate(zip(starts, stops)):
        start, stop = max(start, 0), min(stop, min(last_ends))
        if stop - start < 2 * step + 2 * slack * joined:
            continue
        near = range(bisect.bisect_left(times, start - slack), bisect.bisect_right(times, stop + slack))
        if not any(alike(source.frames[i], clip.frames[k]) for k in near):
            return [f"missing: {name(source.frames[i])} from {start:.4f} s to {stop:.4f} s: {several(clip.frames)}"]
    return []


def kept_codec(source, clip):
    for what, before, after in zip(("codec", "profile", "tag"), source.codec, clip.codec):
        if before is not None and after is not None and before != after:
            return [f"copy: the {what} is {after}, should be {before}"]
    return []


def copied(source, clip, variant, joined):
    first = 0
    if variant.start or variant.end is not None:
        while first < len(source.frames) and not alike(source.frames[first], clip.frames[0]):
            first += 1
        if first == len(source.frames):
            return [f"copy: begins with {name(clip.frames[0])}, which the source does not show"]
        beyond = first + len(clip.frames)
        if first and source.times[first] > variant.start:
            return [f"copy: begins at {float(source.times[first]):.4f} s, after --in: {several(clip.frames)}"]
        if beyond < len(source.frames) and source.times[beyond] < variant.end - Fraction(1, 1000):
            return [f"copy: ends at {float(source.times[beyond]):.4f} s, before --out: {several(clip.frames)}"]
        # libavformat calls every packet of these codecs a keyframe.
        is_told = source.codec[0] not in ("h261", "h263")
        if is_told and all(source.keys) and len(source.keys) == len(source.times):
            visible = [t for t in source.times if t <= variant.start]
            if source.times[first] < visible[-1]:
                return [f"copy: begins with {name(clip.frames[0])}, too early though all are keyframes"]
            if source.times[beyond - 1] >= variant.end + Fraction(1, 1000):
                return [f"copy: ends with {name(clip.frames[-1])}, too late though all are keyframes"]
    else:
        beyond = len(source.frames)
    part = source.frames[first:beyond]
    if len(part) != len(clip.frames):
        return [f"copy: {len(clip.frames)} frames, should be {len(part)}: {several(clip.frames)}"]
    for i, (a, b) in enumerate(zip(part, clip.frames)):
        if not alike(a, b):
            return [f"copy: frame {i} is {name(b)}, should be {name(a)}: {several(clip.frames)}"]
    slack = float(clip.tick) * 1.01 + 2e-6 + (float(source.lasts[0]) / 0.2 if joined else 0)
    slack += float(source.tick) / (0.25 if isinstance(variant.speed, list) else float(variant.speed))
    origin = placed(variant, source.times[first])
    for i, time in enumerate(clip.times):
        should = placed(variant, source.times[first + i]) - origin
        if abs(float(time) - should) > slack:
            return [f"copy: frame {i} ({name(clip.frames[i])}) at {float(time):.6f} s, should be {should:.6f} s"]
    if beyond < len(source.frames):
        should = [placed(variant, source.times[beyond]) - origin]
    else:
        should = [placed(variant, e) - origin for e in source.lengths]
    if clip.container == "nut":  # it does not state the length of its last frame
        return []
    rough = max(slack, 0.0011 if clip.tick >= Fraction(1, 1000) else 0)
    if not any(abs(length - e) <= rough for e in should for length in clip.lengths):
        return [f"copy: lasts {clip.lengths[0]:.6f} s, should be {' or '.join(f'{e:.6f}' for e in should)}"]
    return []


def fields(source, clip):
    """Expects a frame for each field, in the order of capture. The lines between the field's own may show the fields before
    and after."""
    expected = sorted({n for frame in source.frames for n in frame.numbers if n is not None})
    place, seen = 0, set()
    for k, frame in enumerate(clip.frames):
        there = [i for i in range(place, min(place + 3, len(expected))) if expected[i] in frame.numbers]
        if not there:
            return [f"fields: frame {k} shows {name(frame)}, should be {expected[place]} or one after it: {several(clip.frames)}"]
        place = min([i for i in there if i not in seen] or there)
        seen.add(place)
    # A field may be missing at either end or between two frames of the clip, but not half of them.
    missing = [n for i, n in enumerate(expected) if i not in seen]
    if len(missing) > max(1, len(expected) // 8):
        return [f"fields: {missing} missing: {several(clip.frames)}"]
    return []


def colours(source, clip, delta=DELTA):
    """Compares the patches, converted to RGB by the tags, and the tags that do not affect RGB."""
    found = []
    for b in (clip.frames[0], clip.frames[-1]):
        kin = [f for f in source.frames if alike(f, b)] or [b if source.way is None else source.frames[0]]
        # Without numbers, several frames are alike.
        a = min(kin, key=lambda f: sum(abs(p - q) for one, other in zip(f.patches, b.patches) for p, q in zip(one, other)))
        for i, (one, other) in enumerate(zip(a.patches, b.patches)):
            if not close(one, other, delta):
                found.append(f"colour: patch {i} is {rounded(other)}, should be {rounded(one)}"
                             f" (source {told(source)}, clip {told(clip)})")
                return found
    equals = [{"smpte170m", "bt709", "bt2020-10", "bt2020-12", "bt470bg", "bt470m", None}, {"gamma22", None}, {"gamma28", None}]
    before, after = source.tags["color_transfer"], clip.tags["color_transfer"]
    if before != after and before is not None and not any(before in k and after in k for k in equals):
        found.append(f"tags: transfer {after}, should be {before}")
    before, after = source.tags["color_primaries"], clip.tags["color_primaries"]
    if before != after and before is not None and {before, after} not in [{"smpte170m", "smpte240m"}]:
        found.append(f"tags: primaries {after}, should be {before}")
    return found


def rounded(colour):
    return tuple(round(c) for c in colour)


def told(shown):
    return f"{shown.tags['layout']} {shown.tags['color_space']} {shown.tags['color_range']}, {shown.height} rows"


def light(source, clip):
    found = []
    for kind, value in source.light.items():
        other = clip.light.get(kind)
        if other is None:
            found.append(f"light: {kind} is missing")
        elif kind == "light" and other != value or kind == "mastering" and any(
                abs(other.get(k, -1) - v) > max(0.001, abs(v) * 0.001) for k, v in value.items()):
            found.append(f"light: {kind} is {other}, should be {value}")
    return found


def audio(source, clip, variant):
    """Expects each click at its place, to within a frame of the clip and an audio packet."""
    if not clip.has_audio:
        return ["audio: none"]
    length = clip.lengths[0]
    slack = 0.03 + (0.03 if variant.speed != 1 else 0)
    for click in source.clicks:
        should = placed(variant, click)
        if not 0.02 <= should <= length - 0.06:
            continue
        nearest = min(clip.clicks, key=lambda c: abs(float(c) - should), default=None)
        if nearest is None or abs(float(nearest) - should) > slack:
            return [f"audio: a click at {float(nearest) if nearest is not None else math.nan:.3f} s,"
                    f" should be at {should:.3f} s (of {[round(float(c), 3) for c in clip.clicks]})"]
    return []
