"""Makes Overcrank's man pages: man_pages.py PROGRAM GENERATOR FOLDER DATE

GENERATOR is swift-argument-parser's `generate-manual`; it writes a page for each subcommand from the program's own help.
This names the pages as man pages are named (overcrank-record.1), sets their text as mdoc wants it, and adds the sections of
packaging/man, which people wrote: examples, files, environment, exit status.
"""

import os
import re
import subprocess
import sys
import tempfile
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
# The end of a sentence, with the next one on the same line.
SENTENCE = re.compile(r'(?<=[.!?:])(["\')]*) +(?=["(]?[A-Z0-9-])')

# The order in which mdoc(7) wants sections.
ORDER = ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES"]


def text(line):
    """A line of running text as mdoc wants it: a line for each sentence, none too long, none that is a macro."""
    lines = []
    for sentence in SENTENCE.sub(r"\1\n", line).split("\n"):
        for part in textwrap.wrap(sentence, 78, break_long_words=False, break_on_hyphens=False):
            lines.append("\\&" + part if part[0] in ".'" else part)
    return lines


def written(name):
    """The sections that people wrote, by their titles; a line `.so FILE` stands for a file beside. None where there is none."""
    path = os.path.join(HERE, "man", f"{name}.mdoc")
    sections, title = {}, None
    lines = open(path, encoding="utf-8").read().splitlines() if os.path.exists(path) else []
    for line in lines:
        if line.startswith(".so "):
            sections |= written(line[4:].removesuffix(".mdoc"))
        elif line.startswith(".Sh "):
            title = line[4:]
            sections[title] = [line]
        else:
            sections[title].append(line)
    return sections


def told(generated):
    """What a command does, in the words of its NAME section."""
    words = next(line[3:] for line in generated if line.startswith(".Nd")).strip().strip('"').rstrip(".")
    return words[0].lower() + words[1:]


def page(name, pages):
    """The page `name` from the lines that the generator wrote, of all of them."""
    generated = pages[name]
    family = sorted(other for other in pages if other.rpartition(".")[0] == name)
    words = name.replace(".", " ")
    title = name.replace(".", "-")
    lines, section = [], ""
    for line in generated:
        if line.startswith(".Sh"):
            section = line[3:].strip().strip('"')
            if section in ("EXIT STATUS", "SEE ALSO"):
                break
        if line.startswith(".Dt"):
            line = f".Dt {title.upper()} 1"
        elif line.startswith(".Nm"):
            line = f".Nm {title}" if section == "NAME" else f".Nm {words}"
        elif line.startswith(".Nd"):
            line = f".Nd {told(generated)}"
        elif line.startswith("Exit codes:"):
            continue  # EXIT STATUS says it.
        elif line.startswith((".It", ".Bl")) and lines[-1] == ".Pp":
            lines.pop()
        elif not line.startswith("."):
            lines += text(line) if line.strip() else [".Pp"]
            continue
        lines.append(line)
    if family:
        lines += [".Ss Commands", ".Bl -tag -width thumbnail"]
        for other in family:
            lines += [f".It Ic {other.rpartition('.')[2]}", *text(told(pages[other]))]
        lines.append(".El")
    sections = written(title) | written("all")
    for section in sorted(sections, key=ORDER.index):
        lines += sections[section]
    lines.append(".Sh SEE ALSO")
    parent = name.rpartition(".")[0]
    related = [f".Xr {other.replace('.', '-')} 1" for other in ([parent] if parent else []) + family]
    lines += [line + " ," for line in related[:-1]] + related[-1:]
    return "\n".join(line for line in lines if line.strip()) + "\n"


def main():
    program, generator, folder, date = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(
            [generator, program, "--multi-page", "--date", date, "--output-directory", work],
            check=True, stdout=subprocess.DEVNULL)
        pages = {}
        for file in sorted(os.listdir(work)):
            # How to ask for help is in each page.
            if file.endswith("help.1"):
                continue
            with open(os.path.join(work, file), encoding="utf-8") as lines:
                pages[file.removesuffix(".1")] = lines.read().splitlines()
    for name in pages:
        with open(os.path.join(folder, f"{name.replace('.', '-')}.1"), "w", encoding="utf-8") as file:
            file.write(page(name, pages))


main()
