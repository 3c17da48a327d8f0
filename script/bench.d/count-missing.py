#!/usr/bin/env python3
"""Tells which frames of the simulated camera are missing in films of 1280x720, by the numbers in their pixels.

usage: count-missing.py FILM...
"""

import subprocess
import sys

CELL = 40


def crc8(data):
    remainder = 0
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = (remainder << 1 ^ (0x07 if remainder & 0x80 else 0)) & 0xFF
    return remainder


def number(cells):
    bits = int("".join("1" if cell > 128 else "0" for cell in cells), 2).to_bytes(4, "big")
    return int.from_bytes(bits[:3], "big") if crc8(bits[:3]) == bits[3] else None


def numbers(path):
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", path, "-vsync", "passthrough"]
    command += ["-vf", f"crop={32 * CELL}:{CELL}:0:0,scale=32:1:flags=area,format=gray", "-f", "rawvideo", "-"]
    pixels = subprocess.run(command, check=True, capture_output=True).stdout
    return [number(pixels[start : start + 32]) for start in range(0, len(pixels), 32)]


if not sys.argv[1:]:
    sys.exit(__doc__)
for path in sys.argv[1:]:
    found = numbers(path)
    readable = [number for number in found if number is not None]
    gaps = sorted((b - a - 1 for a, b in zip(readable, readable[1:]) if b > a + 1), reverse=True)
    print(f"{path}: {len(found)} frames, {len(found) - len(readable)} unreadable, {sum(gaps)} missing"
          f" in {len(gaps)} places, the largest gaps {gaps[:5]}, {sum(b <= a for a, b in zip(readable, readable[1:]))} repeated")
