"""The frame strip: the number that each simulated frame carries (docs/simulated-camera.md)."""

import subprocess

CELLS = 32


def number(bits):
    """The number of 32 bits, `None` where their checksum does not match."""
    word = 0
    for bit in bits:
        word = word << 1 | (1 if bit else 0)
    kept, check = word >> 8, word & 0xFF
    register = 0
    for byte in kept.to_bytes(3, "big"):
        register ^= byte
        for _ in range(8):
            register = (register << 1 ^ 0x07) & 0xFF if register & 0x80 else register << 1 & 0xFF
    return kept if register == check else None


def numbers(film):
    """The numbers of all frames of a film, as ffmpeg decodes it."""
    size = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width", "-of", "csv=p=0", film],
        check=True, capture_output=True, text=True).stdout
    width = int(size.strip().strip(","))
    cell = 8 * max(1, width // 256)
    rows = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", film, "-map", "0:v:0", "-vf", f"format=gray,crop={CELLS * cell}:2:0:{cell // 2 // 2 * 2}",
         "-fps_mode", "passthrough", "-f", "rawvideo", "-"],
        check=True, capture_output=True).stdout
    length = CELLS * cell * 2
    return [
        number([rows[start + index * cell + cell // 2] > 126 for index in range(CELLS)])
        for start in range(0, len(rows), length)
    ]
