#!/usr/bin/env python3
"""Checks that every folder includes only the folders it may use.

usage: check_includes.py [ROOT]

Prints FILE:LINE for each `#include "folder/..."` that goes the wrong way, and fails when there is one. An include with
quotes names a file from the project's root; one without a folder is refused, since it does not say where it lives.
"""
import pathlib
import re
import sys

# A folder may include itself and what stands here; the most specific entry that a path lies in counts. So does a
# folder named on the right: "tracer" means all of it, "query/distance" that part alone.
MAY_USE = {
    "base": [],
    "tracer": ["base", "tracer"],
    "tracer/model": ["base"],
    "tracer/format": ["base", "tracer/model"],
    "tracer/import": ["base", "tracer/model", "tracer/format"],
    "tracer/symbols": ["base", "tracer/model"],
    "index": ["base", "tracer"],
    "bql": ["base", "tracer", "index"],
    "query": ["base", "tracer", "index", "bql"],
    "query/distance": ["base"],
    "query/run": ["base", "tracer", "index", "bql", "query/corpus", "query/distance", "query/naive", "query/operators",
                  "query/plan", "query/rules", "query/semantics"],
    "cluster": ["base", "tracer", "index", "bql", "query"],
    "analysis": ["base", "tracer", "index", "query/distance"],
    "web": ["base", "tracer", "index", "bql", "query", "cluster/client", "analysis"],
    "cli": ["base", "tracer", "index", "bql", "query", "cluster", "analysis", "web"],
}
SOURCES = {".h", ".cc", ".c", ".cpp", ".hpp"}
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')


def is_in(path, folder):
    return path == folder or path.startswith(folder + "/")


def layer_of(path):
    """The most specific folder of the table that holds `path`, or None."""
    return max((folder for folder in MAY_USE if is_in(path, folder)), key=len, default=None)


def may_include(source, target):
    layer = layer_of(source)
    return any(is_in(target, folder) for folder in [layer, *MAY_USE[layer]])


def wrong_includes(root):
    """Yields (path, line number, message) for each include that is not allowed."""
    tops = sorted({folder.split("/")[0] for folder in MAY_USE})
    for path in sorted(path for top in tops for path in (root / top).rglob("*") if path.suffix in SOURCES):
        source = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            target = include.group(1)
            if layer_of(target) is None:
                yield source, number, f'"{target}" does not start with a folder of the project (system headers take <>)'
            elif not may_include(source, target):
                yield source, number, f'{layer_of(source)} may not include "{target}"'


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parents[2])
    wrong = list(wrong_includes(root))
    for source, number, message in wrong:
        print(f"{source}:{number}: {message}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
