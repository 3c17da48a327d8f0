#!/usr/bin/env python3
"""Tells which frames of the simulated camera are missing in films, by the numbers in their pixels.

usage: count-missing.py FILM...
"""

import sys

sys.dont_write_bytecode = True
import frame_strip

if not sys.argv[1:]:
    sys.exit(__doc__)
for path in sys.argv[1:]:
    found, _ = frame_strip.read(path)
    readable = [number for number in found if number is not None]
    gaps = sorted((b - a - 1 for a, b in zip(readable, readable[1:]) if b > a + 1), reverse=True)
    print(f"{path}: {len(found)} frames, {len(found) - len(readable)} unreadable, {sum(gaps)} missing"
          f" in {len(gaps)} places, the largest gaps {gaps[:5]}, {sum(b <= a for a, b in zip(readable, readable[1:]))} repeated")
