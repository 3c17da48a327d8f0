"""Makes the corpus, retimes each source in every way, and judges the results."""
import concurrent.futures, copy, fnmatch, itertools, os, pathlib, re, shlex, shutil, subprocess, sys, tempfile, threading, zlib
from collections import Counter
from fractions import Fraction

import corpus, expected, judge, maker, watch


def usage(words):
    print(f"script/test foreign-films: {words}", file=sys.stderr)
    sys.exit(64)


def arguments(words):
    told = {"sample": None, "only": None, "keep": None, "judge": None}
    words = list(words)
    while words:
        word = words.pop(0)
        if word in ("--sample", "--only", "--keep", "--judge"):
            if not words:
                usage(f"{word} needs a value.")
            told[word[2:]] = words.pop(0)
        else:
            usage(f"unknown argument: {word}")
    if told["sample"] is not None:
        if not told["sample"].isdigit() or told["sample"] == "0":
            usage(f"--sample needs a number from 1: {told['sample']}")
        told["sample"] = int(told["sample"])
    return told


def sample(sources, count):
    """Returns one source of each kind, then another of each, and so on: the same every time."""
    kinds = {}
    for source in sources:
        kinds.setdefault(source.name.split("-")[0], []).append(source)
    # Neighbours in the corpus are alike, so each kind is shuffled in a fixed order.
    mixed = [sorted(kind, key=lambda s: zlib.crc32(s.name.encode())) for _, kind in sorted(kinds.items())]
    turns = itertools.zip_longest(*mixed)
    return [source for turn in turns for source in turn if source][:count]


class Runner:
    def __init__(self, program, folder, keep):
        self.program, self.folder, self.keep = program, folder, keep
        self.counts, self.lock, self.bad = Counter(), threading.Lock(), []

    def say(self, verdict, source, variant, words="", command=None):
        with self.lock:
            self.counts[verdict] += 1
            if verdict in ("same", "refused as expected") and not self.keep:
                return
            line = f"{verdict}: {source} {variant}" + (f": {words}" if words else "")
            print(line, flush=True)
            if command and verdict not in ("same", "refused as expected"):
                print("    " + shlex.join(map(str, command)), flush=True)

    def source(self, source, path):
        """Retimes one source in all its variants."""
        try:
            if path is None:
                path = maker.make(source, self.folder)
            whole = path.with_name("shown.mkv")
            shown = watch.watch(whole if whole.exists() else path, source.inputs, source.stream)
        except (maker.NotMade, watch.Unwatchable, subprocess.TimeoutExpired) as error:
            self.say("NOT MADE", source.name, "", str(error))
            return
        except Exception as error:  # an error of the judge is not one of the source, and must not hide others
            self.say("JUDGE FAILED", source.name, "", repr(error))
            return
        if "untimed" in source.kinds:
            # ffmpeg guesses the times of its frames, and is a frame late or uneven.
            shown.pace(1 / Fraction(source.rate))
        rendered = shown
        if "repeated" in source.kinds:
            # A copy keeps its times, and a clip shows its frames evenly, as docs/sources.md says.
            rendered = copy.deepcopy(shown)
            rendered.pace(1 / Fraction(source.rate))
            rendered.ends, rendered.lasts = [], [1 / Fraction(source.rate)]
        if "cut" in source.kinds:
            # It does not reach the end that its container states, and its last frame may be incomplete.
            shown.ends, shown.lasts = [], [Fraction(0), *shown.lasts]
        variants = list(judge.VARIANTS)
        for kind in source.kinds:
            variants += judge.MORE.get(kind, [])
        for variant in variants:
            try:
                self.variant(source, path, shown if variant.copy else rendered, variant)
            except subprocess.TimeoutExpired as error:
                self.say("DIFFERENT", source.name, variant.name, f"hangs: {error.cmd}")
            except Exception as error:
                self.say("JUDGE FAILED", source.name, variant.name, repr(error))
        if not self.keep and path.parent.parent == self.folder:
            shutil.rmtree(path.parent)

    def retime(self, source, path, variant, extension):
        """Runs the program. Returns the clip's path, the equivalent command, and the finished process."""
        clips = self.folder / "clips" / source.name
        clips.mkdir(parents=True, exist_ok=True)
        clip = clips / f"{variant.name}.{extension}"
        clip.unlink(missing_ok=True)
        name = "-" if variant.pipe else path
        of_source = () if variant.copy and "--develop" in source.options else source.options
        options = ["retime", name, *variant.options, *of_source, "-o", clip]
        with open(path if variant.pipe else os.devnull, "rb") as given:
            done = subprocess.run([self.program, *map(str, options)], stdin=given, capture_output=True, timeout=watch.LONGEST)
        return clip, ["overcrank", *options], done

    def variant(self, source, path, shown, variant):
        extension = variant.container
        if extension is None:
            extension = path.suffix[1:] if path.suffix in (".mp4", ".mov", ".mkv") else "mkv"
        clip, again, done = self.retime(source, path, variant, extension)
        other = re.search(r"cannot hold .* Choose a name that ends in \.(\w+)", done.stderr.decode(errors="replace"))
        if done.returncode == 69 and other and variant.container is None:
            clip, again, done = self.retime(source, path, variant, other[1])
        words = done.stderr.decode(errors="replace").strip()
        short = " ".join(w for w in words.splitlines() if "does not state how fast" not in w)[-300:]
        if done.returncode:
            why = expected.reason(source.name, variant.name, done.returncode, words)
            if why is None:
                return self.say("REFUSED", source.name, variant.name, f"{done.returncode}: {short}", again)
            if not clip.exists():
                return self.say("refused as expected", source.name, variant.name, f"{done.returncode}: {why}")
        if not clip.exists():
            return self.say("DIFFERENT", source.name, variant.name, f"no clip, exit code {done.returncode}: {short}", again)
        try:
            made = watch.watch(clip, hears=variant.hears and shown.has_audio)
        except watch.Unwatchable as error:
            return self.say("DIFFERENT", source.name, variant.name, f"the clip cannot be shown: {error}", again)
        if "either-weave" in source.kinds:
            for frame in shown.frames + made.frames:
                frame.numbers = tuple(sorted(frame.numbers, key=str))
        if "damaged" in source.kinds and variant.speed is None:
            # A frame that cannot be decoded is replaced by the one before it.
            made.frames = [b for a, b in zip([None, *made.frames], made.frames) if not a or a.numbers != b.numbers]
        found = judge.judge(shown, made, variant, "joined" in source.kinds)
        if not self.keep:
            clip.unlink(missing_ok=True)
        if found:
            return self.say("DIFFERENT", source.name, variant.name, "; ".join(found), again)
        self.say("same", source.name, variant.name)


def main(build):
    """Runs it. `build` makes the program, and returns its path."""
    told = arguments(sys.argv[1:])
    sources = corpus.SOURCES
    if told["only"]:
        sources = [s for s in sources if fnmatch.fnmatch(s.name, told["only"])]
    if told["sample"]:
        sources = sample(sources, told["sample"])
    with tempfile.TemporaryDirectory(prefix="foreign-films-") as scratch:
        folder = pathlib.Path(told["keep"] or scratch).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        work = [(source, None) for source in sources]
        if told["judge"]:
            given = pathlib.Path(told["judge"])
            if not given.is_dir():
                usage(f"no such folder: {given}")
            known = {s.name: s for s in corpus.SOURCES}
            work = []
            for path in sorted(p for p in given.rglob("*") if p.is_file() and p.name != "how.txt" and "clips" not in p.parts):
                source = known.get(path.parent.name) or corpus.Source(path.name, path.suffix[1:], [])
                if "images" not in source.kinds and (not told["only"] or fnmatch.fnmatch(source.name, told["only"])):
                    work.append((source, path.resolve()))
        if not work:
            usage("no source matches.")
        runner = Runner(build(), folder, told["keep"])
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for job in [pool.submit(runner.source, source, path) for source, path in work]:
                job.result()
    counts = runner.counts
    print(f"{len(work)} sources: " + ", ".join(f"{counts[k]} {k}" for k in sorted(counts)))
    sys.exit(1 if set(counts) - {"same", "refused as expected"} else 0)
