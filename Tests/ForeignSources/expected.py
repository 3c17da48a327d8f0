"""What is refused, or reported with an exit code, on purpose: patterns of sources and of variants, the exit code, a part of
the message, and the reason."""
import fnmatch

REFUSED = [
    ("images-* container-apng* container-rm codec-flashsv2 codec-roq", "copy*", 69, "cannot hold", "no container here has packets of these"),
    ("raw-pal8-avi", "copy*", 69, "NUT cannot hold one", "AVI has it beside the frames, NUT within them or nowhere"),
    ("container-*-es* lone-*-es-*", "copy*", 65, "has no time", "nothing tells when these frames are shown"),
    ("*", "copy*", 69, "does not state when its frames are shown", "only decoding shows the order of these frames"),
    ("edits-gap-*", "copy*", 69, "its edit list hides", "a frame between others that are shown is needed and hidden"),
    ("*", "part copy-part", 64, "the part begins after that", "the source is shorter"),
    ("size-1x1-*", "*", 64, "needs at least 2x2 pixels", "a clip has half as many samples of chroma"),
    ("cut-y4m", "copy*", 65, "after its last complete frame", "a copy of a cut file would look whole"),
    ("cut-*", "copy*", 65, "are beyond its end", "a copy of a cut file would look whole"),
    ("cut-* lone-*-junk-* lone-*-garbage", "copy*", 65, "is cut off", "a copy of a cut file would look whole"),
    ("cut-* lone-*-garbage", "*", 65, "is cut off or damaged: ", "told with its exit code, and the clip of what is whole is made"),
]


def reason(source, variant, code, message):
    for sources, variants, exit_code, part, why in REFUSED:
        if (exit_code == code and part in message
                and any(fnmatch.fnmatch(source, p) for p in sources.split())
                and any(fnmatch.fnmatch(variant, p) for p in variants.split())):
            return why
    return None
