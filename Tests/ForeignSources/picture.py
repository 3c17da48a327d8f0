"""The pictures of the corpus: each has its number in a strip of black and white cells, and eight patches of colour below
it. The number can be read after any codec, in any of the eight orientations of a picture, and for each field alone.

Pictures too small for a strip are plain grey, and their brightness is the number."""
import functools

CELLS = 16  # 1101, eight bits of number, four of check
PATCHES = [(201, 30, 30), (30, 160, 40), (40, 50, 200), (235, 235, 235),
           (200, 190, 40), (40, 170, 180), (120, 120, 120), (180, 40, 170)]
UPRIGHT = (False, False, False)
WAYS = [(turned, across, down) for turned in (False, True) for across in (False, True) for down in (False, True)]


def has_strip(width, height):
    return width >= 96 and height >= 48


def code(number):
    number %= 256
    check = (number ^ (number >> 4) ^ 0b0110) * 7 & 15
    return 0b1101 << 12 | number << 4 | check


def _row(width, colours, starts):
    row = b""
    for colour, start, end in zip(colours, starts, starts[1:] + [width]):
        row += bytes(colour) * (end - start)
    return row


def strip_row(width, number):
    cell = width // CELLS
    bits = [code(number) >> (CELLS - 1 - i) & 1 for i in range(CELLS)]
    return _row(width, [(255,) * 3 if bit else (0,) * 3 for bit in bits] + [(0,) * 3], [i * cell for i in range(CELLS + 1)])


@functools.lru_cache(8)
def patch_rows(width, height):
    rows, top = [], height // 4
    starts = [width * i // 4 for i in range(4)]
    for y in range(top, height):
        line = min((y - top) * 2 // (height - top), 1)
        rows.append(_row(width, PATCHES[line * 4:line * 4 + 4], starts))
    return b"".join(rows)


def paint(width, height, number, second=None):
    """Returns a picture as RGB. `second` is the number in its odd lines, for two fields in one frame."""
    if not has_strip(width, height):
        return bytes([40 + 25 * (number % 8)] * 3) * (width * height)
    even, odd = strip_row(width, number), strip_row(width, number if second is None else second)
    return b"".join(odd if y % 2 else even for y in range(height // 4)) + patch_rows(width, height)


class Reader:
    """Reads pictures of one size, as RGB. All of them have the same one of the eight orientations."""

    def __init__(self, width, height):
        self.width, self.height = width, height

    def _offset(self, way, across, down):
        """Returns the offset of a point, given in pixels of the upright picture."""
        turned, mirrored, flipped = way
        x, y = (down, across) if turned else (across, down)
        if mirrored:
            x = self.width - 1 - x
        if flipped:
            y = self.height - 1 - y
        return 3 * (y * self.width + x)

    def _sides(self, way):
        return (self.height, self.width) if way[0] else (self.width, self.height)

    @functools.lru_cache(64)
    def _cells(self, way, parity):
        width, height = self._sides(way)
        cell, top = width // CELLS, height // 4
        lines = [y for y in range(top // 4, max(top * 3 // 4, top // 4 + 2)) if y % 2 == parity][:6]
        columns = sorted({cell // 2 - 1, cell // 2, cell // 2 + 1})
        return [[self._offset(way, i * cell + x, y) for x in columns for y in lines] for i in range(CELLS)]

    @functools.lru_cache(16)
    def _patches(self, way):
        width, height = self._sides(way)
        top, places = height // 4, []
        for line in range(2):
            for column in range(4):
                points = []
                for dx in (-0.12, 0, 0.12):
                    for dy in (-0.12, 0, 0.12):
                        x = (column + 0.5 + dx) * width / 4
                        y = top + (line + 0.5 + dy) * (height - top) / 2
                        points.append(self._offset(way, int(x), int(y)))
                places.append(points)
        return places

    def _field(self, data, way, parity):
        value = 0
        for offsets in self._cells(way, parity):
            mean = sum(data[o] + data[o + 1] + data[o + 2] for o in offsets) / (3 * len(offsets))
            value = value << 1 | (mean > 127)
        number = value >> 4 & 255
        return number if value == code(number) else None

    def numbers(self, data, way):
        """Returns the numbers in the even lines and in the odd ones."""
        return self._field(data, way, 0), self._field(data, way, 1)

    def way(self, frames):
        """Returns the orientation in which most of these pictures can be read; None if none can be read."""
        best, most = None, 0
        for way in WAYS:
            if not has_strip(*self._sides(way)):
                continue
            count = sum(self.numbers(data, way) != (None, None) for data in frames)
            if count > most:
                best, most = way, count
        return best

    def patches(self, data, way):
        return [mean_colour(data, points) for points in self._patches(way)]

    @functools.lru_cache(4)
    def _grid(self, columns, rows):
        return [3 * (int((y + 0.5) * self.height / rows) * self.width + int((x + 0.5) * self.width / columns))
                for y in range(rows) for x in range(columns)]

    def grid(self, data, columns=8, rows=8):
        """Returns the colours at evenly spaced points."""
        return [(data[o], data[o + 1], data[o + 2]) for o in self._grid(columns, rows)]

    def brightness(self, data):
        """Returns the number of a picture that is too small for a strip."""
        grid = self.grid(data, 4, 4)
        return round((sum(c[1] for c in grid) / len(grid) - 40) / 25)


def mean_colour(data, offsets):
    return tuple(sum(data[o + i] for o in offsets) / len(offsets) for i in range(3))
