#!/usr/bin/env python3
"""`oscope same` with a bug that has as many runs as are compared, and one more: which of them count.

usage: same_runs_test.py OSCOPE [unittest arguments]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

OSCOPE = None
DEADLINE_SECONDS = 300
MOST_COMPARED = 1000
PROGRAM = "#include <stdlib.h>\nvoid fail(void) { abort(); }\nint main(void) { fail(); }\n"


class SameRunsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.TemporaryDirectory(prefix="oscope-same-runs-")
        cls.addClassCleanup(cls.top.cleanup)
        cls.root = pathlib.Path(cls.top.name)
        seeded = {name: value for name, value in os.environ.items() if name.startswith("OSCOPE_MUTANT")}
        cls.environment = {**seeded, "PATH": os.environ["PATH"], "HOME": cls.top.name, "LC_ALL": "C.UTF-8"}
        (cls.root / "fails.c").write_text(PROGRAM)
        cls.run_in("cc", "-g", "-O0", "-o", "fails", "fails.c")
        cls.oscope("init", "--quiet", store="first")
        cls.oscope("trace", "--project", "P", "--bug", "1", "--", "./fails", store="first", code=-6)
        cls.oscope("export", "--output", "first.jsonl", store="first")
        lines = [json.loads(line) for line in (cls.root / "first.jsonl").read_text().splitlines()]
        cls.fingerprint = next(line["failure"]["fingerprint"] for line in lines if line["type"] == "run")

    @classmethod
    def run_in(cls, *command, code=0):
        done = subprocess.run([str(word) for word in command], cwd=cls.root, env=cls.environment, capture_output=True, text=True,
                              timeout=DEADLINE_SECONDS)
        if done.returncode != code:
            raise AssertionError(f"{command}: {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}")
        return done

    @classmethod
    def oscope(cls, command, *arguments, store, code=0):
        return cls.run_in(OSCOPE, command, "--store", store, *arguments, code=code)

    def store_of(self, runs, failing_alike):
        """A store with a bug of so many runs, of which the one at that place, in order of ids, failed as ./fails does."""
        name = f"{runs}-{failing_alike}"
        self.oscope("init", "--quiet", store=name)
        with open(self.root / f"{name}.jsonl", "w", encoding="utf-8") as file:
            for place in range(runs):
                fingerprint = self.fingerprint if place == failing_alike else f"{place:016x}"
                run = {"type": "run", "id": f"{place + 1:032x}", "project": "P", "bug": "1", "outcome": "failed", "custom": {"fingerprint": fingerprint}}
                file.write(json.dumps(run) + "\n")
        self.oscope("import", "--quiet", f"{name}.jsonl", store=name)
        return name

    def test_as_many_runs_as_are_compared(self):
        done = self.oscope("same", "P-1", "--", "./fails", store=self.store_of(MOST_COMPARED, MOST_COMPARED - 1), code=1)
        self.assertIn("P-1 is there: the same failure", done.stderr)

    def test_one_more_is_not_compared(self):
        done = self.oscope("same", "P-1", "--", "./fails", store=self.store_of(MOST_COMPARED + 1, MOST_COMPARED), code=125)
        self.assertIn("the command fails in another way", done.stderr)

    def test_the_first_ones_are_compared(self):
        for place in (0, MOST_COMPARED - 1):
            done = self.oscope("same", "P-1", "--", "./fails", store=self.store_of(MOST_COMPARED + 1, place), code=1)
            self.assertIn("P-1 is there: the same failure", done.stderr)


if __name__ == "__main__":
    OSCOPE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
