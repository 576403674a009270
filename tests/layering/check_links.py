#!/usr/bin/env python3
"""Checks that every folder is a library which links what its sources include, and nothing more.

usage: check_links.py [ROOT]

Reads the `oscope_library(NAME … SOURCES … DEPS …)` of every CMakeLists.txt, and the includes of the sources that stand
there. Of the DEPS only our own libraries are looked at. Prints CMakeLists.txt with what is missing or too many.
"""
import pathlib
import re
import sys

from check_includes import includes

# oscope_library, or a function of a folder that wraps it, called with a name (not the definition of such a function).
LIBRARY = re.compile(r"^oscope_(?:\w+_)?library\(NAME (\w+)(.*?)\)$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"#.*")
# Programs, which no other folder includes.
PROGRAMS = {"cli", "tracer/valgrind"}
# It links to nothing of ours: what it includes is a header that is all constants and structures.
APART = {"tracer/pin"}


class Library:
    def __init__(self, folder, name, text):
        words = COMMENT.sub("", text).split()
        at = words.index("DEPS") if "DEPS" in words else len(words)
        self.folder = folder
        self.name = name
        self.sources = set(words[:at])
        self.deps = {word for word in words[at + 1:] if "::" not in word}


def libraries(root):
    found = []
    for path in sorted(root.glob("*/**/CMakeLists.txt")):
        folder = path.parent.relative_to(root).as_posix()
        if folder.split("/")[0] not in ("build", "tests", ".deps"):
            found += [Library(folder, *match.groups()) for match in LIBRARY.finditer(path.read_text())]
    return found


def owner(in_folder, path):
    """The library that a file belongs to. Where a folder has several, it is named among the sources of its own; where it
    has one, the sources may be found by a pattern."""
    folder, _, name = path.rpartition("/")
    of_folder = in_folder.get(folder, [])
    if len(of_folder) == 1:
        return of_folder[0]
    return next((library for library in of_folder if name in library.sources), None)


def wrong_links(root):
    in_folder = {}
    for library in libraries(root):
        in_folder.setdefault(library.folder, []).append(library)
    needed = {library.name: {} for libraries_ in in_folder.values() for library in libraries_}
    without = set()
    for source, number, target in includes(root):
        if source.rpartition("/")[0] not in in_folder.keys() | PROGRAMS:
            without.add(source.rpartition("/")[0])
        here, there = owner(in_folder, source), owner(in_folder, target)
        if here is not None and there is not None and here is not there:
            needed[here.name].setdefault(there.name, f"{source}:{number}")
    for folder in sorted(without):
        yield f"{folder}: has sources, but no library"
    for folder in sorted(in_folder.keys() - APART):
        for library in in_folder[folder]:
            includes_of = needed[library.name]
            for name in sorted(includes_of.keys() - library.deps):
                yield f"{folder}/CMakeLists.txt: {library.name} must link {name}, which {includes_of[name]} includes"
            for name in sorted(library.deps - includes_of.keys()):
                yield f"{folder}/CMakeLists.txt: {library.name} links {name}, of which it includes nothing"


def main(arguments):
    if len(arguments) > 1 or arguments[:1] and arguments[0].startswith("-"):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parents[2])
    wrong = list(wrong_links(root))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
