"""Makes the sources of the corpus with ffmpeg."""
import subprocess
from fractions import Fraction

import picture
import watch


class NotMade(Exception):
    pass


class Maker:
    """Makes one source, and remembers the commands, so that it can be made by hand."""

    def __init__(self):
        self.commands = []

    def ffmpeg(self, *arguments, pictures=None):
        command = ["ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y", *map(str, arguments)]
        if pictures is not None:
            command.remove("-nostdin")
        self.commands.append(" ".join(command))
        # Encoders with several threads would make different files on different machines.
        done = subprocess.run(command, input=pictures, capture_output=True, timeout=watch.LONGEST)
        if done.returncode:
            raise NotMade(done.stderr.decode(errors="replace")[-600:] + "\n" + " ".join(command))

    def write(self, source, path):
        width, height = source.size
        numbers = range(source.first, source.first + source.frames)
        if source.woven:
            order = (1, 0) if "bff" in source.filter else (0, 1)
            numbers = [(2 * n + order[0], 2 * n + order[1]) for n in numbers]
        pictures = b"".join(picture.paint(width, height, *(n if source.woven else (n,))) for n in numbers)
        command = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", source.rate, "-i", "pipe:0"]
        maps = ["-map", "0:v"]
        if source.audio:
            click = f"if(gte(t,{source.click})*lt(mod(t-{source.click},0.4),0.006),0.8*sin(2*PI*2000*t),0)"
            if source.delay:
                command += ["-itsoffset", source.delay]
            command += ["-f", "lavfi", "-i", f"aevalsrc='{click}':s=48000:d={source.length}"]
            maps += ["-map", "1:a"]
        more, further = source.more, source.maps
        if not source.audio:
            # The maps number the further input as if there were audio before it.
            further = [m.replace("2:", "1:") for m in further]
            further = ["1" if m == "2" and further[i - 1] == "-map_chapters" else m for i, m in enumerate(further)]
        command += more
        full = {"full": "full", "limited": "limited"}[source.range]
        is_yuv = source.layout.startswith(("yuv", "nv", "p0", "uyvy", "yuyv", "yvyu", "gray"))
        chain = f"scale=out_color_matrix={source.matrix}:out_range={full}:flags=bicubic+accurate_rnd+full_chroma_inp," if is_yuv else ""
        chain += f"format={source.layout}" if source.layout != "pal8" else "null"
        if source.filter:
            chain += "," + source.filter
        command += [*maps, *further, "-filter:v:0", chain, "-fps_mode:v:0", "passthrough", *source.encoder]
        if not any(o in source.encoder for o in ("-pix_fmt",)) and source.layout != "pal8":
            command += ["-pix_fmt:v:0", source.layout] if source.extension != "gif" else []
        command += source.audio.split() + ["-fflags", "+bitexact", path]
        self.ffmpeg(*command, pictures=pictures)


def make(source, folder):
    """Makes the source, and notes its commands. Returns the path of its file, or the pattern of its images."""
    maker = Maker()
    place = folder / source.name
    place.mkdir(parents=True, exist_ok=True)
    path = place / ("%04d." + source.extension if "images" in source.kinds else "source." + source.extension)
    try:
        (source.make or (lambda m, s, p: m.write(s, p)))(maker, source, path)
    except (OSError, ValueError, TypeError) as error:
        raise NotMade(f"{source.name}: {error!r}")
    for leftover in place.iterdir():
        if leftover.name.startswith(("part", "before", "field", "cover", "words", "chapters")):
            leftover.unlink()
    (place / "how.txt").write_text("\n".join(maker.commands) + "\n")
    return path
