#!/usr/bin/env python3
"""Runs are recorded, what they read is removed or changed, and the command that `oscope show run --repeat` prints repeats them.

usage: repeat_test.py OSCOPE PROGRAMS [unittest arguments]
PROGRAMS is where the programs of project/ have been built.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cases  # noqa: E402
from sample_project import Project, run  # noqa: E402

OSCOPE = None

# Says what it was given; fails by what it read.
SOURCE = r"""
#include <stdio.h>
static int sum(FILE* file) {
  int sum = 0;
  for (int c = getc(file); c != EOF; c = getc(file)) sum += c;
  return sum;
}
int main(int argc, char** argv) {
  FILE* file = argc > 2 ? fopen(argv[1], "r") : NULL;
  if (file == NULL) return 99;
  printf("%d %d %s\n", sum(file), sum(stdin), argv[2]);
  return 7;
}
"""


class Repository(unittest.TestCase):
    """A repository with a program in sub/, and a store at its root."""

    def setUp(self):
        top = tempfile.TemporaryDirectory(prefix="oscope-repeat-")
        self.addCleanup(top.cleanup)
        self.root = pathlib.Path(top.name).resolve() / "the repository"
        self.sub = self.root / "sub"
        self.sub.mkdir(parents=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OSCOPE_", "GIT_"))}
        self.environment = {**environment, "GIT_CEILING_DIRECTORIES": top.name,
                            "PATH": f"{pathlib.Path(OSCOPE).parent}:{environment['PATH']}"}
        (self.root / ".gitignore").write_text("*.txt\nprogram\n")
        (self.sub / "program.c").write_text(SOURCE)
        self.call("cc", "-g", "-O1", "program.c", "-o", "program", check=True)
        for words in (["init", "-q"], ["config", "user.name", "T"], ["config", "user.email", "t@example.org"], ["add", "."],
                      ["commit", "-q", "-m", "one"]):
            self.call("git", *words, check=True, cwd=self.root)
        self.call(OSCOPE, "init", "--quiet", check=True, cwd=self.root)
        (self.sub / "in put.txt").write_text("of the file")

    def call(self, *words, **options):
        options.setdefault("cwd", self.sub)
        return run(*words, env=self.environment, **options)

    def trace(self, *options, command=("./program", "in put.txt", "it's $HOME"), **rest):
        done = self.call(OSCOPE, "trace", "--recorder", "valgrind", "--project", "P", *options, "--", *command, **rest)
        self.assertEqual(done.returncode, 7, done.stderr)
        listed = json.loads(self.call(OSCOPE, "list", "runs", "--json", check=True).stdout)
        runs = listed["runs"] if isinstance(listed, dict) else listed
        return max(runs, key=lambda one: one["started"])["id"], done.stdout

    def shown(self, run_id, **options):
        return json.loads(self.call(OSCOPE, "show", "run", run_id, "--json", "--repeat", check=True, **options).stdout)

    def repeat(self, run_id, **options):
        script = self.call(OSCOPE, "show", "run", run_id, "--repeat", check=True, **options).stdout
        return script, self.call("sh", "-c", script, stdin=subprocess.DEVNULL, **options)

    def test_a_run_is_repeated(self):
        run_id, printed = self.trace(input="of standard input")
        (self.sub / "in put.txt").unlink()
        script, again = self.repeat(run_id, cwd=self.root)
        self.assertEqual((again.returncode, again.stdout), (7, printed), script + again.stderr)
        self.assertNotIn("#", script)  # nothing is missing
        self.assertEqual((self.sub / "in put.txt").read_text(), "of the file")
        shown = self.shown(run_id)["repeat"]
        self.assertEqual(shown["missing"], [])
        self.assertEqual("\n".join(["set -e", *shown["commands"]]) + "\n", script)
        self.assertEqual(shown["directory"], "sub")
        self.assertEqual(shown["revision"], self.call("git", "rev-parse", "HEAD").stdout.strip())
        self.assertNotIn("changes", shown)
        built, = [one for one in shown["builds"] if one["path"].endswith("/program")]
        self.assertIn("Build ID: " + built["build_id"], self.call("readelf", "-n", "program").stdout)
        self.assertTrue(built["compilers"])
        text = self.call(OSCOPE, "show", "run", run_id, check=True).stdout
        self.assertIn("\nTo repeat it\n  cd ", text)
        self.assertNotIn("\nMissing for that\n", text)
        self.assertIn("\nDirectory: sub\n", text)

    def test_a_program_that_was_built_anew_is_told(self):
        run_id, _ = self.trace(input="")
        program = self.sub / "program"
        kept = program.read_bytes()
        for change, told in [(program.unlink, "is not there"), (lambda: shutil.copy("/bin/true", program), "is another build than the one that ran")]:
            change()
            self.assertIn(f"{program} {told}", " ".join(self.shown(run_id)["repeat"]["missing"]))
        program.write_bytes(kept)
        self.assertEqual(self.shown(run_id)["repeat"]["missing"], [])

    def test_a_file_that_was_changed_is_not_overwritten(self):
        run_id, printed = self.trace(input="x")
        (self.sub / "in put.txt").write_text("of the user")
        script, again = self.repeat(run_id)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("exists with other contents", again.stderr)
        self.assertEqual((self.sub / "in put.txt").read_text(), "of the user")
        again = self.call("sh", "-c", script.replace("--restore", "--restore --force"))
        self.assertEqual((again.returncode, again.stdout), (7, printed), again.stderr)

    def test_one_input_is_printed(self):
        run_id, _ = self.trace(input="of standard input")
        self.assertEqual(self.call(OSCOPE, "show", "run", run_id, "--input", "-", check=True).stdout, "of standard input")
        self.assertEqual(self.call(OSCOPE, "show", "run", run_id, "--input", "in put.txt", check=True).stdout, "of the file")
        self.assertIn("has no input 'x'", self.call(OSCOPE, "show", "run", run_id, "--input", "x").stderr)
        both = self.call(OSCOPE, "show", "run", run_id, "--input", "x", "--repeat")
        self.assertIn("exclude each other", both.stderr)

    def test_what_is_missing_is_told(self):
        (self.sub / "large.txt").write_bytes(b"x" * ((1 << 20) + 1))
        (self.sub / "program.c").write_text(SOURCE + "// a change\n")
        run_id, _ = self.trace(command=("./program", "large.txt", "--password=secret"), input="")
        script = self.call(OSCOPE, "show", "run", run_id, "--repeat", check=True).stdout
        self.assertIn("# parts of its command that looked secret were masked", script)
        self.assertIn("# large.txt was too large to be kept", script)
        self.assertNotIn("uncommitted", script)  # the same changes are here
        self.assertNotIn("=secret", script)
        self.call("git", "checkout", "-q", "program.c", check=True)
        missing = self.shown(run_id)["repeat"]["missing"]
        self.assertIn("it was built with uncommitted changes", missing[-1])
        self.call("git", "commit", "-q", "--allow-empty", "-m", "two", check=True)
        self.assertIn("is checked out here", " ".join(self.shown(run_id)["repeat"]["missing"]))
        self.assertIn("\nMissing for that\n", self.call(OSCOPE, "show", "run", run_id, check=True).stdout)

    def test_a_long_standard_input_is_not_whole(self):
        run_id, _ = self.trace(input="x" * ((1 << 20) + 1))
        self.assertEqual(self.shown(run_id)["repeat"]["missing"], ["its standard input was too large to be kept whole"])
        run_id, _ = self.trace(input="x" * ((1 << 20) - 1))
        self.assertEqual(self.shown(run_id)["repeat"]["missing"], [])

    def test_without_inputs(self):
        run_id, _ = self.trace("--no-input", input="x")
        shown = self.shown(run_id)
        self.assertEqual(shown["inputs"], [])
        self.assertIn("--no-input", " ".join(shown["repeat"]["missing"]))
        self.assertNotIn("--restore", " ".join(shown["repeat"]["commands"]))

    def test_nothing_of_it_leaves_unasked(self):
        run_id, _ = self.trace(input="of standard input")
        for kind in ("jsonl", "osct"):
            with self.subTest(kind):
                for options in ([], ["--with-input"]):
                    store = f"../{kind}{len(options)}.store"
                    self.call(OSCOPE, "export", "--format", kind, "-o", f"{kind}.out", *options, check=True)
                    self.call(OSCOPE, "init", "--quiet", "--store", store, check=True)
                    self.call(OSCOPE, "import", "--quiet", f"{kind}.out", "--store", store, check=True)
                    there = json.loads(self.call(OSCOPE, "show", "run", run_id, "--json", "--store", store, check=True).stdout)
                    here = self.shown(run_id)
                    if options:
                        for name in ("directory", "revision", "builds"):
                            self.assertEqual(there["repeat"][name], here["repeat"][name])
                        self.assertEqual(there["command"], here["command"])
                    else:
                        self.assertEqual(set(there["repeat"]), {"revision", "builds", "commands", "missing"})
                        self.assertEqual(there["repeat"]["commands"], [])
                        self.assertTrue(all("compilers" not in one for one in there["repeat"]["builds"]))

    def test_outside_of_a_repository(self):
        elsewhere = self.root.parent / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "in.txt").write_text("x")
        options = {"cwd": elsewhere, "input": ""}
        done = self.call(OSCOPE, "trace", "--recorder", "valgrind", "--project", "P", "--store", self.root / ".oscope", "--", self.sub / "program", "in.txt", "w",
                        **options)
        self.assertEqual(done.returncode, 7, done.stderr)
        listed = json.loads(self.call(OSCOPE, "list", "runs", "--json", check=True).stdout)
        run_id = (listed["runs"] if isinstance(listed, dict) else listed)[0]["id"]
        (elsewhere / "in.txt").unlink()
        script = self.call(OSCOPE, "show", "run", run_id, "--repeat", "--store", self.root / ".oscope", cwd=elsewhere, check=True).stdout
        self.assertIn("# the directory in which it ran is not known", script)
        self.assertIn("# the revision that it was built from is not known", script)
        again = self.call("sh", "-c", script, cwd=elsewhere, stdin=subprocess.DEVNULL)
        self.assertEqual((again.returncode, again.stdout), (7, done.stdout), again.stderr)

    def test_a_run_without_a_command_cannot_be_repeated(self):
        (self.sub / "run.jsonl").write_text('{"type":"run","project":"P","id":"%s","outcome":"failed"}\n' % ("a" * 32))
        self.call(OSCOPE, "import", "--quiet", "run.jsonl", check=True)
        done = self.call(OSCOPE, "show", "run", "a" * 32, "--repeat")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("its command was not kept, and so it cannot be repeated", done.stderr)
        self.assertNotIn("repeat", self.call(OSCOPE, "show", "run", "a" * 32, check=True).stdout)


class Tests(Project):
    """Of `oscope test`."""

    def test_a_case_is_repeated_alone(self):
        report = self.report_of(tests="^cases$")
        order = next(one for one in report["tests"] if one["test"] == "cases:Queue.Order")
        stored = json.loads(self.oscope("show", "run", order["run"], "--json", "--repeat", check=True).stdout)
        self.assertEqual(stored["repeat"]["selection"], {"runner": "ctest", "framework": "GoogleTest", "filter": "Queue.Order"})
        self.assertEqual(stored["repeat"]["expected"], {"exit_code": 0})
        script = self.oscope("show", "run", order["run"], "--repeat", check=True).stdout
        again = run("sh", "-c", script, cwd=self.root, env=self.environment)
        self.assertEqual(again.returncode, stored["exit_code"], script + again.stderr)
        self.assertIn("1 FAILED TEST", again.stdout)
        self.assertIn("[  FAILED  ] Queue.Order", again.stdout)
        self.assertNotIn("Queue.Empty", again.stdout)


if __name__ == "__main__":
    OSCOPE = Project.oscope_path = str(pathlib.Path(sys.argv[1]).resolve())
    Project.programs = pathlib.Path(sys.argv[2]).resolve()
    cases.require("cc", "cmake", "ctest", "git", "readelf", "valgrind")
    cases.run(sys.argv[3:])
