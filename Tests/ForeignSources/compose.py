"""Sources that ffmpeg alone cannot write: edit lists, joined and cut files, and files of old programs."""
import copy, struct


def boxes(data, start=0, end=None):
    """Yields the place, kind and length of each box of a MOV or MP4."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        length, kind = struct.unpack(">I4s", data[start:start + 8])
        if length == 1:
            length = struct.unpack(">Q", data[start + 8:start + 16])[0]
        if length < 8:
            return
        yield start, kind, length
        start += length


def find(data, *path):
    start, end = 0, len(data)
    for kind in path:
        for place, found, length in boxes(data, start, end):
            if found == kind:
                start, end = place + 8, place + length
                break
        else:
            return None
    return start - 8, end


def rebuilt(data, path, content):
    """Returns a file with new content in a box. Its index must be at its end. A missing box is added as the first one."""
    place = find(data, *path)
    if place is None:
        parent = find(data, *path[:-1])
        place = parent[0] + 8, parent[0] + 8
    box = struct.pack(">I4s", len(content) + 8, path[-1]) + content
    grown = len(box) - (place[1] - place[0])
    for depth in range(1, len(path)):
        at = find(data, *path[:depth])[0]
        length = struct.unpack(">I", data[at:at + 4])[0]
        data = data[:at] + struct.pack(">I", length + grown) + data[at + 4:]
    return data[:place[0]] + box + data[place[1]:]


def plain(maker, source, path, **changes):
    """Writes the source with ffmpeg alone."""
    other = copy.copy(source)
    other.make = None
    for name, value in changes.items():
        setattr(other, name, value)
    maker.write(other, path)


def edited(edits):
    def make(maker, source, path):
        plain(maker, source, path)
        data = path.read_bytes()
        header = find(data, b"moov", b"mvhd")[0] + 8
        scale = struct.unpack(">I", data[header + 12:header + 16])[0]
        media = find(data, b"moov", b"trak", b"mdia", b"mdhd")[0] + 8
        ticks = struct.unpack(">I", data[media + 12:media + 16])[0]
        # The first picture is shown where ffmpeg's own list begins, after the delay for B-frames.
        own = find(data, b"moov", b"trak", b"edts", b"elst")
        first = struct.unpack(">i", data[own[0] + 20:own[0] + 24])[0] if own else 0
        entries = struct.pack(">II", 0, len(edits))
        for length, start in edits:
            entries += struct.pack(">IiI", round(length * scale), -1 if start < 0 else first + round(start * ticks), 1 << 16)
        box = struct.pack(">I4s", len(entries) + 8, b"elst") + entries
        path.write_bytes(rebuilt(data, (b"moov", b"trak", b"edts"), box))
    return make


def matrix(a, b, c, d):
    """Sets the track header's matrix, in whole numbers."""
    def make(maker, source, path):
        plain(maker, source, path)
        data = bytearray(path.read_bytes())
        at = find(data, b"moov", b"trak", b"tkhd")[0] + 8 + 40
        width, height = source.size
        x = width if a < 0 else height if c < 0 else 0
        y = height if d < 0 else width if b < 0 else 0
        values = (a << 16, b << 16, 0, c << 16, d << 16, 0, x << 16, y << 16, 1 << 30)
        data[at:at + 36] = struct.pack(">9i", *values)
        path.write_bytes(data)
    return make


def rotated(degrees):
    def make(maker, source, path):
        before = path.with_name("before." + source.extension)
        plain(maker, source, before)
        maker.ffmpeg("-i", before, "-map", "0", "-c", "copy", "-metadata:s:v:0", f"rotate={degrees}", path)
    return make


def joined(maker, source, path):
    """Writes two recordings into one file; the second one's times start again."""
    parts = []
    for i in range(2):
        part = path.with_name(f"part{i}.{source.extension}")
        # Ogg distinguishes chained streams by their numbers.
        numbered = ["-serial_offset", str(1000 * i)] if source.extension == "ogv" else []
        plain(maker, source, part, first=i * source.frames, encoder=source.encoder + numbered)
        parts.append(part.read_bytes())
    path.write_bytes(b"".join(parts))
    if source.extension == "ogv":
        # ffmpeg shows only the first part of a chain.
        listed = path.with_name("parts.txt")
        listed.write_text("".join(f"file part{i}.ogv\nduration {source.frames / float(source.rate)}\n" for i in range(2)))
        maker.ffmpeg("-f", "concat", "-i", listed, "-map", "0", "-c", "copy", path.with_name("shown.mkv"))


def joined_later(maker, source, path):
    """Writes two recordings into one file, the second an hour later."""
    first, second = path.with_name("part0.ts"), path.with_name("part1.ts")
    plain(maker, source, first)
    plain(maker, source, second, first=source.frames, encoder=source.encoder + ["-output_ts_offset", "3600"])
    path.write_bytes(first.read_bytes() + second.read_bytes())


def cut_by_copy(maker, source, path):
    before = path.with_name("before." + source.extension)
    plain(maker, source, before)
    maker.ffmpeg("-ss", "0.7", "-i", before, "-c", "copy", path)


def cut(part):
    def make(maker, source, path):
        plain(maker, source, path)
        data = path.read_bytes()
        path.write_bytes(data[:int(len(data) * part)])
    return make


def trailing_garbage(maker, source, path):
    plain(maker, source, path)
    path.write_bytes(path.read_bytes() + bytes(range(1, 251)) * 8)


def leading_garbage(maker, source, path):
    plain(maker, source, path)
    path.write_bytes(bytes(range(2, 200)) * 3 + path.read_bytes())


def ts_garbage(maker, source, path):
    """Adds bytes between packets, as from bad reception."""
    plain(maker, source, path)
    data = path.read_bytes()
    packets = [data[i:i + 188] for i in range(0, len(data), 188)]
    path.write_bytes(b"".join(p + (bytes(range(1, 60)) if i % 40 == 39 else b"") for i, p in enumerate(packets)))


def ts_204(maker, source, path):
    """Adds the sixteen bytes of error correction to each packet that some receivers keep."""
    plain(maker, source, path)
    data = path.read_bytes()
    path.write_bytes(b"".join(data[i:i + 188] + bytes(16) for i in range(0, len(data), 188)))


def avi_length(frames):
    """Writes an AVI whose headers state another number of frames."""
    def make(maker, source, path):
        plain(maker, source, path)
        data = bytearray(path.read_bytes())
        main = data.index(b"avih") + 8
        data[main + 16:main + 20] = struct.pack("<I", frames)
        stream = data.index(b"strh") + 8
        data[stream + 32:stream + 36] = struct.pack("<I", frames)
        path.write_bytes(data)
    return make


def avi_without_index(maker, source, path):
    plain(maker, source, path)
    data = path.read_bytes()
    data = data[:data.rindex(b"idx1")]
    path.write_bytes(data[:4] + struct.pack("<I", len(data) - 8) + data[8:])


def chunk(kind, content):
    return kind + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def avi(packets, width, height, rate, codec=b"MJPG"):
    """Returns an AVI with an index."""
    scale, ticks = 1, rate
    main = struct.pack("<14I", 1000000 // rate, 0, 0, 0x10, len(packets), 0, 1, 0, width, height, 0, 0, 0, 0)
    stream = b"vids" + codec + struct.pack("<IHHIIIIIIiI4H", 0, 0, 0, 0, scale, ticks, 0, len(packets), 0, -1, 0, 0, 0, width, height)
    layout = struct.pack("<IiiHH4sIiiII", 40, width, height, 1, 24, codec, width * height * 3, 0, 0, 0, 0)
    lists = chunk(b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", layout))
    header = chunk(b"LIST", b"hdrl" + chunk(b"avih", main) + lists)
    movie, index = b"movi", b""
    for packet in packets:
        index += b"00dc" + struct.pack("<III", 0x10, len(movie), len(packet))
        movie += chunk(b"00dc", packet)
    return chunk(b"RIFF", b"AVI " + header + chunk(b"LIST", movie) + chunk(b"idx1", index))


def jpegs(maker, source, folder, numbers, size):
    """Returns a JPEG for each number."""
    found = []
    other = copy.copy(source)
    other.make, other.woven, other.size, other.filter = None, False, size, ""
    for i, number in enumerate(numbers):
        other.first, other.frames, other.extension = number, 1, "jpg"
        other.encoder = ["-c:v", "mjpeg", "-q:v", "2", "-update", "1"]
        path = folder / f"field{i}.jpg"
        maker.write(other, path)
        found.append(path.read_bytes())
    return found


def avi1(polarity):
    """Writes two fields of half the height into each packet. Polarity 1 is the field with the even lines."""
    def make(maker, source, path):
        width, height = source.size
        fields = jpegs(maker, source, path.parent, range(source.frames * 2), (width, height // 2))
        packets = []
        for i in range(0, len(fields), 2):
            packet = b""
            for j, field in enumerate(fields[i:i + 2]):
                # Readers interpret the order of the two markers differently; grabbers wrote both orders.
                marker = b"\xff\xe0" + struct.pack(">H4sB", 16, b"AVI1", polarity if j == 0 else 3 - polarity) + bytes(9)
                packet += field[:2] + marker + field[2:]
            packets.append(packet)
        path.write_bytes(avi(packets, width, height, int(source.rate)))
    return make


def avi_with_dropped(maker, source, path):
    """Writes empty chunks, which repeat the frame before."""
    pictures = jpegs(maker, source, path.parent, range(12), source.size)
    packets = []
    for i, picture in enumerate(pictures):
        packets += [picture] + [b""] * (i % 3)
    path.write_bytes(avi(packets, *source.size, 24))


def equal_times(maker, source, path):
    """Gives every third picture the time of the one before."""
    before = path.with_name("before.mkv")
    plain(maker, source, before, extension="mkv")
    maker.ffmpeg("-i", before, "-c", "copy", "-bsf:v", "setts=ts=PTS-eq(mod(N\\,3)\\,2)*42", path)


def long_last(maker, source, path):
    """Writes B-frames and a last frame of two more seconds."""
    plain(maker, source, path)
    if source.extension == "mkv":
        return
    data = path.read_bytes()
    place = find(data, b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stts")
    table = data[place[0] + 8:place[1]]
    count = struct.unpack(">I", table[4:8])[0]
    entries = [struct.unpack(">II", table[8 + 8 * i:16 + 8 * i]) for i in range(count)]
    media = find(data, b"moov", b"trak", b"mdia", b"mdhd")[0] + 8
    ticks = struct.unpack(">I", data[media + 12:media + 16])[0]
    more = 2 * ticks
    frames, length = entries.pop()
    if frames > 1:
        entries.append((frames - 1, length))
    entries.append((1, length + more))
    content = struct.pack(">II", 0, len(entries)) + b"".join(struct.pack(">II", *e) for e in entries)
    data = bytearray(rebuilt(data, (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stts"), content))
    scale_at = find(data, b"moov", b"mvhd")[0] + 8 + 12
    scale = struct.unpack(">I", data[scale_at:scale_at + 4])[0]
    # The lengths that the track, the media and the edit list state.
    for path_of, at, per in (((b"moov", b"mvhd"), 16, scale), ((b"moov", b"trak", b"tkhd"), 20, scale), ((b"moov", b"trak", b"mdia", b"mdhd"), 16, ticks),
                             ((b"moov", b"trak", b"edts", b"elst"), 8, scale)):
        found = find(data, *path_of)
        if found:
            at += found[0] + 8
            data[at:at + 4] = struct.pack(">I", struct.unpack(">I", data[at:at + 4])[0] + 2 * per)
    path.write_bytes(data)


def with_attachment(maker, source, path):
    cover = path.with_name("cover.jpg")
    maker.ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64:d=0.04,format=yuvj420p", "-frames:v", "1", "-update", "1", cover)
    plain(maker, source, path, encoder=source.encoder + ["-attach", str(cover), "-metadata:s:t", "mimetype=image/jpeg"])


def with_subtitles(maker, source, path):
    words = path.with_name("words.srt")
    words.write_text("1\n00:00:00,100 --> 00:00:00,500\nFirst\n\n2\n00:00:00,500 --> 00:00:00,900\nSecond\n")
    plain(maker, source, path, more=["-i", str(words)], maps=["-map", "2:s"])


def with_chapters(maker, source, path):
    told = path.with_name("chapters.txt")
    told.write_text(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=One\n"
                    "[CHAPTER]\nTIMEBASE=1/1000\nSTART=400\nEND=1000\ntitle=Two\n")
    plain(maker, source, path, more=["-i", str(told)], maps=["-map_chapters", "2"])
