#!/usr/bin/env python3
"""`oscope same`: its exit codes, and `git bisect run` over a real repository that is made here.

usage: same_test.py OSCOPE [unittest arguments]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cases  # noqa: E402

OSCOPE = None
DEADLINE_SECONDS = 300

MAKEFILE = "calc: calc.c\n\tcc -g -O0 -o calc calc.c\n"

# The parts of calc.c that commits change.
FIRST = {
    "include": "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n",
    "trace": "",
    "number": """static long read_number(const char **text) {
  long value = 0;
  while (**text >= '0' && **text <= '9') value = value * 10 + (*(*text)++ - '0');
  return value;
}
""",
    "term": "static long read_term(const char **text) { return read_number(text); }\n",
    "sum": """static long read_sum(const char **text) {
  long value = read_term(text);
  while (**text == '+') {
    ++*text;
    value += read_term(text);
  }
  return value;
}
""",
    "check": "static void check(long value, long expected) { assert(value == expected); }\n",
    "main": """int main(int argc, char **argv) {
  const char *text = argv[1];
  if (argc != 3) return 2;
  check(read_sum(&text), atol(argv[2]));
  return 0;
}
""",
}

PRODUCTS = """static long read_term(const char **text) {
  long value = read_number(text);
  while (**text == '*') {
    ++*text;
    value *= read_number(text);
  }
  return value;
}
"""

# Title and the parts that it changes. The bug comes with the seventh, hidden by the ninth, which crashes; the fifth does not compile.
COMMITS = [
    ("numbers and sums", {}),
    ("products", {"term": PRODUCTS}),
    ("a comment", {"include": FIRST["include"] + "// A calculator.\n"}),
    ("say when it is called wrongly", {"main": FIRST["main"].replace("return 2", 'return puts("usage: calc SUM RESULT"), 2')}),
    ("tidy up", {"sum": FIRST["sum"].replace("value += read_term(text);", "value += read_term(text)")}),
    ("tidy up again", {"sum": FIRST["sum"]}),
    ("smaller numbers", {"number": FIRST["number"].replace("long value = 0", "unsigned char value = 0")}),
    ("another comment", {"include": FIRST["include"] + "// A small calculator.\n"}),
    ("a log", {"trace": "static void log_call(const char *text) { if (*text > *(const char *)0) puts(text); }\n",
               "main": FIRST["main"].replace("  check", "  log_call(text);\n  check")}),
    ("no log", {"trace": "", "main": FIRST["main"]}),
    # From here on the failure has another message. It is the same one: of a failed assertion the fingerprint has the functions alone.
    ("the other way round", {"check": FIRST["check"].replace("value == expected", "expected == value")}),
    ("documentation", {"include": FIRST["include"] + "// A small calculator: calc SUM RESULT.\n"}),
]
FAULTY = 6


class SameTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.TemporaryDirectory(prefix="oscope-same-")
        cls.addClassCleanup(cls.top.cleanup)
        cls.root = pathlib.Path(cls.top.name) / "calc"
        cls.root.mkdir()
        seeded = {name: value for name, value in os.environ.items() if name.startswith("OSCOPE_MUTANT")}
        cls.environment = {**seeded, "PATH": f"{pathlib.Path(OSCOPE).parent}:{os.environ['PATH']}", "HOME": cls.top.name, "TMPDIR": cls.top.name, "LC_ALL": "C.UTF-8",
                           "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": cls.top.name}
        cls.run_in("git", "init", "-q", "-b", "main", check=True)
        cls.run_in("git", "config", "user.name", "Calc", check=True)
        cls.run_in("git", "config", "user.email", "calc@example.org", check=True)
        parts = dict(FIRST)
        (cls.root / "Makefile").write_text(MAKEFILE)
        (cls.root / ".gitignore").write_text("calc\n.oscope\n")
        cls.commits = []
        for title, changes in COMMITS:
            parts.update(changes)
            (cls.root / "calc.c").write_text("".join(parts.values()))
            cls.run_in("git", "add", ".", check=True)
            cls.run_in("git", "commit", "-q", "-m", title, check=True)
            cls.commits.append(cls.run_in("git", "rev-parse", "HEAD", check=True).stdout.strip())
        # The bug as it is today.
        cls.run_in("make", "-s", check=True)
        cls.run_in(OSCOPE, "init", "--quiet", check=True)
        failing = cls.run_in(OSCOPE, "trace", "--project", "Calc", "--bug", "1", "--", "./calc", "300+1", "301")
        assert failing.returncode == -6, failing
        shutil.copytree(cls.root / ".oscope", cls.root.parent / "store")

    def setUp(self):
        shutil.rmtree(self.root / ".oscope")
        shutil.copytree(self.root.parent / "store", self.root / ".oscope")

    @classmethod
    def run_in(cls, *command, check=False):
        done = subprocess.run([str(word) for word in command], cwd=cls.root, env=cls.environment, capture_output=True, text=True,
                              timeout=DEADLINE_SECONDS)
        if check and done.returncode != 0:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def same(self, *arguments):
        return self.run_in(OSCOPE, "same", "--project", "Calc", *arguments)

    def build(self, commit):
        self.run_in("git", "checkout", "-q", self.commits[commit], check=True)
        self.addCleanup(self.run_in, "git", "checkout", "-q", "main", check=True)
        return self.run_in("make", "-s", "-B")

    def test_there_by_its_fingerprint(self):
        self.build(11)
        done = self.same("Calc-1", "--", "./calc", "300+1", "301")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Calc-1 is there: the same failure", done.stderr)
        self.assertIn("Assertion `expected == value' failed", done.stderr)  # the program's own

    def test_there_by_its_fingerprint_with_another_message(self):
        self.build(FAULTY)
        done = self.same("Calc-1", "--", "./calc", "300+1", "301")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Calc-1 is there: the same failure", done.stderr)
        self.assertIn("Assertion `value == expected' failed", done.stderr)

    def test_there_by_its_trace(self):
        exported = self.run_in(OSCOPE, "export", "--quiet", "--bug", "Calc-1", check=True).stdout
        with tempfile.TemporaryDirectory(prefix="oscope-same-") as home:
            other = pathlib.Path(home) / "other.jsonl"
            other.write_text(re.sub('"fingerprint":"[0-9a-f]{16}"', '"fingerprint":"0123456789abcdef"', exported))
            self.run_in(OSCOPE, "init", "--quiet", home, check=True)
            store = ("--store", f"{home}/.oscope")
            self.run_in(OSCOPE, "import", "--quiet", *store, other, check=True)
            self.build(FAULTY)
            done = self.same("1", *store, "--", "./calc", "300+1", "301")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Calc-1 is there: its last events are no edit from run", done.stderr)

    def test_absent(self):
        self.build(FAULTY - 1)
        done = self.same("1", "--", "./calc", "300+1", "301")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Calc-1 is absent: the command passes", done.stderr)

    def test_another_failure(self):
        self.build(8)  # crashes: 139 for a shell
        done = self.same("1", "--", "./calc", "300+1", "301")
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertIn("the command fails in another way", done.stderr)
        self.build(FAULTY)
        self.assertEqual(self.same("1", "--", "./calc").returncode, 125)  # its own exit code is 2
        # Whoever allows everything gets it.
        self.assertEqual(self.same("1", "--distance", "50", "--", "./calc").returncode, 1)

    def test_behind_a_shell_script(self):
        codes = '#include <stdlib.h>\nvoid stop(int code) { exit(code); }\nint main(int argc, char **argv) { stop(atoi(argv[argc - 1])); }\n'
        other = pathlib.Path(self.top.name) / "other"
        other.with_suffix(".c").write_text(codes)
        self.run_in("cc", "-g", "-O0", "-o", other, other.with_suffix(".c"), check=True)
        self.build(11)

        def script(name, text):
            path = pathlib.Path(self.top.name) / name
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
            return path
        first = script("first.sh", "./calc")  # its own exit code is 2
        self.assertEqual(self.run_in(OSCOPE, "trace", "--project", "Calc", "--bug", "3", "--", first).returncode, 2)
        for path, code in [(first, 1), (script("nested.sh", first), 1), (script("same_code.sh", f"{other} 2"), 125),
                           (script("another_code.sh", "cat ./nonexistent"), 125), (script("own_code.sh", "./calc; exit 3"), 125)]:
            with self.subTest(path.name):
                done = self.same("3", "--", path)
                self.assertEqual(done.returncode, code, done.stderr)
        # The same way to another code.
        self.assertEqual(self.run_in(OSCOPE, "trace", "--project", "Calc", "--bug", "4", "--", other, "4").returncode, 4)
        self.assertEqual(self.same("4", "--", other, "4").returncode, 1)
        done = self.same("4", "--", other, "5")
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertIn("the command fails in another way (exit code 5)", done.stderr)

    def test_what_cannot_be_told(self):
        self.run_in(OSCOPE, "bug", "add", "--project", "Calc", "2", "--title", "no run", check=True)
        for arguments in (["1", "--", "./no_such_program"], ["9", "--", "./calc"], ["2", "--", "./calc"], ["1"], [], ["--nonsense", "1", "--", "x"],
                          ["1", "--timeout", "0", "--", "./calc"], ["1", "--distance", "far", "--", "./calc"]):
            done = self.same(*arguments)
            self.assertEqual(done.returncode, 125, (arguments, done.stderr))
            self.assertTrue(done.stderr)

    def test_kept_on_request_only(self):
        def runs():
            return json.loads(self.run_in(OSCOPE, "list", "runs", "--json", check=True).stdout)["runs"]
        self.build(FAULTY)
        before = len(runs())
        self.same("1", "--", "./calc", "300+1", "301")
        self.assertEqual(len(runs()), before)
        self.assertEqual(self.same("1", "--keep", "--", "./calc", "300+1", "301").returncode, 1)
        self.assertEqual(self.same("1", "--keep", "--", "./calc", "3+1", "4").returncode, 0)
        added = runs()
        self.assertEqual(len(added), before + 2)
        self.assertEqual(sorted((run.get("bug", ""), run["outcome"]) for run in added)[:1], [("", "passed")])

    def test_bisect(self):
        self.addCleanup(self.run_in, "git", "bisect", "reset")
        self.run_in("git", "bisect", "start", self.commits[-1], self.commits[0], check=True)
        done = self.run_in("git", "bisect", "run", "sh", "-c",
                           "make -s -B || exit 125; oscope same Calc-1 -- ./calc 300+1 301")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{self.commits[FAULTY]} is the first bad commit", done.stdout)

    def test_bisect_meets_what_is_not_the_bug(self):
        """Between the crash and the bug: both 125 and 1 occur on the way."""
        self.addCleanup(self.run_in, "git", "bisect", "reset")
        self.run_in("git", "bisect", "start", self.commits[9], self.commits[3], check=True)
        script = "make -s -B || { echo 125 >> ../codes; exit 125; }; oscope same Calc-1 -- ./calc 300+1 301; code=$?; echo $code >> ../codes; exit $code"
        done = self.run_in("git", "bisect", "run", "sh", "-c", script)
        self.assertIn(f"{self.commits[FAULTY]} is the first bad commit", done.stdout, done.stderr)
        codes = (self.root.parent / "codes").read_text().split()
        self.assertTrue(set(codes) <= {"0", "1", "125"}, codes)


if __name__ == "__main__":
    OSCOPE = str(pathlib.Path(sys.argv[1]).resolve())
    cases.require("git", "make", "cc", "valgrind")
    cases.run(sys.argv[2:])
