#!/usr/bin/env python3
"""Compares what two builds of oscope cost, command by command.

usage: compare_releases.py OLD_BUILD NEW_BUILD [--rounds N] [--traces N] [--only WORD]

Each BUILD is a build directory with `oscope` and `valgrind/` in it. Both programs do the same work in turn, each with a
store of its own, so that whatever else the machine does meets both. Printed is, for each command, the least CPU time
(user and system, of the program and what it starts) over the rounds, and the new one's as a multiple of the old one's.

Example:
  python3 tests/bench/compare_releases.py ../oscope-0.1/build build --rounds 7
"""
import argparse
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

NEAR = "SELECT b FROM ALL WHERE SUBSET?(tbug.failing[50], b.failing[50], 10) LIMIT 50"
QUERIES = {
    "query: near a bug": ["query", "--bug", "synthetic-7", NEAR],
    "query: a pattern": ["query", 'SELECT b FROM ALL WHERE INTERSECT?(b, "main -> .* -> exit") LIMIT 10'],
    "query: count by status": ["query", "SELECT COUNT(b) FROM ALL WHERE b.status = 'open'"],
    "similar": ["similar", "synthetic-7"],
}


class Side:
    """One of the two programs, with its own store."""

    def __init__(self, name, build, scratch):
        self.program = str(pathlib.Path(build, "oscope").resolve())
        self.home = scratch / name
        self.home.mkdir()

    def run(self, words):
        """Runs a command in the side's directory and returns the seconds of CPU it took."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.program, *words], cwd=self.home, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):
            sys.exit(f"{self.program} {' '.join(words)}: exit code {done.returncode}\n{done.stderr.decode(errors='replace')}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def new_store(side):
    shutil.rmtree(side.home / "s", ignore_errors=True)
    side.run(["init", "--quiet", "--store", "s"])


def measures(arguments, scratch):
    """Yields (what, function of a side that does it and returns seconds). What one leaves, the next finds."""
    program = scratch / "traced_program"
    source = pathlib.Path(__file__).with_name("traced_program.cc")
    subprocess.run(["c++", "-std=c++20", "-O1", "-g", "-o", program, source], check=True)
    short, long = scratch / "short.osct", scratch / "long.osct"

    def imported(recording):
        def run(side):
            new_store(side)
            return side.run(["--store", "s", "import", "--quiet", str(recording)])
        return run

    def asked(words):
        return lambda side: side.run(["--store", "s", *words])

    def recorded(side):
        return side.run(["trace", "--output", "run.osct", "--", str(program), "3"])

    def recorded_into_a_store(side):
        new_store(side)
        return side.run(["--store", "s", "--project", "p", "trace", "--", str(program), "1"])

    yield f"import {arguments.traces // 40} long runs", imported(long)
    yield f"import {arguments.traces} runs of 50 events", imported(short)
    for name, words in QUERIES.items():
        yield name, asked(words)
    yield "list runs --count", asked(["list", "runs", "--count"])
    yield "export --format jsonl", asked(["export", "--format", "jsonl", "--output", "/dev/null"])
    yield "store compact", asked(["store", "compact"])
    yield "trace --output, 3 rounds", recorded
    yield "trace into a store, 1 round", recorded_into_a_store


def generate(side, traces, scratch):
    """Both programs read the same recordings, made by the old one, whose format every later release reads."""
    side.run(["generate", "--traces", str(traces), "--length", "50", "--output", str(scratch / "short.osct")])
    side.run(["generate", "--traces", str(traces // 40), "--lengths", "thesis", "--output", str(scratch / "long.osct")])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--traces", type=int, default=200000)
    parser.add_argument("--only", default="", help="the measures whose names have this in them")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="oscope-compare-") as name:
        scratch = pathlib.Path(name)
        sides = [Side("old", arguments.old, scratch), Side("new", arguments.new, scratch)]
        generate(sides[0], arguments.traces, scratch)
        print(f"{'':<34} {'old':>8} {'new':>8} {'new/old':>8}")
        for what, run in measures(arguments, scratch):
            # A store is what the measures before it made, so an import is done once even where it is not asked for.
            if arguments.only not in what:
                if what.startswith("import") and "of 50" in what:
                    for side in sides:
                        run(side)
                continue
            least = [float("inf"), float("inf")]
            for i in range(arguments.rounds):
                for at in (0, 1) if i % 2 == 0 else (1, 0):
                    least[at] = min(least[at], run(sides[at]))
            print(f"{what:<34} {least[0]:>7.3f}s {least[1]:>7.3f}s {least[1] / least[0]:>8.3f}", flush=True)


if __name__ == "__main__":
    main()
