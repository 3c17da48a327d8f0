"""The frame strip: the number that each simulated frame carries (docs/simulated-camera.md)."""

import subprocess

CELLS = 32
# One pixel for each cell of the strip: the mean of the cell.
FILTER = (f"crop={CELLS}*8*max(1\\,floor(iw/256)):8*max(1\\,floor(iw/256)):0:0,"
          f"scale={CELLS}:1:flags=area,format=gray")


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
            register = (register << 1 ^ (0x07 if register & 0x80 else 0)) & 0xFF
    return kept if register == check else None


def read(film):
    """The numbers of all frames of a film, and what ffmpeg complained of while it decoded them."""
    decoded = subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-i", film, "-map", "0:v:0", "-vf", FILTER,
         "-fps_mode", "passthrough", "-f", "rawvideo", "-"], capture_output=True)
    found = [number(cell > 126 for cell in decoded.stdout[start:start + CELLS])
             for start in range(0, len(decoded.stdout), CELLS)]
    return found, decoded.stderr.decode(errors="replace")


def numbers(film):
    """The numbers of all frames of a film that ffmpeg decodes without a complaint."""
    found, complaint = read(film)
    if complaint:
        raise ValueError(f"{film}: {complaint}")
    return found
