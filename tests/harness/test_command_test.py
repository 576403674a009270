#!/usr/bin/env python3
"""`oscope test` on a real project: project/, whose tests fail in all ways.

usage: test_command_test.py OSCOPE PROGRAMS [unittest arguments]
PROGRAMS is where the programs of project/ have been built.
"""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cases  # noqa: E402
from sample_project import DEADLINE_SECONDS, Project, run  # noqa: E402

OSCOPE = None


def alive_in_group(group):
    """Whether a process of the group lives; what has ended and waits for somebody to ask does not count."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = stat.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):  # it has gone meanwhile
            continue
        if int(pgrp) == group and state not in "ZX":
            return True
    return False


class Verdicts(Project):
    def test_all_pass(self):
        command = ["ctest", "--test-dir", str(self.build), "-R", "^(passes|fails_as_it_should)$"]
        plain = run(*command)
        done = self.oscope("test", "--", *command)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "")
        self.assertEqual([line.split("sec")[0].split()[:5] for line in done.stdout.splitlines() if "Test" in line],
                         [line.split("sec")[0].split()[:5] for line in plain.stdout.splitlines() if "Test" in line])
        self.assertEqual(self.count("runs"), 0)

    def test_failing_cases_are_recorded_by_themselves(self):
        report = self.report_of(tests="^cases$")
        self.assertEqual(report["exit_code"], 8)
        order, empty = report["tests"]
        self.assertEqual([order["test"], empty["test"]], ["cases:Queue.Order", "cases:Queue.Empty"])
        self.assertEqual([order["verdict"], empty["verdict"]], ["recorded", "recorded"])
        self.assertIn("the first in is the first out", order["message"])
        self.assertTrue(order["place"]["file"].endswith("cases.cc"))
        self.assertIn("the queue is empty", empty["message"])
        self.assertTrue(empty["place"]["file"].endswith("queue.cc"))  # of the exception, not of the test
        self.assertEqual([order["bug"], empty["bug"]], ["Sample-1", "Sample-2"])
        bug = self.bug("Sample-1")
        self.assertTrue(bug["title"].startswith("cases:Queue.Order: Expected equality of these values:"), bug["title"])
        self.assertEqual(bug["custom"], {"test": "cases:Queue.Order", "fingerprint": order["fingerprint"]})
        shown = self.oscope("show", "run", order["run"], "--json", check=True).stdout
        self.assertEqual(json.loads(shown)["test"], "cases:Queue.Order")
        trace = self.oscope("show", "trace", order["run"], check=True).stdout
        self.assertIn("Queue::Pop", trace)
        self.assertNotIn("Queue_Empty_Test", trace)  # that case did not run

    def test_crash(self):
        crash = self.only(self.report_of(tests="^crash$"))
        self.assertEqual(crash["verdict"], "recorded")
        stored = json.loads(self.oscope("show", "run", crash["run"], "--json", check=True).stdout)
        self.assertEqual((stored["outcome"], stored["signal"]), ("signal", signal.SIGSEGV))
        self.assertEqual((crash["outcome"], crash["reason"]), ("signal", "SIGSEGV"))

    def test_a_crash_says_its_signal_and_its_place(self):
        line = next(i for i, text in enumerate((self.source / "cases.cc").read_text().splitlines(), 1) if "*queue.Find(2)" in text)
        crash = self.only(self.report_of(tests="^discovered_crash$"))
        self.assertEqual(crash["message"], f"SIGSEGV in Crash_FindsNothing_Test::TestBody (cases.cc:{line})")
        self.assertEqual((pathlib.Path(crash["place"]["file"]).name, crash["place"]["line"]), ("cases.cc", line))
        self.assertEqual(self.bug(crash["bug"])["title"], f"discovered_crash: {crash['message']}")
        self.assertIn("SIGSEGV", self.oscope("show", "bug", crash["bug"], check=True).stdout)
        divides = self.only(self.report_of(tests="^divides$"))
        self.assertRegex(divides["message"], r"^SIGFPE in Queue::Share \(queue\.cc:\d+\)$")  # and not what it printed last
        self.assertEqual((divides["outcome"], divides["reason"]), ("signal", "SIGFPE"))

    def test_an_abort_has_its_place(self):
        aborts = self.only(self.report_of(tests="^aborts$"))
        self.assertRegex(aborts["message"], rf"^abort in main \(ways\.cc:{aborts['place']['line']}\)$")
        self.assertEqual(aborts["place"]["file"], str(self.source / "ways.cc"))

    def test_streams_that_are_closed_or_full(self):
        words = [self.oscope_path, "test", "--project", "Sample", "--", "ctest", "--test-dir", self.build, "-R", "^crash$"]
        for redirections in ["2>&-", "2>/dev/full", ">&-", ">/dev/full", "<&- >&- 2>&-"]:
            with self.subTest(redirections=redirections):
                before = self.count("runs")
                done = run("bash", "-c", f'exec "$@" {redirections}', "bash", *words, env=self.environment, cwd=self.root)
                self.assertEqual(done.returncode, 8, done)
                self.assertEqual(self.count("runs"), before + 1)
        self.oscope("store", "check", "--quiet", check=True)

    def test_not_reproduced(self):
        quirk = self.only(self.report_of(tests="^quirk$"))
        self.assertEqual(quirk["verdict"], "not-reproduced")
        self.assertEqual(self.count("runs"), 0)

    def test_rules_of_ctest(self):
        report = self.report_of(tests="^(should_fail|forbidden_words|fails_as_it_should)$")
        found = {one["test"]: one for one in report["tests"]}
        self.assertEqual(set(found), {"should_fail", "forbidden_words"})
        self.assertEqual({one["verdict"] for one in found.values()}, {"recorded"})
        self.assertIn("WILL_FAIL", found["should_fail"]["message"])
        stored = json.loads(self.oscope("show", "run", found["should_fail"]["run"], "--json", check=True).stdout)
        self.assertEqual((stored["outcome"], stored["exit_code"]), ("failed", 0))

    def test_what_cannot_be_run(self):
        missing = self.only(self.report_of(tests="^missing$"))
        self.assertEqual((missing["verdict"], missing["why"]), ("not-run", "Unable to find executable"))

    def test_the_same_name_in_two_directories(self):
        twice = self.only(self.report_of(tests="^twice$"))
        self.assertEqual((twice["verdict"], twice["message"]), ("recorded", "Error regular expression found in output. Regex=[FORBIDDEN]"))


class Bugs(Project):
    def test_the_same_failure_is_the_same_bug(self):
        first, second = self.only(self.report_of(tests="^one_case$")), self.only(self.report_of(tests="^one_case$"))
        self.assertEqual((first["test"], first["bug"], first["bug_is_new"]), ("one_case", "Sample-1", True))
        self.assertEqual((second["bug"], second["bug_is_new"]), ("Sample-1", False))
        self.assertNotEqual(first["run"], second["run"])
        self.assertEqual(self.count("bugs"), 1)
        self.assertEqual(self.count("runs"), 2)

        # Whether a resolved bug is back is a person's decision.
        self.oscope("bug", "fix", "Sample-1", "--note", "take the front", check=True)
        third = self.only(self.report_of(tests="^one_case$"))
        self.assertEqual((third["bug"], third["bug_is_new"], third["resolved_bug"]), ("Sample-2", True, "Sample-1"))
        self.assertEqual(self.bug("Sample-1")["status"], "resolved")
        similar = third["similar"][0]
        self.assertEqual((similar["bug"], similar["status"], similar["fix"], similar["distance"]), ("Sample-1", "resolved", "take the front", 0))
        self.oscope("bug", "fix", "Sample-2", "--note", "again", check=True)
        fourth = self.only(self.report_of(tests="^one_case$", options=["--reopen"]))
        self.assertEqual((fourth["bug"], fourth["bug_is_new"], fourth["reopened"]), ("Sample-2", False, True))
        self.assertEqual(self.bug("Sample-2")["status"], "reopened")

    def test_what_fails_alike_is_told(self):
        report = self.report_of(tests="^(cases|one_case|crash)$")
        bugs = {one["test"]: one["bug"] for one in report["tests"]}
        self.assertEqual(report["alike"], [{"tests": ["cases:Queue.Order", "one_case"], "bugs": [bugs["cases:Queue.Order"], bugs["one_case"]]}])
        done = self.oscope("test", "--project", "Sample", "--", "ctest", "--test-dir", self.build, "-R", "^(cases|one_case|crash)$")
        self.assertRegex(done.stdout, r"\n4 recorded\n2 of these fail alike: Sample-\d, Sample-\d\n$")

    def test_a_remembered_query_is_told_and_forgotten(self):
        self.oscope("query", "CREATE QUERY none AS SELECT b FROM ALL WHERE INTERSECT?(b, tbug) && b.id == 'nosuch'", check=True)
        note = "by the query none, which is remembered for this test; --query usual forgets it"
        self.assertEqual(self.only(self.report_of(tests="^one_case$", options=["--query", "none"]))["notes"], [])
        self.assertEqual(self.only(self.report_of(tests="^one_case$"))["notes"], [note])
        done = self.oscope("test", "--project", "Sample", "--", "ctest", "--test-dir", self.build, "-R", "^one_case$")
        self.assertIn(f"\n  {note}\n", done.stdout)
        for options in ["--query", "usual"], []:
            self.assertEqual(self.only(self.report_of(tests="^one_case$", options=options))["notes"], [])
        self.assertEqual(json.loads(self.oscope("query", "--remembered", "--json", check=True).stdout), [])


class BuiltHere(Project):
    is_built_here = True

    def test_the_line_of_a_crash_is_not_in_its_fingerprint(self):
        first = self.only(self.report_of(tests="^divides$"))
        source = self.source / "queue.cc"
        before = source.read_text()
        try:
            source.write_text("// One line more.\n" + before)
            run("cmake", "--build", self.build, check=True)
            second = self.only(self.report_of(tests="^divides$"))
        finally:
            source.write_text(before)
            run("cmake", "--build", self.build, check=True)
        self.assertEqual(second["place"]["line"], first["place"]["line"] + 1)
        self.assertEqual((second["bug"], second["bug_is_new"], second["fingerprint"]), (first["bug"], False, first["fingerprint"]))

    def test_an_exception_has_its_place(self):
        throws = self.only(self.report_of(tests="^throws$"))
        self.assertEqual(throws["reason"], "throw")
        self.assertIn("the queue is empty", throws["message"])
        self.assertEqual(pathlib.Path(throws["place"]["file"]).name, "queue.cc")
        done = self.oscope("test", "--project", "Sample", "--annotate", "github", "--", "ctest", "--test-dir", self.build, "-R", "^throws$")
        self.assertRegex(done.stdout, rf"\n::error file=src/queue.cc,line={throws['place']['line']},title=throws ")

    def test_text_for_people(self):
        self.report_of(tests="^one_case$")
        done = self.oscope("test", "--project", "Sample", "--annotate", "github", "--", "ctest", "--test-dir", self.build, "-R", "^(cases|quirk)$")
        self.assertEqual(done.returncode, 8)
        self.assertIn("The following tests FAILED:", done.stdout)  # CTest's own comes first
        ours = done.stdout.split("tests FAILED:")[1]
        self.assertIn("cases:Queue.Order: Sample-2 (new), ", ours)
        self.assertIn("  the first in is the first out\n", ours)
        self.assertRegex(ours, r"\n +0 .* Sample-1 +open +one_case: Expected equality")
        self.assertIn("`oscope similar Sample-2 --explain`", ours)
        self.assertIn("quirk: not reproduced under the recorder\n", ours)
        self.assertRegex(ours, r"\n::error file=src/cases.cc,line=\d+,title=cases%3AQueue.Order \(Sample-2\)::.*%0A.*\n")
        self.assertTrue(ours.endswith("\n2 recorded, 1 not reproduced under the recorder\n"), ours)


class Fixtures(Project):
    def test_environment(self):
        self.assertEqual(self.only(self.report_of(tests="^environment$"))["message"], "error: SAMPLE is a bc")

    def test_a_fixture_is_set_up_before_each_run(self):
        one = self.only(self.report_of(tests="^with_fixture$"))
        # Without it the test would exit with 4.
        self.assertEqual((one["verdict"], one["reason"], one["outcome"]), ("recorded", "throw", "signal"))
        self.assertIn("the queue is empty", one["message"])
        self.assertEqual(self.stored(one)["signal"], signal.SIGABRT)
        # By CTest, as it is, and under the recorder; each time all of it.
        self.assertEqual((self.build / "fixture.count").read_text().splitlines(), ["set up", "there", "gone"] * 3)
        self.assertFalse((self.build / "fixture.txt").exists())

    def test_a_fixture_that_cannot_be_set_up(self):
        one = self.only(self.report_of(tests="^with_single_use$"))
        self.assertEqual((one["verdict"], one["why"]), ("not-run", "its fixture single_use failed: exit code 1"))
        self.assertEqual(self.count("runs"), 0)
        # What cleans up after it runs all the same: for CTest, and for us.
        self.assertEqual((self.build / "gone.count").read_text().splitlines(), ["set up"] * 2)


class Runners(Project):
    def wrapped_ctest(self, script):
        """A ctest that does something of its own first; $real is the other."""
        wrapper = self.root / "bin" / "ctest"
        wrapper.parent.mkdir(exist_ok=True)
        wrapper.write_text(f"#!/bin/sh\nreal='{shutil.which('ctest')}'\n{script}\n")
        wrapper.chmod(0o755)
        done = self.oscope("test", "--project", "Sample", "--json", "--", wrapper, "--test-dir", self.build, "-R", "^(one_case|passes|quirk)$")
        self.assertEqual(done.returncode, 8, done.stderr)
        return {one["test"]: one["verdict"] for one in json.loads(done.stdout)["tests"]}

    def test_ctest_before_it_wrote_reports(self):
        found = self.wrapped_ctest("""case "$*" in
  --version) echo ctest version 3.20.6; exit;;
  *--output-junit*) exit 99;;
esac
exec "$real" "$@" """)
        self.assertEqual(found, {"one_case": "recorded", "quirk": "not-reproduced"})

    def test_a_report_that_is_none(self):
        found = self.wrapped_ctest("""while [ "$1" != --output-junit ] && [ $# -gt 0 ]; do all="$all $1"; shift; done
[ $# -eq 0 ] && exec "$real" $all
"$real" $all; code=$?
echo "<testsuite" > "$2"
exit $code""")
        self.assertEqual(found, {"one_case": "recorded", "quirk": "not-reproduced"})

    def test_presets_and_reruns(self):
        presets = {"version": 3, "configurePresets": [{"name": "c", "generator": "Unix Makefiles", "binaryDir": str(self.build)}],
                   "testPresets": [{"name": "one", "configurePreset": "c", "filter": {"include": {"name": "^one_case$"}}}]}
        (self.copy / "CMakePresets.json").write_text(json.dumps(presets))
        for arguments in (["--preset", "one"], ["--preset", "one", "--output-junit", "relative.xml", "-O", "log.txt", "-Q"],
                          ["--preset", "one", "--rerun-failed"]):
            done = self.oscope("test", "--project", "Sample", "--json", "--", "ctest", *arguments, cwd=self.copy)
            self.assertEqual([one["test"] for one in json.loads(done.stdout)["tests"]], ["one_case"], arguments)
        self.assertTrue((self.build / "relative.xml").exists())

    def test_the_users_own_report(self):
        report = self.report_of("--output-junit", "mine.xml", tests="^one_case$")
        self.assertEqual(self.only(report)["verdict"], "recorded")
        self.assertTrue((self.build / "mine.xml").exists())

    def test_own_failures(self):
        for arguments, message in ((["--", "make", "test"], "--junit"), ([], "no command"), (["--", "ctest", "-N"], "does not run tests"),
                                   (["--junit", "x.xml"], "--rerun"), (["--junit", "x", "--rerun", "run"], "placeholder"),
                                   (["--junit", "none.xml", "--rerun", "run {name}"], "none.xml"), (["--nonsense"], "--nonsense"),
                                   (["--query", "nonsense", "--", "ctest"], "nonsense")):
            done = self.oscope("test", *arguments)
            self.assertEqual(done.returncode, 125, arguments)
            self.assertIn(message, done.stderr)
        shutil.rmtree(self.root / ".oscope")
        done = self.oscope("test", "--", "ctest", "--test-dir", self.build, "-R", "passes")
        self.assertEqual(done.returncode, 125)
        self.assertIn("oscope init", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_ctest_itself_fails(self):
        done = self.oscope("test", "--", "ctest", "--test-dir", "/no/such/directory")
        self.assertNotIn(done.returncode, (0, 125))
        self.assertEqual(done.returncode, run("ctest", "--test-dir", "/no/such/directory").returncode)

    def test_junit_of_another_runner(self):
        xml = self.root / "report.xml"
        run(self.cases, "--gtest_filter=Queue.*", env={**self.environment, "GTEST_OUTPUT": f"xml:{xml}"})
        done = self.oscope("test", "--project", "Sample", "--json", "--junit", xml, "--rerun",
                           f"'{self.cases}' --gtest_filter={{classname}}.{{name}}")
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, [one["test"] for one in report["tests"]]), (1, ["Queue.Order", "Queue.Empty"]))
        self.assertEqual({one["verdict"] for one in report["tests"]}, {"recorded"})
        self.assertIn("the first in is the first out", report["tests"][0]["message"])

        # The runner's own exit code, when it is run here.
        done = self.oscope("test", "--project", "Sample", "--junit", xml, "--rerun", f"'{self.cases}' --gtest_filter={{classname}}.{{name}}",
                           "--", self.cases, "--gtest_filter=Queue.TakesOne", f"--gtest_output=xml:{xml}")
        self.assertEqual(done.returncode, 0, done.stderr)


class Told(Project):
    def test_flaky(self):
        flaky = self.only(self.report_of(tests="^flaky$"))
        self.assertEqual((flaky["verdict"], flaky["message"]), ("flaky", "error: not warm yet"))
        self.assertEqual(self.count("runs"), 0)
        (self.build / "flaky.count").unlink()
        done = self.oscope("test", "--project", "Sample", "--annotate", "github", "--", "ctest", "--test-dir", self.build, "-R", "^(flaky|quirk)$")
        self.assertRegex(done.stdout, r"\nflaky: flaky\n  it failed, and passes when it is run again\n  error: not warm yet\n")
        self.assertRegex(done.stdout, r"\n::warning title=flaky::flaky: it failed, and passes")
        self.assertRegex(done.stdout, r"\n::error title=quirk::not reproduced")

    def test_report_in_a_file(self):
        file = self.root / "report.json"
        file.write_text("stale")
        done = self.oscope("test", "--project", "Sample", "--report", file, "--", "ctest", "--test-dir", self.build, "-R", "^(one_case|quirk)$")
        self.assertIn("one_case: Sample-1 (new), ", done.stdout)
        report = json.loads(file.read_text())
        self.assertEqual((report["exit_code"], {one["test"]: one["verdict"] for one in report["tests"]}),
                         (done.returncode, {"one_case": "recorded", "quirk": "not-reproduced"}))
        self.oscope("test", "--report", file, "--", "ctest", "--test-dir", self.build, "-R", "^passes$", check=True)
        self.assertEqual(json.loads(file.read_text())["tests"], [])
        done = self.oscope("test", "--report", "-", "--", "ctest", "--test-dir", self.build, "-R", "^passes$")
        self.assertEqual((done.returncode, done.stdout), (125, ""))

    def test_limits(self):
        report = self.report_of(tests="^(cases|one_case|environment)$", options=["--max-failures", "1", "--jobs", "4"])
        self.assertEqual([one["test"] for one in report["tests"]], ["cases:Queue.Order"])
        self.assertEqual(report["left_out"], 3)

    def test_jobs(self):
        report = self.report_of("-j4", tests="^(quirk|flaky|environment|with_fixture|missing)$", options=["--jobs", "4"])
        verdicts = {one["test"]: one["verdict"] for one in report["tests"]}
        self.assertEqual(verdicts, {"quirk": "not-reproduced", "flaky": "flaky", "environment": "recorded", "with_fixture": "recorded",
                                    "missing": "not-run"})

    def test_keep_nothing(self):
        self.assertEqual(self.only(self.report_of(tests="^one_case$", options=["--no-store"]))["verdict"], "recorded")
        self.assertEqual(self.count("runs"), 0)


class Files(Project):
    def test_files_instead_of_a_store(self):
        shutil.rmtree(self.root / ".oscope")
        files = self.root / "traces"
        one = self.only(self.report_of(tests="^one_case$", options=["--output", str(files)]))
        self.assertEqual([pathlib.Path(one["file"]).name], [path.name for path in files.iterdir()])
        self.assertNotIn("bug", one)
        other = self.only(self.report_of(tests="^one_case$", options=["--output", str(files)]))
        self.oscope("init", "--quiet", check=True)
        # Here it is as if it had been recorded here.
        added = json.loads(self.oscope("import", one["file"], "--json", check=True).stdout)
        self.assertEqual(added["linked"], [{"run": one["run"], "bug": "Sample-1", "bug_is_new": True, "reopened": False}])
        bug = self.bug("Sample-1")
        self.assertTrue(bug["title"].startswith("one_case: Expected equality of these values:"), bug["title"])
        self.assertEqual(bug["custom"], {"test": "one_case", "fingerprint": one["fingerprint"]})
        recorded = self.only(self.report_of(tests="^one_case$"))
        self.assertEqual((recorded["bug"], recorded["bug_is_new"]), ("Sample-1", False))
        # A pipe is read once; the others are imported for the second time.
        added = json.loads(run("sh", "-c", 'cat "$2" | "$1" import --json - "$3"', "sh", OSCOPE, other["file"], one["file"], check=True, cwd=self.root,
                               env=self.environment).stdout)
        self.assertEqual((added["runs_added"], added["runs_known"], added["bugs_added"]), (1, 1, 0))
        self.assertEqual((self.count("runs"), self.count("bugs")), (3, 1))
        self.assertEqual({found["id"] for found in self.bug("Sample-1")["runs"]}, {one["run"], other["run"], recorded["run"]})
        listed = self.oscope("list", "runs", "--bug", "Sample-1", check=True).stdout
        self.assertRegex(listed, r"cases?\.cc:\d+: Expected equality of these values: ")

    def test_files_are_told_how_to_import(self):
        done = self.oscope("test", "--output", "the files", "--", "ctest", "--test-dir", self.build, "-R", "^one_case$")
        self.assertTrue(done.stdout.endswith("\n1 recorded\n`oscope import 'the files'/*.osct` takes them into a store\n"), done.stdout)
        done = self.oscope("test", "--output", "files", "--", "ctest", "--test-dir", self.build, "-R", "^quirk$")
        self.assertNotIn("import", done.stdout)
        run("sh", "-c", f"'{OSCOPE}' import 'the files'/*.osct", check=True, cwd=self.root, env=self.environment)
        self.assertEqual(self.count("runs"), 1)


class FullDisks(Project):
    def full_disk(self):
        disk = self.root / "full"
        disk.mkdir(exist_ok=True)
        if os.geteuid() != 0 or run("mount", "-t", "tmpfs", "-o", "size=400k", "none", disk).returncode != 0:
            self.skipTest("a small disk needs the right to mount one")
        self.addCleanup(run, "umount", disk, check=True)
        return disk

    @staticmethod
    def fill(disk):
        with open(disk / "filler", "wb", buffering=0) as filler:
            with contextlib.suppress(OSError):
                while True:
                    filler.write(b"x" * 4096)

    def test_a_full_disk_ends_nothing(self):
        disk = self.full_disk()
        self.fill(disk)
        file = self.root / "report.json"
        for json_flag in (["--json"], []):
            done = self.oscope("test", "--project", "Sample", *json_flag, "--output", disk, "--report", file, "--", "ctest", "--test-dir", self.build, "-R",
                               "^(cases|flaky|missing)$")
            self.assertEqual(done.returncode, 8, done.stderr)
            report = json.loads(file.read_text())
            found = {one["test"]: one for one in report["tests"]}
            self.assertEqual({"cases:Queue.Order", "cases:Queue.Empty", "missing"} - set(found), set())
            for name in "cases:Queue.Order", "cases:Queue.Empty":
                self.assertEqual((found[name]["verdict"], found[name]["error"]["code"]), ("recorded", "io"))
                self.assertFalse({"run", "file"} & set(found[name]))
                self.assertNotEqual(found[name]["message"], "")
            if json_flag:
                self.assertEqual(json.loads(done.stdout), report)
        self.assertEqual(done.stdout.count("  not kept: "), 2)
        self.assertIn("\n2 recorded (2 of them not kept), ", done.stdout)
        self.assertEqual([path.name for path in disk.iterdir()], ["filler"])

    def test_a_full_store_ends_nothing(self):
        disk = self.full_disk()
        self.oscope("init", "--quiet", "--store", disk / "store", check=True)
        self.fill(disk)
        xml = self.root / "full.xml"
        run(self.cases, "--gtest_filter=Queue.*", env={**self.environment, "GTEST_OUTPUT": f"xml:{xml}"})
        # The runner passed, but what was to be kept is not.
        done = self.oscope("test", "--project", "Sample", "--json", "--store", disk / "store", "--junit", xml, "--rerun",
                           f"'{self.cases}' --gtest_filter={{classname}}.{{name}}", "--", "touch", xml)
        self.assertEqual(done.returncode, 125, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["exit_code"], [one["test"] for one in report["tests"]]), (125, ["Queue.Order", "Queue.Empty"]))
        self.assertEqual({one["error"]["code"] for one in report["tests"]}, {"io"})


class Interrupts(Project):
    def interrupted(self, tests, started, send=lambda process: os.killpg(process.pid, signal.SIGINT)):
        """Ctrl-C when `started` says so: the whole process group, as a terminal does, unless `send` does otherwise."""
        scratch = self.root / "tmp"
        scratch.mkdir(exist_ok=True)
        process = subprocess.Popen([OSCOPE, "test", "--", "ctest", "--test-dir", str(self.build), "-R", tests], cwd=self.root,
                                   env={**self.environment, "TMPDIR": str(scratch)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, start_new_session=True)
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not started(scratch):
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        send(process)
        _, stderr = process.communicate(timeout=DEADLINE_SECONDS)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertEqual(list(scratch.iterdir()), [])
        while alive_in_group(process.pid):
            self.assertLess(time.monotonic(), deadline, "a process is left")
            time.sleep(0.02)
        self.assertEqual(self.count("runs"), 0)
        self.oscope("store", "check", check=True)

    def runs_of(self, file):
        try:
            return int((self.build / file).read_text())
        except (FileNotFoundError, ValueError):
            return 0

    def test_ctrl_c_while_ctest_runs(self):
        (self.build / "later.count").write_text("1")
        self.interrupted("^hangs_later$", lambda _: self.runs_of("later.count") == 2)

    def test_ctrl_c_while_a_test_runs_again(self):
        (self.build / "later.count").unlink(missing_ok=True)
        self.interrupted("^hangs_later$", lambda _: self.runs_of("later.count") == 2)

    def test_ctrl_c_while_a_test_is_traced(self):
        self.interrupted("^hangs$", lambda scratch: any(scratch.glob("*/0.events")))

    def test_a_termination_while_a_test_is_traced(self):
        self.interrupted("^hangs$", lambda scratch: any(scratch.glob("*/0.events")), lambda process: process.terminate())

    def test_ctrl_c_while_a_traced_test_ignores_it(self):
        self.interrupted("^stubborn_later$", lambda _: self.runs_of("stubborn.count") == 3)


if __name__ == "__main__":
    OSCOPE = Project.oscope_path = str(pathlib.Path(sys.argv[1]).resolve())
    Project.programs = pathlib.Path(sys.argv[2]).resolve()
    cases.require("cmake", "ctest", "valgrind")
    cases.run(sys.argv[3:])
