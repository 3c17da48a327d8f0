#!/usr/bin/env python3
"""Makes stand-ins for the libraries that libav loads and no test calls, and prints their folder.

usage: stand_ins.py

Debian's libav brings some hundred libraries with it, for subtitles, jukeboxes and remote file systems. To load them is
most of what a short run of ffmpeg or of the tool costs: 75 ms of processor time, 13 with stand-ins, and seconds in an
emulated machine. A stand-in has the symbols that the libraries beside it look for. Whoever calls one of them crashes.

The tests take the folder from OVERCRANK_STAND_INS. Only ffmpeg, ffprobe and the tool load from it, in the tests and in
foreign-films. It is made anew when a library changes.
"""

import hashlib
import os
import pathlib
import re
import subprocess
import tempfile

# What runs: libav itself, the codecs of the tests, two libraries that are asked what a file is, and what those need.
KEPT = r"""
    aom asound ass av\w+ brotli\w* bz2 c dav1d dl expat fftw3 fontconfig freetype fribidi gcc_s glib gme graphite2
    gsm harfbuzz lzma m mp3lame mpg123 numa ogg openjp2 openmpt opus pcre2-8 png16 postproc pthread rt rubberband
    samplerate sharpyuv shine snappy speex stdc\+\+ SvtAv1Enc sw\w+ theora\w* turbojpeg twolame uuid vorbis\w* vpx
    webp\w* x264 x265 xvidcore z zimg
""".split()
RUNS = re.compile(rf"(ld-linux|lib({'|'.join(KEPT)}))[-.]")
PROGRAMS = ["/usr/bin/ffmpeg", "/usr/bin/ffprobe"]
# ffmpeg starts this library, whether it needs a network or not.
STARTED = re.compile(r"gnutls_global_(de)?init")


def read(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def loaded(file):
    """Libraries that are loaded with a file, by name and path."""
    return dict(re.findall(r"^\s*(\S+) => (/\S+)", read("ldd", file), re.M))


def needed(file):
    """The names of the libraries that a file itself asks for."""
    return re.findall(r"NEEDED.*\[(.+)\]", read("readelf", "--dynamic", "--wide", file))


def symbols(file):
    """The symbols that a file looks for, and those that it has: (name, version), with the kind and the size."""
    wanted, had = set(), {}
    for line in read("readelf", "--dyn-syms", "--wide", file).splitlines():
        words = line.split()
        if len(words) < 8 or not words[0].rstrip(":").isdigit():
            continue
        name, _, version = words[7].replace("@@", "@").partition("@")
        if words[6] == "UND":
            wanted.add((name, version))
        else:
            had[name, version] = (words[3], int(words[2], 0))
    return wanted, had


def make(folder, names, libraries, wanted):
    """Makes a stand-in for several libraries: one file with all their names is loaded once, which is faster."""
    found, theirs = {}, set()
    for name in names:
        had = {key: kind for key, kind in symbols(libraries[name])[1].items() if key in wanted or (key[0], "") in wanted}
        twice = {key[0] for key in found} & {key[0] for key in had}
        # C has each name once, and a library may have another version of it.
        if all(found.get(key) == had[key] for key in had if key[0] in twice):
            found.update(had)
            theirs.add(name)
    code, versions = [], {}
    for (symbol, version), (kind, size) in sorted(found.items()):
        if kind == "OBJECT":
            code.append(f"char {symbol}[{max(size, 1)}];")
        else:
            code.append(f"int {symbol}(void) {{ {'return 0' if STARTED.fullmatch(symbol) else '__builtin_trap()'}; }}")
        versions.setdefault(version, []).append(symbol)
    versions.pop("", None)
    options = []
    if versions:
        script = folder / "versions"
        script.write_text("".join(f"{key} {{ global: {'; '.join(value)}; }};\n" for key, value in versions.items()))
        options = [f"-Wl,--version-script={script}"]
    subprocess.run(
        ["gcc", "-w", "-fno-builtin", "-shared", "-fPIC", "-nostdlib", f"-Wl,-soname,{names[0]}", *options,
         "-x", "c", "-", "-o", folder / names[0]], check=True, input="\n".join(code), text=True)
    for name in names[1:]:
        if name in theirs:
            os.link(folder / names[0], folder / name)
    rest = [name for name in names if name not in theirs]
    if rest:
        make(folder, rest, libraries, wanted)


def folder():
    """The folder of the stand-ins, which are made if there are none for these libraries."""
    libraries = {name: path for program in PROGRAMS for name, path in loaded(program).items()}
    digest = hashlib.sha256(pathlib.Path(__file__).read_bytes())
    for path in sorted(libraries.values()):
        digest.update(f"{os.path.realpath(path)} {os.stat(path).st_mtime_ns}\n".encode())
    parent = pathlib.Path(__file__).resolve().parent.parent.parent / ".build-test"
    made = parent / f"stand-ins-{digest.hexdigest()[:12]}"
    if not made.exists():
        parent.mkdir(exist_ok=True)
        kept = PROGRAMS + [path for name, path in libraries.items() if RUNS.match(name)]
        wanted = set().union(*(symbols(file)[0] for file in kept))
        with tempfile.TemporaryDirectory(dir=parent, ignore_cleanup_errors=True) as new:
            names = sorted({name for file in kept for name in needed(file)} & set(libraries))
            make(pathlib.Path(new), [name for name in names if not RUNS.match(name)], libraries, wanted)
            os.chmod(new, 0o755)
            try:
                os.rename(new, made)
            except OSError:  # Another run has just made it.
                if not made.exists():
                    raise
    return str(made)


if __name__ == "__main__":
    print(folder())
