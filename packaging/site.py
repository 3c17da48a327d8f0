"""Makes a site of the guides: site.py FOLDER

Turns README.md, docs/*.md and others into pages, docs/README.md into the first of them, and checks every link between
them: a file that is not there, or a heading that is not, ends it with 1. FOLDER/reference has the libraries'
documentation, where script/docs has put it.
"""

import html
import os
import re
import shutil
import sys
import urllib.parse

import markdown

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STYLE = """
:root { color-scheme: light dark; --ink: #1b1d21; --ground: #fff; --quiet: #5c6370; --line: #d9dce1; --accent: #a83c17; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e3; --ground: #16181c; --quiet: #9aa1ad; --line: #33373f; --accent: #ff8a63; }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
.sheet { display: grid; grid-template-columns: 15rem minmax(0, 46rem); gap: 3rem; margin: 0 auto; padding: 2rem; max-width: 66rem; }
nav { font-size: .85rem; } nav ul { list-style: none; margin: 0; padding: 0; } nav li { margin: .25rem 0; }
nav strong { display: block; margin-top: 1rem; color: var(--quiet); font-weight: 600; } nav summary { font-weight: 600; }
a { color: var(--accent); text-underline-offset: .15em; } nav a { color: inherit; text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--accent); }
h1, h2, h3 { line-height: 1.2; overflow-wrap: anywhere; } h1 { margin-top: 0; } h2 { margin-top: 2.5rem; }
code, pre { font: .88em/1.5 ui-monospace, monospace; } pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 6px; }
pre code { font-size: 1em; } p code, li code { overflow-wrap: anywhere; }
table { border-collapse: collapse; display: block; overflow-x: auto; } th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
img { max-width: 100%; border-radius: 6px; }
@media (min-width: 50.01rem) { nav summary { display: none; } }
@media (max-width: 50rem) {
  .sheet { grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1rem; } nav li { margin: .6rem 0; }
  pre, table { font-size: .8rem; } td { padding: .3rem .4rem; } td:last-child { min-width: 11rem; } td code { overflow-wrap: anywhere; }
}
"""
# The list of pages is open beside a page, and closed above it on a phone.
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><link rel="stylesheet" href="style.css">
<div class="sheet"><nav aria-label="Pages"><details open><summary>Pages</summary>{contents}</details>
<script>if (matchMedia('(max-width: 50rem)').matches) document.querySelector('details').open = false</script></nav>
<main>{body}</main></div></html>
"""


def anchor(text, _separator="-"):
    """What a forge makes of a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def page_names():
    """The pages by their sources' paths from the top: the first is docs/README.md, README.md is the program's own."""
    pages = {
        "docs/README.md": "index.html", "README.md": "readme.html", "CHANGELOG.md": "changelog.html",
        "CONTRIBUTING.md": "contributing.html", "profiles/README.md": "profiles-list.html"}
    for name in sorted(os.listdir(os.path.join(HERE, "docs"))):
        if name.endswith(".md") and name != "README.md":
            pages[f"docs/{name}"] = name.removesuffix(".md") + ".html"
    return pages


def contents(pages, current, libraries):
    """The list of pages beside each page, in the order of docs/README.md."""
    groups = [("Overcrank", [("Begin here", "docs/README.md"), ("The program", "README.md"), ("Changes", "CHANGELOG.md")])]
    for line in open(os.path.join(HERE, "docs/README.md"), encoding="utf-8"):
        if heading := re.match(r"## (.*)", line):
            groups.append((heading[1], []))
        elif page := re.match(r"- \[(.*?)\]\(([\w-]+\.md)\)", line):
            groups[-1][1].append((page[1], f"docs/{page[2]}"))
    lines = ""
    for name, entries in groups:
        if entries:
            lines += f"<strong>{html.escape(name)}</strong><ul>"
            for title, source in entries:
                here = ' aria-current="page"' if source == current else ""
                lines += f'<li><a href="{pages[source]}"{here}>{html.escape(title)}</a></li>'
            lines += "</ul>"
    return lines + (f'<strong>Swift</strong><ul><li><a href="{libraries}">Libraries</a></li></ul>' if libraries else "")


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    pages, texts, anchors, faults = page_names(), {}, {}, []
    # DocC's pages know themselves by this address, and not by that of the file.
    libraries = "reference/documentation/"
    if not os.path.exists(os.path.join(out, libraries, "index.html")):
        libraries = None
    for source in pages:
        text = open(os.path.join(HERE, source), encoding="utf-8").read()
        converter = markdown.Markdown(
            extensions=["tables", "fenced_code", "toc", "sane_lists"], extension_configs={"toc": {"slugify": anchor}}, tab_length=2)
        texts[source] = converter.convert(re.sub(r"^<!-- .* -->\n", "", text, flags=re.M))
        anchors[source] = set(re.findall(r'id="([^"]+)"', texts[source]))

    def moved(source, kind, address):
        """The address on the site of what a page points to."""
        place, _, heading = html.unescape(address).partition("#")
        if re.match(r"[a-z]+:", address):
            return f'{kind}="{address}"'
        target = os.path.normpath(os.path.join(os.path.dirname(source), urllib.parse.unquote(place))) if place else source
        if target in pages:
            if heading and heading not in anchors[target]:
                faults.append(f"{source}: {target} has no heading #{heading}")
            return f'{kind}="{pages[target] if place else ""}{"#" + heading if heading else ""}"'
        path = os.path.join(HERE, target)
        if not os.path.exists(path):
            faults.append(f"{source}: there is no {target}")
        elif os.path.isfile(path):
            # A file of the sources that a page points to goes with it.
            os.makedirs(os.path.dirname(os.path.join(out, target)), exist_ok=True)
            shutil.copy(path, os.path.join(out, target))
        else:
            faults.append(f"{source}: {target} is a folder, which a site cannot show")
        return f'{kind}="{target}"'

    for source, page in pages.items():
        # Links in code are text.
        body = re.sub(r'\b(href|src)="([^"]*)"', lambda found: moved(source, found[1], found[2]), texts[source])
        title = re.search(r"<h1[^>]*>(.*?)</h1>", body)
        with open(os.path.join(out, page), "w", encoding="utf-8") as file:
            file.write(PAGE.format(
                title=re.sub("<.*?>", "", title[1]) if title else "Overcrank", contents=contents(pages, source, libraries), body=body))
    with open(os.path.join(out, "style.css"), "w", encoding="utf-8") as file:
        file.write(STYLE)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{out}/index.html: {len(pages)} pages, {len(faults)} links that lead nowhere.", file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
