#!/usr/bin/env python3
"""Fails a real program under `oscope trace` and looks at the answer: similar bugs, the query that is asked, what is remembered.

usage: answer_test.py OSCOPE CC [unittest arguments]
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

OSCOPE, CC = sys.argv[1:3]

PROGRAM = r"""
#include <stdlib.h>
#include <string.h>
static volatile int sink;
void open_file(void) { ++sink; }
void read_line(void) { ++sink; }
void parse_key(void) { ++sink; }
void parse_value(int n) { sink += n; if (n > 1) abort(); }
int main(int argc, char** argv) {
  open_file();
  for (int i = 1; i < argc; ++i) {
    read_line();
    if (!strcmp(argv[i], "key")) parse_key();
    if (!strcmp(argv[i], "value")) parse_value(1);
    if (!strcmp(argv[i], "empty")) parse_value(2);
  }
  return 0;
}
"""


class AnswerTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="oscope_answer_"))
        self.addCleanup(shutil.rmtree, self.directory)
        (self.directory / "parser.c").write_text(PROGRAM)
        subprocess.run([CC, "-O0", "-g", "parser.c", "-o", "parser"], cwd=self.directory, check=True)
        self.oscope("init", "--quiet")
        # Two bugs, one of them with a fix.
        self.trace("key", "value", "empty", options=["--bug", "1", "--title", "An empty value aborts"])
        self.trace("key", "key", "value", "empty", options=["--bug", "2", "--title", "Another"])
        self.oscope("bug", "fix", "Demo-1", "--note", "Checked for emptiness first", "--quiet")

    def oscope(self, *words, code=0):
        environment = {**os.environ, "OSCOPE_STORE": ""}
        done = subprocess.run([OSCOPE, "--project", "Demo", *words], cwd=self.directory, text=True, capture_output=True, env=environment,
                              timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def trace(self, *arguments, options=(), code=-6):
        return self.oscope("trace", *options, "--", "./parser", *arguments, code=code).stderr

    def test_a_failing_run_gets_similar_bugs(self):
        told = self.trace("key", "value", "empty")
        lines = told.splitlines()
        head = next(i for i, line in enumerate(lines) if line.lstrip().startswith("HOW NEAR"))
        self.assertRegex(lines[head + 1], r"^ *0 edits +\d+/\d+ +Demo-1 +\S+ +An empty value aborts +Checked for emptiness first")
        self.assertIn("Demo-2", lines[head + 2])
        self.assertIn("`oscope show bug Demo-1` tells more; `oscope similar ", lines[-1])
        # The same answer afterwards, by the command that the last line names.
        again = self.oscope("similar", lines[-1].split("oscope similar ")[1].split()[0], "--quiet").stdout.splitlines()
        self.assertEqual(again, lines[head:-1])

    def test_a_passing_run_gets_none(self):
        self.assertNotIn("HOW NEAR", self.trace("key", "value", code=0))

    def test_the_query_is_remembered_for_the_test(self):
        self.oscope("query", "CREATE QUERY alike(bug) AS SELECT b FROM ALL WHERE INTERSECT?(b, :bug) && b.id != '1'")
        self.oscope("query", "CREATE QUERY mine AS SELECT b FROM ALL WHERE INTERSECT?(b, tbug)")
        self.assertIn("no bug is similar", self.trace("key", "value", "empty", options=["--query", "alike"]))
        listed = self.oscope("query", "--remembered", "--json").stdout
        remembered = json.loads(listed)
        self.assertEqual([(one["project"], one["query"]) for one in remembered], [("Demo", "alike")])
        version = len(list((self.directory / ".oscope" / "manifests").iterdir()))
        self.assertIn("no bug is similar", self.trace("key", "value", "empty"))
        self.assertEqual(len(list((self.directory / ".oscope" / "manifests").iterdir())), version + 1)  # the run itself
        # Another test has its own.
        self.assertIn("Demo-1", self.trace("key", "empty"))
        self.assertIn("Demo-1", self.trace("key", "value", "empty", options=["--query", "mine"]))
        self.assertIn("Demo-1", self.trace("key", "value", "empty", options=["--query", "suffix(tbug, d => 0)"]))
        # What cannot be asked any more is told of.
        self.trace("key", "value", "empty", options=["--query", "alike"])
        self.oscope("query", "DROP QUERY alike")
        told = self.trace("key", "value", "empty")
        self.assertIn("cannot be asked: there is no saved query 'alike'", told)
        self.assertIn("Demo-1", told)
        self.oscope("query", "--forget", remembered[0]["test"])
        self.assertEqual(json.loads(self.oscope("query", "--remembered", "--json").stdout), [])

    def test_a_remembered_query_is_told_and_forgotten(self):
        note = "by the query alike, which is remembered for this test; --query usual forgets it"
        self.oscope("query", "CREATE QUERY alike(bug) AS SELECT b FROM ALL WHERE INTERSECT?(b, :bug) && b.id != '1'")
        self.assertNotIn(note, self.trace("key", "value", "empty", options=["--query", "alike"]))
        self.assertIn(f"oscope: {note}\n", self.trace("key", "value", "empty"))
        self.assertEqual(json.loads(self.trace("key", "value", "empty", options=["--json"]).splitlines()[-1])["notes"], [note])
        # Whatever is saved under that name.
        self.oscope("query", "CREATE QUERY usual(bug) AS SELECT b FROM ALL WHERE INTERSECT?(b, :bug) && b.id != '1'")
        self.assertIn("Demo-1", self.trace("key", "value", "empty", options=["--query", "usual"]))
        self.assertEqual(json.loads(self.oscope("query", "--remembered", "--json").stdout), [])
        told = self.trace("key", "value", "empty")
        self.assertIn("Demo-1", told)
        self.assertNotIn("remembered", told)

    def test_a_wrong_query_is_told_before_the_program_runs(self):
        for query, reason in [("alkie", "there is no saved query 'alkie'"), ("stack", "'d' is missing")]:
            done = self.oscope("trace", "--query", query, "--", "./parser", "empty", code=125)
            self.assertIn(reason, done.stderr)
        self.assertEqual(len(json.loads(self.oscope("list", "runs", "--json").stdout)), 2)

    def test_a_query_may_give_rows_of_several_bugs(self):
        self.oscope("query", "CREATE QUERY pairs AS SELECT a, b FROM ALL WHERE INTERSECT?(a, b, any)")
        self.assertRegex(self.trace("key", "value", "empty", options=["--query", "pairs"]), r"Demo-1 +Demo-2")


if __name__ == "__main__":
    cases.require("valgrind", CC)
    cases.run(sys.argv[3:])
