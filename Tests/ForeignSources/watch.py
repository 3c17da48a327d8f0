"""Decodes a video with ffmpeg: each frame with its time, number and colours, and the times of clicks."""
import array, json, os, pathlib, re, subprocess, tempfile
from dataclasses import dataclass
from fractions import Fraction

import picture

LONGEST = 300  # seconds until a program counts as hanging, even on a busy machine


class Unwatchable(Exception):
    pass


@dataclass
class Frame:
    time: Fraction
    numbers: tuple  # in even and odd lines; None if they cannot be read
    patches: list
    grid: list


@dataclass
class Shown:
    frames: list
    width: int
    height: int
    aspect: Fraction
    way: tuple
    lasts: list  # the possible lengths of the last frame
    ends: list  # the ends of the video that the file states
    tick: Fraction
    tags: dict
    light: dict  # mastering display and light level
    interlaced: bool
    keys: list
    clicks: list
    has_audio: bool
    first: bytes
    container: str = ""
    codec: tuple = ()  # the codec, its profile, and its tag in MOV and MP4

    @property
    def lengths(self):
        """The possible lengths: those that its container states, or else those by its last frame."""
        return sorted({float(e) for e in self.ends} or {float(self.times[-1] + last) for last in self.lasts})

    @property
    def times(self):
        return [frame.time - self.frames[0].time for frame in self.frames]

    def pace(self, interval):
        """Spaces the frames evenly from the start of the file."""
        first = self.frames[0].time
        self.clicks = [click + first for click in self.clicks]
        for number, frame in enumerate(self.frames):
            frame.time = number * interval


def run(command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, timeout=LONGEST, **more)


def fraction(text, default=None):
    try:
        return Fraction(str(text).replace(":", "/"))
    except (ValueError, ZeroDivisionError):
        return default


def probe(path, inputs, stream):
    """Returns ffprobe's description of the stream, its packets and its frames."""
    done = run(["ffprobe", "-v", "error", *inputs, "-select_streams", stream, "-show_streams", "-show_packets",
                "-show_frames", "-show_format", "-of", "json", path])
    try:
        told = json.loads(done.stdout)
    except ValueError:
        raise Unwatchable("ffprobe: " + done.stderr.decode(errors="replace")[-300:])
    streams = [s for s in told.get("streams", []) if s.get("codec_type") == "video"]
    if not streams:
        raise Unwatchable("ffprobe sees no video: " + done.stderr.decode(errors="replace")[-300:])
    told["video"] = streams[0]
    mixed = told.get("packets_and_frames", [])
    told["packets"] = [one for one in mixed if one["type"] == "packet" and "D" not in one["flags"]]
    told["frames"] = [one for one in mixed if one["type"] == "frame"]
    return told


KIN = {"smpte170m": "bt601", "bt470bg": "bt601", "fcc": "bt601", "bt2020nc": "bt2020", "bt2020c": "bt2020"}


def tags_of(stream, frame):
    """Returns the colours' tags, with players' assumptions for missing ones."""
    tags = {}
    for name in ("color_range", "color_space", "color_transfer", "color_primaries"):
        value = stream.get(name) or frame.get(name)
        tags[name] = None if value in (None, "unknown", "reserved", "unspecified") else value
    layout = stream.get("pix_fmt") or frame.get("pix_fmt") or ""
    tags["layout"] = layout
    is_rgb = re.match(r"(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|x2rgb|mono)", layout)
    tags["full"] = is_rgb is not None or tags["color_range"] == "pc" or (layout.startswith("yuvj") and tags["color_range"] != "tv")
    if layout.startswith("gray") and tags["color_range"] is None:
        tags["full"] = True  # as in sensors, images and ffmpeg
    rows = stream.get("height", 0)
    matrix = tags["color_space"]
    if matrix in (None, "gbr"):
        matrix = "bt709" if rows >= 720 else "bt601"
    tags["matrix"] = {"smpte170m": "bt601", "bt470bg": "bt601", "bt2020nc": "bt2020", "bt2020c": "bt2020"}.get(matrix, matrix)
    return tags


def widened(colours):
    """Converts grey of limited range to full range. ffmpeg's scaler treats all grey as full range, whatever its tags."""
    return [tuple(min(max((c - 16) * 255 / 219, 0), 255) for c in colour) for colour in colours]


def light_of(stream, frame):
    found = {}
    for data in stream.get("side_data_list", []) + frame.get("side_data_list", []):
        kind = data.get("side_data_type", "")
        if "astering display" in kind:
            found["mastering"] = {k: float(fraction(v, 0)) for k, v in data.items() if k != "side_data_type"}
        elif "ontent light" in kind and data.get("max_content"):
            found["light"] = (data.get("max_content"), data.get("max_average"))
    return found


def watch(path, inputs=(), stream="V:0", hears=True):
    """Returns the frames of a file as ffmpeg decodes them, and its audio if `hears`. `inputs` are options before its name."""
    told = probe(path, inputs, stream)
    video, probed = told["video"], [f for f in told["frames"] if f.get("media_type") == "video"]
    tags = tags_of(video, probed[0] if probed else {})
    is_grey = tags["layout"].startswith("gray")
    source_range = "full" if tags["full"] or is_grey else "limited"
    convert = (f"showinfo,scale=in_color_matrix={tags['matrix']}:in_range={source_range}:out_range=full"
               ":flags=bicubic+accurate_rnd+full_chroma_int,format=rgb24")
    with tempfile.TemporaryDirectory() as folder:
        heard = pathlib.Path(folder) / "audio"
        shows = ["ffmpeg", "-nostdin", "-nostats", "-hide_banner", *inputs, "-i", path, "-map", "0:" + stream,
                 "-fps_mode", "passthrough", "-vf", convert, "-f", "rawvideo", "pipe:1"]
        plays = ["-map", "0:a:0", "-af", "ashowinfo", "-ac", "1", "-ar", "48000", "-f", "s16le", heard]
        done = run(shows + (plays if hears else []))
        if hears and b"matches no streams" in done.stderr:
            done = run(shows)
        log = done.stderr.decode(errors="replace")
        samples = array.array("h")
        if heard.exists():
            data = heard.read_bytes()
            samples.frombytes(data[:len(data) // 2 * 2])
    shown = parse(log, done.stdout, samples)
    if not shown["pictures"]:
        raise Unwatchable("ffmpeg shows nothing: " + log[-300:])
    width, height = shown["size"]
    reader = picture.Reader(width, height)
    pictures = shown["pictures"]
    way = reader.way(pictures)
    frames = []
    for time, data in zip(shown["times"], pictures):
        if way is not None:
            frames.append(Frame(time, reader.numbers(data, way), reader.patches(data, way), reader.grid(data)))
        else:
            small = not picture.has_strip(width, height) and not picture.has_strip(height, width)
            number = reader.brightness(data) if small else None
            grid = reader.grid(data)
            frames.append(Frame(time, (number, number), grid, grid))
    if is_grey and not tags["full"]:
        for frame in frames:
            frame.patches, frame.grid = widened(frame.patches), widened(frame.grid)
    rate = fraction(video.get("r_frame_rate")) or fraction(video.get("avg_frame_rate")) or Fraction(25)
    lasts, ends = [], stated_ends(told, video, frames)
    if probed:
        known = fraction(probed[-1].get("pkt_duration_time") or probed[-1].get("duration_time"))
        if known:
            lasts.append(known)
    if len(frames) > 1 and frames[-1].time > frames[-2].time:
        lasts.append(frames[-1].time - frames[-2].time)
    lasts.append(1 / rate)
    if len(frames) > 1 and frames[-1].time > frames[0].time:
        lasts.append((frames[-1].time - frames[0].time) / (len(frames) - 1))
    return Shown(frames, width, height, Fraction(width, height) * shown["sar"], way, lasts, ends, shown["tick"], tags,
                 light_of(video, probed[0] if probed else {}),
                 any(int(f.get("interlaced_frame", 0)) for f in probed),
                 ["K" in packet["flags"] for packet in told["packets"]],  # decoders call all frames of some codecs keyframes
                 [c - frames[0].time for c in shown["clicks"]], bool(samples), pictures[0],
                 told.get("format", {}).get("format_name", ""), codec_of(told, video))


def codec_of(told, video):
    is_movie = told.get("format", {}).get("filename", "").endswith((".mov", ".mp4", ".m4v"))
    return video.get("codec_name"), video.get("profile"), video.get("codec_tag_string") if is_movie else None


def stated_ends(told, video, frames):
    """Returns the video's end, from its first frame on, if its container states it exactly."""
    kind = told.get("format", {}).get("format_name", "")
    if "mov" in kind:
        length = fraction(video.get("duration"))
    elif "matroska" in kind and "DURATION" in video.get("tags", {}):
        hours, minutes, seconds = video["tags"]["DURATION"].split(":")
        length = int(hours) * 3600 + int(minutes) * 60 + Fraction(seconds)
    else:
        length = None
    last = frames[-1].time - frames[0].time
    start = fraction(video.get("start_time"), 0)
    return [e for e in {length, length - start, length - frames[0].time} if e > last] if length else []


def parse(log, raw, samples):
    """Parses the output of ffmpeg's showinfo and ashowinfo. Returns it with the pictures and clicks."""
    tick, times, size, sar, audio, audio_tick = None, [], None, Fraction(1), [], None
    for line in log.splitlines():
        # Another thread's words may stand before it, in place of the filter's name.
        if told := re.search(r"config in time_base: (\d+/\d+)", line):
            tick = Fraction(told[1])
        elif "Parsed_showinfo" in line and " pts:" in line:
            pts = re.search(r"pts: *(\S+)", line)[1]
            times.append(None if pts == "NOPTS" else int(pts) * tick)
            wide = re.search(r" s:(\d+)x(\d+)", line)
            size = size or (int(wide[1]), int(wide[2]))
            if len(times) == 1:
                shape = re.search(r"sar:(\d+)/(\d+)", line)
                if int(shape[1]) and int(shape[2]):
                    sar = Fraction(int(shape[1]), int(shape[2]))
        elif "Parsed_ashowinfo" in line and " pts:" in line:
            found = re.search(r"pts:(-?\d+) pts_time:\S+ .*rate:(\d+) nb_samples:(\d+)", line)
            if found:
                audio.append((Fraction(int(found[1]), int(found[2])), Fraction(int(found[3]), int(found[2]))))
    pictures = []
    if size:
        length = size[0] * size[1] * 3
        pictures = [raw[i:i + length] for i in range(0, len(raw) - length + 1, length)]
    times = times[:len(pictures)]
    for i, time in enumerate(times):
        if time is None:
            times[i] = times[i - 1] + Fraction(1, 25) if i else Fraction(0)
    return {"tick": tick or Fraction(1, 1000), "times": times, "size": size, "sar": sar, "pictures": pictures,
            "clicks": clicks(audio, samples)}


def clicks(audio, samples):
    """Returns the starts of clicks: where the audio becomes loud after 50 ms of silence."""
    found, position, quiet = [], Fraction(0), 10**6
    loud = max((abs(s) for s in samples), default=0) // 3
    if loud < 1500:
        return []
    starts = []
    for time, length in audio:
        starts.append((position, time))
        position += length
    index = 0
    for i, sample in enumerate(samples):
        if sample > loud or sample < -loud:
            if quiet > 2400:
                place = Fraction(i, 48000)
                while index + 1 < len(starts) and starts[index + 1][0] <= place:
                    index += 1
                if starts:
                    found.append(starts[index][1] + place - starts[index][0])
            quiet = 0
        else:
            quiet += 1
    return found
