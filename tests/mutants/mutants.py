#!/usr/bin/env python3
"""Seeded faults: does `make test` notice them?

  mutants.py run                     build the tree with all faults behind a switch, run the tests against each, print the score by folder
  mutants.py run --under index/store only the faults below a folder; --numbers 3,17 only these; --again only those that nothing noticed last time
  mutants.py draw --seed 7 --count 40 --under index   draw places and add their faults to drawn.txt; what does not compile is drawn again
  mutants.py report                  the last score once more

Everything happens in build-mutants/, from the working tree as it is. README.md beside this file has the idea.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

import mutant_list
import places
import runner
import switch

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LISTS = [HERE / "drawn.txt", HERE / "mended.txt"]
# Tests of the sources as text, which the switch itself changes; and of the mutants' own scripts.
LEAVE_OUT = re.compile(r"^(layering|mutants|names|clean)\b")
FIRST_MENDED = 3001  # the numbers of mended.txt; those below are drawn.txt's


def say(text):
    print(f"mutants: {text}", flush=True)


class Workshop:
    """The folder in which the faulty tree is built."""

    def __init__(self, folder):
        self.folder, self.tree, self.build = folder, folder / "src", folder / "build"
        self.results, self.learnt = folder / "results.json", folder / "tests.json"

    def make(self, mutants):
        switch.make_tree(SOURCE, self.tree, mutants)

    def configure(self):
        done = subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
                               f"-DCMAKE_CXX_FLAGS=-I{HERE}/switch", f"-DCMAKE_C_FLAGS=-I{HERE}/switch", "-DOSCOPE_WERROR=OFF", "-DOSCOPE_BUILD_TESTS=ON"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"mutants: cmake failed:\n{done.stderr[-3000:]}")

    def compile(self):
        """Builds; returns what the compiler said when it failed, else None."""
        done = subprocess.run(["cmake", "--build", self.build, "--", "-k", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        (self.folder / "build.log").write_text(done.stdout)
        return done.stdout if done.returncode != 0 else None

    def compiled_sources(self):
        entries = json.loads((self.build / "compile_commands.json").read_text())
        return {os.path.relpath(entry["file"], self.tree) for entry in entries}


def refused_lines(output, tree):
    """The (file, line) pairs at which the compiler reported errors, and the lines that it was led there from."""
    found = set()
    for match in re.finditer(r"^(?:In file included from )?(\S+?\.(?:cc|c|h)):(\d+)(?::\d+)?: (?:fatal )?error", output, re.M):
        found.add((os.path.relpath(match[1], tree) if os.path.isabs(match[1]) else match[1].replace("../src/", ""), int(match[2])))
    return found


def draw(arguments, workshop):
    if arguments.count < 1:
        sys.exit("mutants: --count takes a number from 1 on")
    known = mutant_list.read([path for path in LISTS if path.exists()])
    workshop.make(known)
    workshop.configure()
    compiled = workshop.compiled_sources()
    taken = {(m.file, m.original) for m in known}
    candidates = []
    for name in sorted(compiled):
        if name.startswith(("tests/", "..", "datasets/", "/")) or not name.startswith(arguments.under) or not (SOURCE / name).is_file():
            continue
        lines = (SOURCE / name).read_text().splitlines()
        stripped = [line.strip() for line in lines]
        for index, faults in places.of_file("\n".join(lines)):
            if (name, stripped[index]) not in taken:
                candidates.append((name, index, stripped[:index].count(stripped[index]) + 1, stripped[index], faults))
    generator = random.Random(arguments.seed)
    generator.shuffle(candidates)
    number = max((m.number for m in known if m.number < FIRST_MENDED), default=0) + 1
    drawn = []
    while True:
        while len(drawn) < arguments.count and candidates:
            name, index, occurrence, original, faults = candidates.pop()
            kind, faulty = generator.choice(faults)
            drawn.append((index + 1, mutant_list.Mutant(number, name, kind, original, faulty, occurrence)))
            number += 1
        workshop.make(known + [m for _, m in drawn])
        say(f"{len(drawn)} places are drawn; compiling them")
        output = workshop.compile()
        if output is None:
            break
        refused = refused_lines(output, workshop.tree)
        kept = [(line, m) for line, m in drawn if (m.file, line) not in refused]
        if len(kept) == len(drawn):
            sys.exit(f"mutants: the build failed, and not because of a fault:\n{output[-3000:]}")
        say(f"the compiler refuses {len(drawn) - len(kept)} of them")
        drawn = kept
    with LISTS[0].open("a") as out:
        out.write(f"\n# Seed {arguments.seed}: {len(drawn)} places" + (f" below {arguments.under}" if arguments.under else "") + ".\n")
        for _, mutant in sorted(drawn, key=lambda pair: pair[1].number):
            out.write("\n" + mutant.text())
    say(f"{len(drawn)} faults were added to {LISTS[0].relative_to(SOURCE)}")


def whole_numbers(text):
    return {int(word) for word in text.split(",")}


def chosen_mutants(arguments, mutants, last):
    if arguments.numbers:
        mutants = [m for m in mutants if m.number in arguments.numbers]
    if arguments.again:
        mutants = [m for m in mutants if not last.get(str(m.number), {}).get("noticed")]
    return [m for m in mutants if m.file.startswith(arguments.under)]


def run(arguments, workshop):
    mutants = mutant_list.read(LISTS)
    unknown = (arguments.numbers or set()) - {mutant.number for mutant in mutants}
    if unknown:
        sys.exit(f"mutants: no fault has the number {min(unknown)}")
    if not arguments.build and not workshop.build.is_dir():
        sys.exit(f"mutants: {workshop.build} is not there: run once without --no-build")
    if arguments.build:
        say("building the tree with the faults")
        workshop.make(mutants)
        workshop.configure()
        output = workshop.compile()
        if output is not None:
            sys.exit(f"mutants: the build failed:\n{output[-3000:]}")
    tests = runner.Runner(workshop.build, runner.list_tests(workshop.build, LEAVE_OUT), arguments.jobs, say)
    if arguments.learn or not workshop.learnt.exists():
        say(f"{len(tests.tests)} tests run without a fault first")
        for name in tests.learn():
            say(f"left out, since it fails without a fault: {name}")
        tests.save(workshop.learnt)
    else:
        tests.load(workshop.learnt)
    if arguments.slowest:
        left_out = [test for test in tests.tests if test.seconds > arguments.slowest]
        tests.tests = [test for test in tests.tests if test.seconds <= arguments.slowest]
        say(f"{len(left_out)} tests of more than {arguments.slowest:g} s are left out, {sum(test.seconds for test in left_out):.0f} s in all")
    results = json.loads(workshop.results.read_text()) if workshop.results.exists() else {}
    chosen = chosen_mutants(arguments, mutants, results)
    say(f"{len(chosen)} faults, seed {arguments.seed}")
    done = 0

    def on_result(mutant, noticed, reaching, seconds):
        nonlocal done
        done += 1
        results[str(mutant.number)] = {"noticed": noticed, "reaching": reaching, "seconds": round(seconds, 1)}
        # Whole or not at all: a run of hours may be ended at any time.
        partial = workshop.results.with_suffix(".partial")
        partial.write_text(json.dumps(results))
        partial.replace(workshop.results)
        say(f"{done}/{len(chosen)} fault {mutant.number} {mutant.file}: " + (noticed or f"UNNOTICED ({reaching} tests come by)") + f", {seconds:.0f} s")

    before = dict(results)
    tests.run_all(chosen, arguments.seed, on_result, lambda mutant: before.get(str(mutant.number), {}).get("noticed", ""))
    report(arguments, workshop)


def score_table(mutants, results):
    """Rows of folder, faults, noticed, per cent; then the sum."""
    folders = collections.defaultdict(lambda: [0, 0])
    for mutant in mutants:
        result = results.get(str(mutant.number))
        if result is None:
            continue
        for key in (mutant.folder, "in all"):
            folders[key][0] += 1
            folders[key][1] += bool(result["noticed"])
    names = sorted(name for name in folders if name != "in all") + (["in all"] if folders else [])
    return [f"{name:28} {folders[name][0]:4} {folders[name][1]:4} {100 * folders[name][1] / folders[name][0]:5.0f} %" for name in names]


def report(arguments, workshop):
    if not workshop.results.exists():
        sys.exit(f"mutants: {workshop.folder} has no results: 'mutants.py run' makes them")
    results = json.loads(workshop.results.read_text())
    mutants = [m for m in mutant_list.read(LISTS) if m.file.startswith(arguments.under)]
    unnoticed = [m for m in mutants if str(m.number) in results and not results[str(m.number)]["noticed"]]
    lines = ["folder                       faults  noticed"] + score_table(mutants, results)
    if unnoticed:
        lines += ["", "Unnoticed:"]
    for mutant in sorted(unnoticed, key=lambda m: (m.file, m.number)):
        lines += ["", f"({results[str(mutant.number)]['reaching']} tests come by)", mutant.text().rstrip()]
    text = "\n".join(lines) + "\n"
    (workshop.folder / "report.txt").write_text(text)
    print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workshop", type=pathlib.Path, default=SOURCE / "build-mutants", help="where to build (build-mutants/)")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, function in (("run", run), ("draw", draw), ("report", report)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        command.add_argument("--under", default="", help="only faults in files whose path begins so")
        command.add_argument("--seed", type=int, default=int(time.time()), help="of the draw, or of the order")
    commands.choices["draw"].add_argument("--count", type=int, default=40, help="how many places")
    once = commands.choices["run"]
    once.add_argument("--numbers", type=whole_numbers, help="only these faults: 3,17")
    once.add_argument("--again", action="store_true", help="only what nothing noticed in the last run")
    once.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many tests at once (one a processor)")
    once.add_argument("--slowest", type=float, help="leave out tests that take more than so many seconds")
    once.add_argument("--no-build", dest="build", action="store_false", help="take the build that is there")
    once.add_argument("--no-learn", dest="learn", action="store_false", help="take what is known of which tests come by which fault")
    arguments = parser.parse_args()
    try:
        arguments.function(arguments, Workshop(arguments.workshop.resolve()))
    except mutant_list.ListError as error:
        sys.exit(f"mutants: {error}")
    except KeyboardInterrupt:
        sys.exit("mutants: interrupted; 'mutants.py report' shows what is known so far")


if __name__ == "__main__":
    main()
