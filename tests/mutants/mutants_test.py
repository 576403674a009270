#!/usr/bin/env python3
"""Tests of the scripts that seed faults: where they go, how they are switched, and that a run tells noticed from unnoticed ones."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import mutant_list
import mutants
import places
import runner
import switch

COMPILER = shutil.which(os.environ.get("CXX", "c++"))


def kinds(line, before="}"):
    return {kind: faulty for kind, faulty in places.faults(line, before)}


class PlacesTest(unittest.TestCase):
    def test_a_check(self):
        found = kinds("  if (count > bytes.size()) return Corrupt(\"a < b\");")
        self.assertEqual(found["check removed"], 'if (false) return Corrupt("a < b");')
        self.assertEqual(found["condition turned"], 'if (!(count > bytes.size())) return Corrupt("a < b");')
        self.assertEqual(found["comparison turned"], 'if (count >= bytes.size()) return Corrupt("a < b");')

    def test_each_kind_on_a_line_of_its_own(self):
        self.assertEqual(kinds("OSCOPE_RETURN_IF_ERROR(file->Sync());"), {"error dropped": "(void)(file->Sync());"})
        self.assertEqual(kinds("files.fs().Remove(path);"), {"statement removed": ""})
        self.assertEqual(kinds("state_ = kOpen;"), {"statement removed": ""})
        self.assertEqual(kinds("return true;"), {"answer turned": "return false;"})
        self.assertEqual(kinds("const bool near = a && b;"), {"and for or": "const bool near = a || b;"})
        self.assertEqual(kinds("return begin + 1;"), {"one off": "return begin;"})
        self.assertEqual(kinds("return std::min(a, b);"), {"least for greatest": "return std::max(a, b);"})
        self.assertEqual(kinds("for (size_t i = 0; i < n; ++i) {"), {"comparison turned": "for (size_t i = 0; i <= n; ++i) {"})

    def test_where_nothing_is_seeded(self):
        for line in ("// if (a < b) {", "std::vector<int> values;", "#include <vector>", "OSCOPE_CHECK(a < b);", "names.reserve(3);", "if (const auto it = f(); it != end) {",
                     "Status Sync() override;", "a < b,", 'text += "x && y', "}"):
            self.assertEqual(places.faults(line, "}"), [], line)
        self.assertEqual(places.faults("b.Call();", "const auto x = a +"), [], "the end of a statement of two lines")
        self.assertEqual(places.of_file('auto t = R"(\nf();\n)";\ng();\n'), [(3, [("statement removed", "")])])


class ListTest(unittest.TestCase):
    def test_what_is_written_is_read_again(self):
        some = [mutant_list.Mutant(1, "a/b.cc", "check removed", "if (a) f();", "if (false) f();"),
                mutant_list.Mutant(9, "a/c.cc", "statement removed", "f();", "", 2, "nobody can see it")]
        self.assertEqual(mutant_list.parse("# comment\n\n" + "\n".join(m.text() for m in some)), some)
        self.assertEqual(some[0].folder, "a")

    def test_errors_name_the_place(self):
        for text, message in (("x\n", "expected 'NUMBER FILE KIND'"), ("- a\n", "before its first line"), ("1 a.cc kind\n", "has no '-' line"),
                              ("1 a.cc kind\n- a\n+ a\n", "changes nothing"), ("1 a.cc kind\n- a\n- b\n", "a second '-' line")):
            with self.assertRaisesRegex(mutant_list.ListError, message):
                mutant_list.parse(text)
        with self.assertRaisesRegex(mutant_list.ListError, "no such line any more"):
            switch.switched_source("g();\n", [mutant_list.Mutant(1, "a.cc", "k", "f();")])

    def test_the_lists_of_the_project_fit_its_sources(self):
        gone = []
        for mutant in mutant_list.read(mutants.LISTS):
            try:
                mutant_list.line_of(mutant, (mutants.SOURCE / mutant.file).read_text().splitlines())
            except (mutant_list.ListError, FileNotFoundError) as error:
                gone.append(str(error))
        self.assertEqual(gone, [], "put the line as it is now, or take the fault out if its place is gone")


class CommandTest(unittest.TestCase):
    def test_wrong_calls_are_told_before_anything_is_built(self):
        with tempfile.TemporaryDirectory() as scratch:
            for arguments, message in ((["run", "--numbers", "x"], "invalid whole_numbers value: 'x'"), (["run", "--numbers", "999999"], "no fault has the number 999999"),
                                       (["run", "--no-build"], "run once without --no-build"), (["report"], "has no results"),
                                       (["draw", "--count", "0"], "--count takes a number from 1 on")):
                done = subprocess.run([sys.executable, mutants.HERE / "mutants.py", "--workshop", f"{scratch}/w", *arguments], capture_output=True, text=True)
                self.assertNotEqual(done.returncode, 0, arguments)
                self.assertIn(message, done.stderr)
                self.assertFalse(pathlib.Path(scratch, "w").exists())


PROGRAM = """#include <cstdio>
int Twice(int x) {
  int y = x + x;
  if (x < 3 && x != 1) y = 7;  // a comment
  for (int i = 0; i < 2; ++i) y += 1;
  const bool odd = y == 5;
  std::fflush(stdout);
  return odd ? y : y - 1;
}
int main() { return Twice(1) == 3 ? 0 : 1; }
"""
FAULTS = """1 p.cc comparison turned
- for (int i = 0; i < 2; ++i) y += 1;
+ for (int i = 0; i <= 2; ++i) y += 1;

2 p.cc statement removed
- std::fflush(stdout);

3 p.cc and for or
- if (x < 3 && x != 1) y = 7;  // a comment
+ if (x < 3 || x != 1) y = 7;  // a comment

4 p.cc check removed
- if (x < 3 && x != 1) y = 7;  // a comment
+ if (false) y = 7;  // a comment

5 p.cc comparison turned
- const bool odd = y == 5;
+ const bool odd = y != 5;

6 p.cc one off
- return odd ? y : y - 1;
+ return odd ? y : y;
"""


@unittest.skipUnless(COMPILER, "needs a C++ compiler")
class SwitchTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        self.mutants = mutant_list.parse(FAULTS)
        (self.folder / "p.cc").write_text(switch.switched_source(PROGRAM, self.mutants))
        subprocess.run([COMPILER, "-std=c++20", f"-I{mutants.HERE}/switch", "p.cc", "-o", "p"], cwd=self.folder, check=True)

    def test_each_fault_is_there_when_it_is_chosen_and_only_then(self):
        # y is 2 + 2; with 1: 2 + 3, which is odd; with 3: 7 + 2; with 5 no longer lessened; 6: 4.
        program = str(self.folder / "p")
        ends = {n: subprocess.run([program], env={**os.environ, "OSCOPE_MUTANT": str(n)}).returncode for n in (0, 1, 2, 3, 4, 5, 6)}
        self.assertEqual(ends, {0: 0, 1: 1, 2: 0, 3: 1, 4: 0, 5: 1, 6: 1})
        self.assertEqual(subprocess.run([program]).returncode, 0)

    def test_a_run_tells_which_are_noticed(self):
        program = str(self.folder / "p")
        test = runner.TestCase("t", [program], str(self.folder), {})
        idle = runner.TestCase("idle", ["true"], str(self.folder), {})
        some = runner.Runner(self.folder, [test, idle], 2, lambda text: None)
        self.assertEqual(some.learn(), [])
        self.assertEqual(test.reached, frozenset({1, 2, 3, 4, 5, 6}))
        self.assertEqual(idle.reached, frozenset())
        results = {}
        some.run_all(self.mutants, 1, lambda mutant, noticed, reaching, seconds: results.update({mutant.number: (noticed, reaching)}))
        self.assertEqual(results, {1: ("t", 1), 2: ("", 1), 3: ("t", 1), 4: ("", 1), 5: ("t", 1), 6: ("t", 1)})
        some.tests = [idle]
        self.assertEqual(some.notice(1), ("", 0))
        table = mutants.score_table(self.mutants, {str(n): {"noticed": noticed} for n, (noticed, _) in results.items()})
        self.assertEqual(table[-1].split(), ["in", "all", "6", "4", "67", "%"])

    def test_a_test_that_fails_without_a_fault_is_left_out(self):
        bad = runner.TestCase("bad", ["false"], str(self.folder), {})
        skipped = runner.TestCase("skipped", ["sh", "-c", "exit 77"], str(self.folder), {}, skip_code=77)
        some = runner.Runner(self.folder, [bad, skipped], 2, lambda text: None)
        self.assertEqual(some.learn(), ["bad"])
        self.assertEqual([test.name for test in some.tests], ["skipped"])

    def test_a_line_that_the_compiler_refuses_is_found(self):
        output = "/x/src/base/a.cc:12:3: error: no\nbase/b.cc:7: note: n\n../src/base/c.cc:5:1: error: x\n"
        self.assertEqual(mutants.refused_lines(output, pathlib.Path("/x/src")), {("base/a.cc", 12), ("base/c.cc", 5)})


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
