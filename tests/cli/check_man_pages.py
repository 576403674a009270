#!/usr/bin/env python3
"""Checks that every subcommand has a man page, and that the page names every option its --help shows.

usage: check_man_pages.py OSCOPE MAN_DIRECTORY

The options of a nested subcommand (`oscope bug add`) stand in the page of the outer one (oscope-bug.1). The global options stand in
oscope.1, which every page refers to.
"""
import pathlib
import re
import shutil
import subprocess
import sys

OPTION = re.compile(r"^  (-[^\s,]+(?:,-[^\s,]+)*)", re.MULTILINE)
COMMAND = re.compile(r"^  ([a-z]+)\s", re.MULTILINE)


def sections(help_text):
    """The help's sections by title: "Options", "Global options", "Commands", …"""
    parts = re.split(r"^([A-Z][A-Za-z ]+):\n", help_text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def help_of(oscope, words):
    return sections(subprocess.run([oscope, *words, "--help"], check=True, capture_output=True, text=True).stdout)


def options_of(oscope, words, title):
    """Every option of a command and of the commands inside it."""
    found = help_of(oscope, words)
    names = [name for group in OPTION.findall(found.get(title, "")) for name in group.split(",")]
    for command in COMMAND.findall(found.get("Commands", "")):
        names += options_of(oscope, [*words, command], title) if words else []
    return names


def plain(page):
    return page.read_text(encoding="utf-8").replace("\\-", "-").replace("\\ ", " ")


def check_page(page, names):
    if not page.exists():
        return [f"{page}: missing"]
    text = plain(page)
    wrong = [f"{page}: does not name {name}" for name in sorted(set(names))
             if not re.search(r"(?<![-\w])" + re.escape(name) + r"(?![-\w])", text)]
    if page.name != "oscope.1" and "oscope(1)" not in re.sub(r"\.BR oscope \(1\)", "oscope(1)", text):
        wrong.append(f"{page}: does not refer to oscope(1)")
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", str(page)], capture_output=True, text=True)
    return wrong + ([f"{page}: groff: {done.stderr.strip()}"] if done.stderr.strip() else [])


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    if shutil.which("groff") is None:
        print("skipped: groff not installed")
        return 77
    oscope, pages = arguments[0], pathlib.Path(arguments[1])
    wrong = check_page(pages / "oscope.1", options_of(oscope, [], "Global options"))
    for command in COMMAND.findall(help_of(oscope, [])["Commands"]):
        names = [name for name in options_of(oscope, [command], "Options") if name not in ("-h", "--help")]
        wrong += check_page(pages / f"oscope-{command}.1", names)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
