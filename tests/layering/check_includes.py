#!/usr/bin/env python3
"""Checks that every folder includes only the folders it may use, and that no folders include each other in a circle.

usage: check_includes.py [--graph] [ROOT]

Prints FILE:LINE for each `#include "folder/..."` that goes the wrong way, and each circle of folders with one include
for each of its steps; fails when there is any. An include with quotes names a file from the project's root; one without
a folder is refused, since it does not say where it lives.

--graph prints the folders instead, lowest first, each with those that it includes; what one of these includes in its
turn is left out. The same text stands in docs/architecture.md, which is checked too.
"""
import collections
import pathlib
import re
import sys

# A folder may include itself and what stands here; the most specific entry that a path lies in counts. So does a
# folder named on the right: "tracer" means all of it, "query/distance" that part alone. That no circle comes of it is
# checked apart.
MAY_USE = {
    "base": [],
    "tracer": ["base", "tracer"],
    "tracer/model": ["base"],
    "tracer/format": ["base", "tracer/model"],
    "tracer/import": ["base", "tracer/model", "tracer/format"],
    "tracer/export": ["base", "tracer/model"],
    "tracer/symbols": ["base", "tracer/model"],
    "tracer/harness": ["base"],
    "tracer/raw": ["base"],
    # What runs inside the traced program links to nothing of ours.
    "tracer/valgrind": ["tracer/raw/raw_format.h"],
    "tracer/pin": ["tracer/raw/raw_format.h"],
    "index": ["base", "tracer"],
    "bql": ["base", "tracer", "index"],
    "query": ["base", "tracer", "index", "bql"],
    "query/distance": ["base"],
    # The oracle shares the meaning of the language with the engines that it judges, and nothing else.
    "query/naive": ["base", "tracer", "index/store", "bql", "query/semantics"],
    "query/run": ["base", "tracer", "index", "bql", "query/corpus", "query/distance", "query/naive", "query/operators",
                  "query/plan", "query/rules", "query/semantics"],
    "cluster": ["base", "tracer", "index", "bql", "query"],
    "analysis": ["base", "tracer", "index", "query/distance"],
    "web": ["base", "tracer", "index", "bql", "query", "cluster/client", "analysis"],
    "cli": ["base", "tracer", "index", "bql", "query", "cluster", "analysis", "web"],
    # How things are shown has nothing to do with what is asked.
    "cli/output": ["base", "tracer", "index", "cli/options"],
}
SOURCES = {".h", ".cc", ".c", ".cpp", ".hpp"}
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
DOCUMENT = "docs/architecture.md"
FENCE = "```text\n"  # of the graph in the document


def is_in(path, folder):
    return path == folder or path.startswith(folder + "/")


def layer_of(path):
    """The most specific folder of the table that holds `path`, or None."""
    return max((folder for folder in MAY_USE if is_in(path, folder)), key=len, default=None)


def may_include(source, target):
    layer = layer_of(source)
    return any(is_in(target, folder) for folder in [layer, *MAY_USE[layer]])


def includes(root):
    """Yields (path, line number, included path) for each include with quotes."""
    tops = sorted({folder.split("/")[0] for folder in MAY_USE})
    for path in sorted(path for top in tops for path in (root / top).rglob("*") if path.suffix in SOURCES):
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            include = INCLUDE.match(line)
            if include:
                yield path.relative_to(root).as_posix(), number, include.group(1)


def wrong_includes(found):
    """Yields a line for each include that is not allowed."""
    for source, number, target in found:
        if layer_of(target) is None:
            yield f'{source}:{number}: "{target}" does not start with a folder of the project (system headers take <>)'
        elif not may_include(source, target):
            yield f'{source}:{number}: {layer_of(source)} may not include "{target}"'


def folder_graph(found):
    """folder -> {folder that it includes: the first such include}. A folder is one CMake library."""
    graph = collections.defaultdict(dict)
    for source, number, target in found:
        here, there = (path.rpartition("/")[0] for path in (source, target))
        graph[here]
        if layer_of(target) is not None and here != there:
            graph[here].setdefault(there, f'{source}:{number}: #include "{target}"')
            graph[there]
    return graph


def way_back(graph, start):
    """The folders of a shortest circle through `start`, from it and back to it; None when there is none."""
    came_from = {}
    queue = collections.deque([start])
    while queue:
        here = queue.popleft()
        for there in sorted(graph[here]):
            if there == start:
                circle = [here, start]
                while circle[0] != start:
                    circle.insert(0, came_from[circle[0]])
                return circle
            if there not in came_from:
                came_from[there] = here
                queue.append(there)
    return None


def circles(graph):
    """Yields the lines that tell of each circle: its folders, then one include for each step. Of the circles through a
    folder only a shortest one is told, and none twice."""
    told = set()
    for folder in sorted(graph):
        circle = way_back(graph, folder)
        if circle is None or frozenset(circle) in told:
            continue
        told.add(frozenset(circle))
        yield f"circle: {' -> '.join(circle)}"
        for here, there in zip(circle, circle[1:]):
            yield f"  {graph[here][there]}"


def reachable(graph, start):
    seen = set()
    stack = list(graph[start])
    while stack:
        folder = stack.pop()
        if folder not in seen:
            seen.add(folder)
            stack += graph[folder]
    return seen


def graph_lines(graph):
    """The graph as text: the folders by their height above the lowest, then by name. Only without circles."""
    below = {folder: reachable(graph, folder) for folder in graph}
    height = {}
    for folder in sorted(graph, key=lambda folder: len(below[folder])):  # what is included comes before
        height[folder] = max((height[there] + 1 for there in graph[folder]), default=0)
    for folder in sorted(graph, key=lambda folder: (height[folder], folder)):
        direct = [there for there in graph[folder] if not any(there in below[other] for other in graph[folder])]
        yield " ".join([folder + ":", *sorted(direct)]) if direct else folder


def stale_document(root, graph):
    """Yields a line when the document has another graph than the sources."""
    path = root / DOCUMENT
    if not path.exists():
        return
    fences = path.read_text(encoding="utf-8").split(FENCE)[1:]
    if not any(fence.split("```")[0].splitlines() == list(graph_lines(graph)) for fence in fences):
        yield f"{DOCUMENT}: the graph of folders is not that of the sources, which check_includes.py --graph prints"


def main(arguments):
    only_graph = arguments[:1] == ["--graph"]
    arguments = arguments[1:] if only_graph else arguments
    if len(arguments) > 1 or arguments[:1] and arguments[0].startswith("-"):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parents[2])
    found = list(includes(root))
    graph = folder_graph(found)
    wrong = list(circles(graph))
    if not only_graph:
        wrong = list(wrong_includes(found)) + (wrong or list(stale_document(root, graph)))
    elif not wrong:
        print(*graph_lines(graph), sep="\n")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
