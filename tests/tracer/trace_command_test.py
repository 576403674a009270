#!/usr/bin/env python3
"""Runs real programs under `oscope trace` and looks at what the program, the caller and the store see.

usage: trace_command_test.py OSCOPE CC CXX [RECORDER]
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OSCOPE, CC, CXX = sys.argv[1:4]
RECORDER = sys.argv[4] if len(sys.argv) > 4 else "valgrind"
DEADLINE = 120

PROGRAM = r"""
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int sink;
void step(int n) { sink += n; }
void work(int n) { for (int i = 0; i < n; i++) step(i); }
static void* threaded(void* unused) { work(3); return unused; }
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  printf("begin %s\n", what); fflush(stdout);
  work(2);
  if (!strcmp(what, "exit")) exit(7);
  if (!strcmp(what, "code")) exit(atoi(argv[2]));
  if (!strcmp(what, "return")) return 3;
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "assert")) assert(sink == 12345);
  if (!strcmp(what, "crash")) { *(volatile int*)0 = 1; }
  if (!strcmp(what, "kill")) kill(getpid(), SIGKILL);
  if (!strcmp(what, "hang")) for (puts("ready"), fflush(stdout);;) pause();
  if (!strcmp(what, "spin")) for (;;) step(1);
  if (!strcmp(what, "many")) for (int i = 0; i < 400000; i++) step(i);
  if (!strcmp(what, "fork")) { pid_t child = fork(); if (child == 0) { work(4); _exit(5); } int status; waitpid(child, &status, 0); return WEXITSTATUS(status); }
  if (!strcmp(what, "exec")) execl(argv[0], argv[0], "exit", (char*)0);
  if (!strcmp(what, "threads")) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, threaded, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 1; }
  if (!strcmp(what, "read")) { char line[100]; while (fgets(line, sizeof line, stdin)) fputs(line, stdout); return 1; }
  if (!strcmp(what, "chdir")) { if (chdir("/")) return 9; work(1); return 1; }
  if (!strcmp(what, "close")) { for (int i = 0; i < 1024; i++) close(i); work(1); _exit(1); }
  if (!strcmp(what, "stderr")) { fputs("oops\n", stderr); return 1; }
  return 0;
}
"""


def run(words, cwd, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(words, cwd=cwd, capture_output=True, timeout=DEADLINE, **options)


def processes_of(recording):
    """Those that have not ended and record there."""
    found = []
    for directory in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (directory / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has gone meanwhile
            continue
        if any(word.endswith(os.fsencode(recording)) for word in words):
            found.append(int(directory.name))
    return found


class TraceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.TemporaryDirectory(prefix="trace-test.")
        cls.here = pathlib.Path(cls.root.name)
        (cls.here / "program.c").write_text(PROGRAM)
        subprocess.run([CC, "-g", "-O0", "-pthread", "program.c", "-o", "program"], cwd=cls.here, check=True)
        os.environ.pop("OSCOPE_STORE", None)
        subprocess.run([OSCOPE, "init", "--quiet"], cwd=cls.here, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.root.cleanup()

    def trace(self, *words, options=(), **rest):
        return run([OSCOPE, "trace", "--project", "p", *([] if "--recorder" in options else ["--recorder", RECORDER]), *options, "--", *words], self.here,
                   **rest)

    def newest(self):
        """The newest run, with its traces."""
        listed = json.loads(run([OSCOPE, "list", "runs", "--json"], self.here).stdout)
        runs = listed["runs"] if isinstance(listed, dict) else listed
        newest = max(runs, key=lambda one: one["started"])
        lines = run([OSCOPE, "export", "--run", newest["id"], "--with-input"], self.here).stdout.decode().splitlines()
        stored, traces = None, []
        for line in map(json.loads, lines):
            if line["type"] == "run":
                stored, traces = line, list(line.get("traces", []))
            elif line["type"] == "trace":
                traces.append(line)
            elif line["type"] == "events":
                traces[-1]["events"] += line["events"]
                traces[-1].setdefault("depths", []).extend(line.get("depths", []))
        for trace in traces:
            trace["events"] = [event if isinstance(event, str) else event["event"] for event in trace["events"]]
        return stored, traces

    def executions(self, traces):
        return {(t.get("process", 0), t.get("thread", 0)): t for t in traces if t.get("kind", "execution") == "execution"}

    def same_as_native(self, *words, **rest):
        native = run([*words], self.here, **rest)
        traced = self.trace(*words, **rest)
        self.assertEqual(traced.returncode, native.returncode, traced.stderr.decode())
        self.assertEqual(traced.stdout, native.stdout)
        return native, traced

    def test_passing_run_is_stored_as_passed(self):
        self.same_as_native("./program")
        stored, traces = self.newest()
        self.assertEqual(stored["outcome"], "passed")
        trace = self.executions(traces)[0, 0]
        self.assertEqual(trace["events"], ["main", "work", "step", "step"])
        self.assertEqual(trace["depths"], [0, 1, 2, 2])
        self.assertNotIn("mark", trace)

    def test_ends_as_the_program_does(self):
        for what, outcome, reason in [("exit", "failed", "exit"), ("return", "failed", "exit"), ("abort", "signal", "abort"),
                                      ("assert", "signal", "assertion"), ("crash", "signal", "SIGSEGV"), ("kill", "signal", "SIGKILL")]:
            with self.subTest(what):
                self.same_as_native("./program", what)
                stored, traces = self.newest()
                self.assertEqual(stored["outcome"], outcome)
                trace = self.executions(traces)[0, 0]
                self.assertEqual(trace["events"][:4], ["main", "work", "step", "step"])
                self.assertEqual(trace["mark"], {"events": 4, "reason": reason})

    def test_fatal_failures_have_a_stack(self):
        self.same_as_native("./program", "crash")
        stored, traces = self.newest()
        stacks = [t for t in traces if t.get("kind") == "stack"]
        self.assertEqual([s["events"] for s in stacks], [["main"]])
        self.assertRegex(stored["custom"]["where"], r"program\.c:\d+$")

    def test_time_out_keeps_the_trace(self):
        for what in "hang", "spin":
            with self.subTest(what):
                done = self.trace("./program", what, options=["--timeout", "3", "--limit", "1000"])
                self.assertEqual(done.returncode, 124)
                stored, traces = self.newest()
                self.assertEqual(stored["outcome"], "timeout")
                self.assertEqual(self.executions(traces)[0, 0]["mark"]["reason"], "time-out")

    def test_fork_and_exec_are_processes_of_their_own(self):
        self.same_as_native("./program", "fork")
        traces = self.executions(self.newest()[1])
        self.assertEqual(traces[1, 0]["events"], ["work", "step", "step", "step", "step"])
        self.same_as_native("./program", "exec")
        traces = self.executions(self.newest()[1])
        self.assertEqual(traces[1, 0]["events"], ["main", "work", "step", "step"])

    def test_threads_are_traces_of_their_own(self):
        self.same_as_native("./program", "threads")
        traces = self.executions(self.newest()[1])
        self.assertEqual(sorted(traces), [(0, 0), (0, 1), (0, 2), (0, 3)])
        for thread in 1, 2, 3:
            self.assertEqual(traces[0, thread]["events"], ["threaded", "work", "step", "step", "step"])

    def test_main_thread_only(self):
        self.trace("./program", "threads", options=["--threads", "main"])
        self.assertEqual(sorted(self.executions(self.newest()[1])), [(0, 0)])

    def test_streams_are_the_programs_own(self):
        self.same_as_native("./program", "read", stdin=None, input=b"one\ntwo\n")
        stored, _ = self.newest()
        inputs = {one["name"]: one for one in stored["inputs"]}
        self.assertEqual(inputs["-"].get("text") or inputs["-"].get("base64"), "b25lCnR3bwo=" if "base64" in inputs["-"] else "one\ntwo\n")
        native, traced = self.same_as_native("./program", "stderr")
        self.assertTrue(traced.stderr.startswith(native.stderr), traced.stderr)

    def test_directory_and_descriptors_are_the_programs_own(self):
        for what in "chdir", "close":
            with self.subTest(what):
                self.same_as_native("./program", what)
                self.assertEqual(self.executions(self.newest()[1])[0, 0]["events"][4:], ["work", "step"])

    def test_environment_is_untouched_and_stored_nowhere(self):
        secret = "s3cret-of-the-environment"
        environment = dict(os.environ, MY_PASSWORD=secret)
        native = run(["env"], self.here, env=environment)
        traced = self.trace("env", options=["--all"], env=environment)
        self.assertEqual(sorted(traced.stdout.splitlines()), sorted(native.stdout.splitlines()))
        self.assertEqual(traced.returncode, 0, traced.stderr)
        for path in (self.here / ".oscope").rglob("*"):
            if path.is_file():
                self.assertNotIn(secret.encode(), path.read_bytes(), path)

    def test_secret_arguments_are_masked(self):
        self.trace("./program", "exit", "--token", "abcdefgh-1234", "DB_PASSWORD=hunter2hunter2")
        stored, _ = self.newest()
        self.assertEqual(stored["command"], ["./program", "exit", "--token", "***", "DB_PASSWORD=***"])
        for path in (self.here / ".oscope").rglob("*"):
            if path.is_file():
                self.assertNotIn(b"hunter2hunter2", path.read_bytes(), path)

    def test_exports_have_no_command_unless_asked(self):
        self.trace("./program", "exit")
        listed = json.loads(run([OSCOPE, "list", "runs", "--json"], self.here).stdout)
        runs = listed["runs"] if isinstance(listed, dict) else listed
        plain = run([OSCOPE, "export", "--run", runs[0]["id"]], self.here).stdout
        self.assertNotIn(b"./program", plain)

    def test_programs_that_cannot_be_traced(self):
        before = len(run([OSCOPE, "list", "runs"], self.here).stdout.splitlines())
        (self.here / "text").write_text("hello\n")
        (self.here / "text").chmod(0o755)
        (self.here / "plain").write_bytes((self.here / "program").read_bytes())
        (self.here / "plain").chmod(0o644)
        small = bytearray((self.here / "program").read_bytes()[:64])
        small[4] = 1
        (self.here / "small").write_bytes(small)
        (self.here / "small").chmod(0o755)
        for words, code, message in [(["./none"], 127, "No such file"), (["no-such-command-here"], 127, "not found"),
                                     (["./plain"], 126, "Permission denied"), (["./text"], 126, "neither a program nor a script"),
                                     (["./small"], 126, "32-bit"), (["/"], 126, "directory")]:
            with self.subTest(words):
                done = self.trace(*words)
                self.assertEqual(done.returncode, code)
                self.assertIn(message, done.stderr.decode())
                told = json.loads(self.trace(*words, options=["--json"]).stderr)["error"]
                self.assertEqual(told["exit_code"], code)
        self.assertEqual(len(run([OSCOPE, "list", "runs"], self.here).stdout.splitlines()), before, "nothing was stored")

    @unittest.skipUnless(RECORDER == "valgrind", "Pin knows them")
    def test_instructions_that_valgrind_does_not_know(self):
        (self.here / "wide.c").write_text('void work(void) {}\nint main(void) { work(); __asm__ volatile("vpxorq %zmm0, %zmm0, %zmm0"); return 0; }\n')
        subprocess.run([CC, "-g", "wide.c", "-o", "wide"], cwd=self.here, check=True)
        before = len(run([OSCOPE, "list", "runs"], self.here).stdout.splitlines())
        done = self.trace("./wide")
        self.assertEqual(done.returncode, 126, done.stderr)
        self.assertIn("AVX-512", done.stderr.decode())
        self.assertEqual(len(run([OSCOPE, "list", "runs"], self.here).stdout.splitlines()), before, "nothing was stored")

    def test_a_script_is_traced_with_what_it_starts(self):
        (self.here / "script").write_text("#!/bin/sh\n./program exit\nexit 4\n")
        (self.here / "script").chmod(0o755)
        self.same_as_native("./script")
        stored, traces = self.newest()
        mains = [t for t in self.executions(traces).values() if "work" in t["events"]]
        self.assertEqual([t["events"] for t in mains], [["main", "work", "step", "step"]])

    def failure_of(self, *words):
        """The run, the process that is marked, and its events up to the mark."""
        self.same_as_native(*words)
        stored, traces = self.newest()
        marked = {process: trace for (process, _), trace in self.executions(traces).items() if "mark" in trace}
        self.assertEqual(len(marked), 1, marked.keys())
        process, trace = marked.popitem()
        self.assertEqual(stored.get("failing_thread", {}).get("process", 0), process)
        return stored, process, trace["events"][:trace["mark"]["events"]], trace["mark"]["reason"]

    def test_a_shell_passes_on_the_failure_of_what_it_runs(self):
        (self.here / "inner").write_text("#!/bin/sh\n./program exit\n")
        (self.here / "inner").chmod(0o755)
        killed = "rm -f told; ./program hang > told & while ! grep -q ready told; do sleep 0.2; done; kill -9 $!; wait $!"
        for shell, text, reason, message in [("sh", "./program exit", "exit", "exit code 7"),
                                             ("sh", "./program; ./program exit; code=$?; true; exit $code", "exit", "exit code 7"),
                                             ("bash", "./inner", "exit", "exit code 7"),
                                             ("bash", "./program exit | cat; exit ${PIPESTATUS[0]}", "exit", "exit code 7"),
                                             ("sh", "./program crash", "SIGSEGV", "SIGSEGV"),
                                             ("sh", killed, "SIGKILL", "SIGKILL")]:
            with self.subTest(text):
                (self.here / "outer").write_text(text + "\n")
                stored, process, events, told = self.failure_of(shell, "outer")
                self.assertEqual(stored["outcome"], "failed")
                self.assertEqual(events, ["main", "work", "step", "step"])
                self.assertGreater(process, 0)
                self.assertEqual((told, stored["message"]), (reason, message))

    def test_a_shell_that_ends_with_another_code_fails_itself(self):
        for text, code in [("./program exit; exit 4", 4), ("./program code 0; exit 5", 5)]:
            with self.subTest(text):
                stored, process, events, reason = self.failure_of("sh", "-c", text)
                self.assertEqual((process, reason, stored["message"]), (0, "exit", f"exit code {code}"))
                self.assertNotIn("work", events)

    def test_what_a_shell_executes_is_the_program(self):
        for shell, text, code in [("sh", "grep -q zz /dev/null; exec ./program code 1", 1), ("bash", "(exit 7); exec ./program return", 3),
                                  ("sh", "./program code 3; exec ./program return", 3)]:
            with self.subTest(text):
                stored, process, events, reason = self.failure_of(shell, "-c", text)
                self.assertEqual(stored["exit_code"], code)
                self.assertEqual((reason, stored["message"]), ("exit", f"exit code {code}"))
                self.assertEqual(events, ["main", "work", "step", "step"])
                self.assertEqual(process, max(process for process, _ in self.executions(self.newest()[1])))

    def test_exits_are_told_apart_by_their_code(self):
        prints = [self.failure_of("./program", "code", code)[0]["custom"]["fingerprint"] for code in ("1", "2", "1")]
        self.assertEqual(prints[0], prints[2])
        self.assertNotEqual(prints[0], prints[1])
        self.assertEqual(self.failure_of("bash", "-c", "./program code 1; exit $?")[0]["custom"]["fingerprint"], prints[0])

    def test_stripped_programs_have_offsets_for_names(self):
        subprocess.run(["strip", "-o", "stripped", "program"], cwd=self.here, check=True)
        self.same_as_native("./stripped", "exit")
        events = self.executions(self.newest()[1])[0, 0]["events"]
        self.assertTrue(all(re.fullmatch(r"stripped\+0x[0-9a-f]+", event) for event in events[-4:]), events)
        main, work, step, again = events[-4:]
        self.assertEqual(step, again)
        self.assertEqual(len({main, work, step}), 3, events)

    def test_debug_files_name_stripped_programs(self):
        for words in (["objcopy", "--only-keep-debug", "program", "linked.debug"], ["strip", "-o", "linked", "program"],
                      ["objcopy", "--add-gnu-debuglink=linked.debug", "linked"]):
            subprocess.run(words, cwd=self.here, check=True)
        self.same_as_native("./linked", "exit")
        self.assertEqual(self.executions(self.newest()[1])[0, 0]["events"][-4:], ["main", "work", "step", "step"])

    def test_the_ring_keeps_the_tail_and_says_so(self):
        self.trace("./program", "many", options=["--limit", "50K"])
        trace = self.executions(self.newest()[1])[0, 0]
        self.assertTrue(trace["partial"])
        self.assertGreater(len(trace["events"]), 50_000)
        self.assertLess(len(trace["events"]), 200_000)
        self.assertEqual(set(trace["events"]), {"step"})

    def test_a_full_disk_keeps_the_tail(self):
        disk = self.here / "small-disk"
        disk.mkdir(exist_ok=True)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "none", str(disk)], capture_output=True).returncode != 0:
            self.skipTest("a small disk needs the right to mount one")
        try:
            done = self.trace("./program", "many", env=dict(os.environ, TMPDIR=str(disk)))
        finally:
            subprocess.run(["umount", str(disk)], check=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        stored, traces = self.newest()
        self.assertTrue(stored["incomplete"])
        trace = self.executions(traces)[0, 0]
        self.assertTrue(trace["partial"])
        self.assertEqual(trace["events"][-1], "step")

    def test_granularities_and_chop_points(self):
        self.trace("./program", "exit", options=["--granularity", "block"])
        events = self.executions(self.newest()[1])[0, 0]["events"]
        self.assertTrue(any(re.fullmatch(r"B work: \d+ (taken|not taken)", event) for event in events), events)
        self.trace("./program", "exit", options=["--granularity", "statement", "--include", "step"])
        events = self.executions(self.newest()[1])[0, 0]["events"]
        self.assertIn("S step: void step(int n) { sink += n; }", events)
        # Without lines there are none; that is said.
        note = "no line information: only methods were recorded; compile with -g"
        subprocess.run([CC, "-g0", "-O0", "-pthread", "program.c", "-o", "lineless"], cwd=self.here, check=True)
        for program, options, noted in [("./lineless", ["--granularity", "statement"], [note]), ("./lineless", [], []),
                                        ("./program", ["--granularity", "statement"], [])]:
            self.assertEqual(self.report(program, "exit", options=options)[1]["notes"], noted, (program, options))
        self.assertIn(note, self.trace("./lineless", "exit", options=["--granularity", "statement"]).stderr.decode())
        self.trace("./program", "exit", options=["--granularity", "instruction", "--include", "step"])
        events = self.executions(self.newest()[1])[0, 0]["events"]
        self.assertIn("I RET", events)
        self.trace("./program", "threads", options=["--chop", "start threaded"])
        traces = self.executions(self.newest()[1])
        self.assertNotIn("main", [event for trace in traces.values() for event in trace["events"]])
        self.assertTrue(all(trace["partial"] for trace in traces.values()))

    def test_values(self):
        self.trace("./program", "exit", options=["--values", "work,exit"])
        stored, _ = self.newest()
        lines = run([OSCOPE, "export", "--run", stored["id"]], self.here).stdout.decode()
        self.assertRegex(lines, r'"\(2, ')
        self.assertRegex(lines, r'"\(7, ')
        self.assertIn('"returned"', lines)

    def test_arguments_reach_the_program_byte_for_byte(self):
        words = ["[tag]", "[a,b]", "[]", "", "--", "--title", "a b", "{x}", "'", '"', "\n"]
        done = self.trace("printf", "%s|", *words, options=["--all"])
        self.assertEqual(done.stdout.decode(), "".join(word + "|" for word in words))
        without = run([OSCOPE, "trace", "./program", "exit"], self.here)
        self.assertEqual(without.returncode, 125)
        self.assertIn("put -- before the command", without.stderr.decode())

    def test_an_exception_that_dies_at_noexcept(self):
        (self.here / "noexcept.cc").write_text("""
#include <stdexcept>
void inner(const char* what) { throw std::runtime_error(what); }
void tolerant() { try { inner("first"); } catch (const std::exception&) {} }
void strict() noexcept { inner("second"); }
int main() { tolerant(); strict(); }
""")
        subprocess.run([CXX, "-g", "noexcept.cc", "-o", "noexcept"], cwd=self.here, check=True)
        self.trace("./noexcept")
        stored, traces = self.newest()
        self.assertEqual(stored["message"], "exception std::runtime_error: second")
        trace = self.executions(traces)[0, 0]
        self.assertEqual(trace["events"][:trace["mark"]["events"]], ["main", "tolerant", "inner", "strict", "inner"])

    def test_a_stored_exception_keeps_its_message(self):
        (self.here / "stored.cc").write_text("""
#include <exception>
#include <stdexcept>
#include <thread>
int work(int n) { if (n > 2) throw std::runtime_error("too many"); return n; }
std::exception_ptr stored;
void store() { try { work(3); } catch (...) { stored = std::current_exception(); } }
void later() { std::rethrow_exception(stored); }
int main(int argc, char**) {
  if (argc > 1) std::thread([] { store(); }).join(); else store();
  work(1);
  later();
}
""")
        subprocess.run([CXX, "-g", "-pthread", "stored.cc", "-o", "stored"], cwd=self.here, check=True)
        for words, last in ([], ["main", "store", "work"]), (["other-thread"], ["work", "later"]):
            with self.subTest(words):
                self.trace("./stored", *words)
                stored, traces = self.newest()
                self.assertEqual(stored["message"], "exception std::runtime_error: too many")
                trace = self.executions(traces)[0, 0]
                self.assertEqual((trace["mark"]["reason"], trace["events"][:trace["mark"]["events"]][-len(last):]), ("throw", last))

    def report(self, *words, options=()):
        """The last line of stderr with --json, and the file of --report, which tell the same."""
        file = self.here / "report.json"
        file.write_text("stale")
        done = self.trace(*words, options=["--json", "--report", str(file), *options])
        report = json.loads(done.stderr.decode().splitlines()[-1])
        self.assertEqual(json.loads(file.read_text()), report)
        return done, report

    def test_json(self):
        done, report = self.report("./program", "stderr")
        self.assertEqual((done.returncode, done.stdout), (1, b"begin stderr\n"))
        self.assertEqual(done.stderr.decode().splitlines()[0], "oops")
        self.assertEqual(len(done.stderr.decode().splitlines()), 2, "nothing but the program's own and the report")
        self.assertEqual({name: report[name] for name in ("project", "test", "outcome", "exit_code", "events", "processes", "threads", "partial",
                                                          "reason", "message", "notes")},
                         {"project": "p", "test": "./program stderr", "outcome": "failed", "exit_code": 1, "events": 4, "processes": 1, "threads": 1,
                          "partial": False, "reason": "exit", "message": "exit code 1", "notes": []})
        stored, _ = self.newest()
        self.assertEqual((report["run"], report["fingerprint"]), (stored["id"], stored["custom"]["fingerprint"]))
        self.assertNotIn("bug", report)

        _, report = self.report("./program")
        self.assertEqual((report["outcome"], report["exit_code"], report["similar"]), ("passed", 0, []))
        self.assertFalse({"reason", "message", "fingerprint", "place", "signal"} & set(report))

        _, report = self.report("./program", "threads", options=["--limit", "1000", "--chop", "start threaded"])
        self.assertEqual((report["threads"], report["partial"]), (3, True))

    def test_json_of_a_bug(self):
        done, report = self.report("./program", "abort", options=["--bug", "31"])
        self.assertEqual((done.returncode, report["outcome"], report["signal"], report["reason"]), (-signal.SIGABRT, "signal", signal.SIGABRT, "abort"))
        self.assertEqual((report["bug"], report["bug_is_new"]), ("p-31", True))
        self.assertTrue(report["place"]["file"].endswith("program.c"))
        line = PROGRAM.splitlines()[report["place"]["line"] - 1]
        self.assertIn("abort()", line)
        run([OSCOPE, "bug", "fix", "p-31", "--note", "do not give up"], self.here)
        _, report = self.report("./program", "abort")
        found = next(one for one in report["similar"] if one["bug"] == "p-31")
        self.assertEqual((found["distance"], found["status"], found["fix"]), (0, "resolved", "do not give up"))
        _, report = self.report("./program", "abort", options=["--bug", "31", "--no-query"])
        self.assertEqual((report["bug"], report["bug_is_new"], report["similar"]), ("p-31", False, []))

    def test_json_of_a_file_and_of_failures(self):
        _, report = self.report("./program", "exit", options=["--output", "there.osct"])
        self.assertEqual((report["file"], report["exit_code"]), ("there.osct", 7))
        done, report = self.report("./program", options=["--include", "nosuchfunction"])
        self.assertEqual(done.returncode, 125)
        self.assertIn("nothing was recorded", report["error"]["message"])
        self.assertNotIn("run", report)
        # What goes wrong before the program runs leaves no report, not even an older one.
        file = self.here / "report.json"
        done = self.trace("./none", options=["--json", "--report", str(file)])
        self.assertEqual((done.returncode, json.loads(done.stderr)["error"]["code"]), (127, "not-found"))
        self.assertFalse(file.exists())
        for path in "-", "/nonexistent/x.json", str(self.here):
            done = self.trace("./program", options=["--report", path])
            self.assertEqual((done.returncode, done.stdout), (125, b""), path)

    def test_processes_that_run_on_are_left_out_and_told(self):
        (self.here / "daemon.c").write_text("""
#include <unistd.h>
static volatile int sink;
void beat(void) { ++sink; }
int main(int argc, char** argv) {
  int ready[2];
  char c;
  if (argc > 1) { beat(); return 0; }
  if (pipe(ready)) return 9;
  if (fork() != 0) return read(ready[0], &c, 1) == 1 ? 1 : 9;
  close(1); close(2);
  beat();
  if (write(ready[1], "r", 1) != 1) return 9;
  for (int i = 0; i < 200; i++) { beat(); usleep(10000); }
  return execl(argv[0], argv[0], "again", (char*)0);
}
""")
        subprocess.run([CC, "-g", "daemon.c", "-o", "daemon"], cwd=self.here, check=True)
        scratch = self.here / "daemon-scratch"
        scratch.mkdir()
        environment = dict(os.environ, TMPDIR=str(scratch))
        done = self.trace("./daemon", env=environment)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("1 process still running was left out", done.stderr.decode())
        self.assertEqual({key: trace["events"] for key, trace in self.executions(self.newest()[1]).items()}, {(0, 0): ["main"]})
        # It finds the recording when it executes another program; a later recording removes that.
        recording, = scratch.iterdir()
        # While it does so it has no command line for a moment.
        self.wait_until(lambda: (recording / "2.events").exists() and not processes_of(recording))
        self.assertFalse([log for log in recording.glob("log.*") if "oscope:" in log.read_text()])
        self.trace("./program", env=environment)
        self.assertEqual(list(scratch.iterdir()), [])

    def wait_until(self, holds):
        deadline = time.monotonic() + DEADLINE
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def hang(self, environment):
        """A trace under way, and its recording."""
        scratch = pathlib.Path(environment["TMPDIR"])
        before = set(scratch.iterdir())
        traced = subprocess.Popen([OSCOPE, "trace", "--project", "p", "--recorder", RECORDER, "--", "./program", "hang"], cwd=self.here, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertEqual(traced.stdout.readline(), b"begin hang\n")
        self.assertEqual(traced.stdout.readline(), b"ready\n")
        recording, = set(scratch.iterdir()) - before
        return traced, recording

    def test_what_a_killed_oscope_left_is_removed(self):
        scratch = self.here / "scratch"
        scratch.mkdir()
        environment = dict(os.environ, TMPDIR=str(scratch))
        living, kept = self.hang(environment)
        killed, left = self.hang(environment)
        killed.kill()
        killed.wait(DEADLINE)
        # The program runs on: what it writes to stays until it has ended.
        self.trace("./program", env=environment)
        self.assertEqual(set(scratch.iterdir()), {kept, left})
        for pid in processes_of(left):
            os.kill(pid, signal.SIGKILL)
        self.wait_until(lambda: not processes_of(left))
        (scratch / "oscope-recording.mine").mkdir()  # no name of ours
        self.trace("./program", env=environment)
        self.assertEqual(set(scratch.iterdir()), {kept, scratch / "oscope-recording.mine"})
        # That of another oscope, which lives, is whole.
        living.send_signal(signal.SIGTERM)
        living.communicate(timeout=DEADLINE)
        self.assertEqual(living.returncode, -signal.SIGTERM)
        self.assertEqual(self.executions(self.newest()[1])[0, 0]["events"], ["main", "work", "step", "step"])
        self.assertFalse(kept.exists())
        killed.stdout.close()

    def test_many_at_once_share_a_place(self):
        scratch = self.here / "shared"
        scratch.mkdir()
        (scratch / "oscope-recording.abcdef").mkdir()
        environment = dict(os.environ, TMPDIR=str(scratch))
        traced = [subprocess.Popen([OSCOPE, "trace", "--project", "p", "--recorder", RECORDER, "--output", f"{i}.osct", "--", "./program", "exit"],
                                   cwd=self.here, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                  for i in range(12)]
        for one in traced:
            stderr = one.communicate(timeout=DEADLINE)[1]
            self.assertEqual(one.returncode, 7, stderr)
        self.assertEqual(list(scratch.iterdir()), [])

    def test_chop_points_that_are_not_reached_are_told(self):
        done = self.trace("./program", "exit", options=["--chop", "stop @ nofile.c:18"])
        self.assertIn("no chop point was reached", done.stderr.decode())
        self.assertNotIn("partial", self.executions(self.newest()[1])[0, 0])

    def test_output_is_checked_before_the_program_runs(self):
        for path in "/nonexistent/x.osct", str(self.here), "/dev/full":
            with self.subTest(path):
                done = self.trace("./program", options=["--output", path])
                self.assertEqual((done.returncode, done.stdout), (125, b""))

    def test_output_needs_no_store(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            shutil.copy(self.here / "program", elsewhere)
            without = run([OSCOPE, "trace", "--", "./program", "exit"], elsewhere)
            self.assertNotEqual(without.returncode, 7)
            self.assertIn(b"--output", without.stderr)
            done = run([OSCOPE, "trace", "--output", "run.osct", "--", "./program", "exit"], elsewhere)
            self.assertEqual(done.returncode, 7, done.stderr)
            taken = run([OSCOPE, "import", os.path.join(elsewhere, "run.osct"), "--bug", "77", "--project", "p"], self.here)
            self.assertEqual(taken.returncode, 0, taken.stderr)
            self.assertIn(b"added 1 run", taken.stdout)

    def test_recorded_elsewhere_and_imported(self):
        """What a machine without a store recorded is worth as much as what was recorded here."""
        with tempfile.TemporaryDirectory() as elsewhere, tempfile.TemporaryDirectory() as home:
            shutil.copy(self.here / "program", elsewhere)

            def record(name, what, *options):
                done = run([OSCOPE, "trace", "--project", "ci", "--recorder", RECORDER, "--output", name, *options, "--", "./program", what], elsewhere)
                self.assertTrue(os.path.exists(os.path.join(elsewhere, name)), done.stderr)
                return os.path.join(elsewhere, name)

            def oscope(*words, code=0):
                done = run([OSCOPE, *words], home)
                self.assertEqual(done.returncode, code, done.stderr)
                return done.stdout.decode()

            def bug(name):
                return json.loads(oscope("show", "bug", name, "--json"))

            first, second = record("1.osct", "assert", "--title", "the sink is wrong"), record("2.osct", "assert")
            passed, other = record("3.osct", "ok", "--title", "none"), record("4.osct", "crash")
            named = record("5.osct", "abort", "--bug", "40", "--title", "named there")
            oscope("init", "--quiet")

            dry = json.loads(oscope("import", first, second, "--dry-run", "--json"))
            self.assertEqual((dry["bugs_added"], [one["new_bug"] for one in dry["runs"]]), (1, [True, True]))
            added = json.loads(oscope("import", first, second, passed, "--json"))
            self.assertEqual((added["runs_added"], added["bugs_added"]), (3, 1))
            self.assertEqual([(one["bug"], one["bug_is_new"]) for one in added["linked"]], [("ci-1", True), ("ci-1", False)])
            stored = bug("ci-1")
            self.assertEqual(stored["title"], "the sink is wrong")
            self.assertEqual({one["id"] for one in stored["runs"]}, {one["run"] for one in added["linked"]})
            self.assertEqual(stored["custom"]["test"], "./program assert")

            # Once more: nothing.
            again = json.loads(oscope("import", first, second, passed, "--json"))
            self.assertEqual((again["runs_added"], again["runs_known"], again["bugs_added"], again["linked"]), (0, 3, 0, []))
            self.assertEqual(oscope("list", "bugs", "--count"), "1\n")

            # Without a bug, and with one that is said.
            self.assertNotIn("bug", oscope("import", other, "--no-bug").replace("0 bugs", ""))
            self.assertEqual(oscope("list", "runs", "--bug", "", "--failing", "--count"), "1\n")
            third = record("6.osct", "assert")
            oscope("import", third, "--bug", "7", "--project", "ci")
            self.assertEqual(len(bug("ci-7")["runs"]), 1)
            self.assertEqual(len(bug("ci-1")["runs"]), 2)
            oscope("import", named)
            self.assertEqual((bug("ci-40")["title"], len(bug("ci-40")["runs"])), ("named there", 1))

            # Recorded here, with a title: the same bug.
            shutil.copy(self.here / "program", home)
            run([OSCOPE, "trace", "--project", "ci", "--recorder", RECORDER, "--title", "again", "--", "./program", "assert"], home)
            self.assertEqual((bug("ci-1")["title"], len(bug("ci-1")["runs"])), ("the sink is wrong", 3))

            # What is told to people.
            text = oscope("import", record("7.osct", "assert"), record("8.osct", "return"))
            self.assertRegex(text, r"^run [0-9a-f]{12}: joined ci-1\nrun [0-9a-f]{12}: new bug ci-41\nadded 2 runs \(.*\) and 1 bug\n$")
            self.assertTrue(bug("ci-41")["title"].startswith("./program return: "), bug("ci-41"))
            oscope("bug", "fix", "ci-41", "--note", "returns 0", "--quiet")
            text = oscope("import", record("9.osct", "return"))
            self.assertIn("new bug ci-42\n  ci-41 had this failure and is resolved: is it back?", text)
            self.assertIn("fingerprint: ", oscope("show", "bug", "ci-42"))

    def test_similar_bugs_follow_a_failure(self):
        self.trace("./program", "assert", options=["--bug", "10", "--title", "the sink is wrong"])
        run([OSCOPE, "bug", "fix", "p-10", "--note", "count again"], self.here)
        done = self.trace("./program", "assert")
        self.assertIn("p-10", done.stderr.decode())
        self.assertIn("count again", done.stderr.decode())

    def framework(self, name, source, cases, compile_only=()):
        """Compiles a test program; each case is the arguments, the mark's reason, the last methods up to it, and the message."""
        (self.here / f"{name}.cc").write_text(source)
        subprocess.run([CXX, "-g", "-O0", f"{name}.cc", "-o", name, *compile_only], cwd=self.here, check=True)
        for words, reason, methods, message in cases:
            with self.subTest(words):
                self.trace(f"./{name}", *words)
                stored, traces = self.newest()
                trace = self.executions(traces)[0, 0]
                self.assertEqual(trace["mark"]["reason"], reason)
                self.assertEqual(trace["events"][:trace["mark"]["events"]][-len(methods):], methods)
                self.assertIn(message, stored["message"])

    def test_googletest(self):
        self.framework("with_gtest", """
#include <gtest/gtest.h>
int twice(int x) { return 2 * x + (x == 3); }
void boom() { throw std::out_of_range("far"); }
void after() {}
TEST(S, Equal) { EXPECT_EQ(twice(1), 2); EXPECT_EQ(twice(3), 6); after(); }
TEST(S, Throws) { EXPECT_THROW(boom(), std::out_of_range); twice(2); boom(); }
TEST(S, Fatal) { twice(5); FAIL() << "no"; }
int main(int argc, char** argv) { testing::InitGoogleTest(&argc, argv); return RUN_ALL_TESTS(); }
""", [(["--gtest_filter=S.Equal"], "test failure", ["twice", "twice"], "twice(3)"),
      (["--gtest_filter=S.Throws"], "throw", ["twice", "boom"], "exception std::out_of_range: far"),
      (["--gtest_filter=S.Fatal"], "test failure", ["twice"], "no")], ["-lgtest", "-pthread"])

    def test_catch2(self):
        self.framework("with_catch", """
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
int twice(int x) { return 2 * x + (x == 3); }
void boom() { throw std::out_of_range("far"); }
void after() {}
TEST_CASE("equal") { CHECK(twice(1) == 2); CHECK(twice(3) == 6); after(); }
TEST_CASE("throws") { CHECK_THROWS(boom()); twice(2); boom(); }
TEST_CASE("fatal") { twice(5); FAIL("no"); }
""", [(["equal"], "test failure", ["twice", "twice"], ""), (["throws"], "throw", ["twice", "boom"], "exception std::out_of_range: far"),
      (["fatal"], "test failure", ["twice"], "")])

    def test_boost_test(self):
        self.framework("with_boost", """
#define BOOST_TEST_MODULE sample
#include <boost/test/included/unit_test.hpp>
int twice(int x) { return 2 * x + (x == 3); }
void boom() { throw std::out_of_range("far"); }
void after() {}
BOOST_AUTO_TEST_CASE(equal) { BOOST_TEST(twice(1) == 2); BOOST_CHECK_EQUAL(twice(3), 6); after(); }
BOOST_AUTO_TEST_CASE(throws) { BOOST_CHECK_THROW(boom(), std::out_of_range); twice(2); boom(); }
BOOST_AUTO_TEST_CASE(fatal) { twice(5); BOOST_REQUIRE(twice(3) == 6); }
""", [(["-t", "equal"], "test failure", ["twice", "twice"], ""), (["-t", "throws"], "throw", ["twice", "boom"], "exception std::out_of_range: far"),
      (["-t", "fatal"], "test failure", ["twice", "twice"], "")])

    def test_signals_are_passed_on(self):
        traced = subprocess.Popen([OSCOPE, "trace", "--project", "p", "--recorder", RECORDER, "--", "./program", "hang"], cwd=self.here, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(traced.stdout.readline(), b"begin hang\n")
        self.assertEqual(traced.stdout.readline(), b"ready\n")
        traced.send_signal(signal.SIGTERM)
        self.assertEqual(traced.wait(DEADLINE), -signal.SIGTERM)
        traced.communicate()
        stored, traces = self.newest()
        self.assertEqual(stored["outcome"], "signal")
        self.assertEqual(self.executions(traces)[0, 0]["events"], ["main", "work", "step", "step"])

    def test_wrong_choices_are_told_before_the_program_runs(self):
        for options, message in [(["--granularity", "class"], "method, statement, block or instruction can be recorded"), (["--chop", "begin x"], "chop point"), (["--limit", "0"], "'0'"),
                                 (["--threads", "two"], "--threads"), (["--recorder", "gdb"], "recorder 'gdb'"), (["--timeout", "-1"], "--timeout"),
                                 (["--query", "nosuchquery"], "nosuchquery")]:
            with self.subTest(options):
                done = self.trace("./program", options=options)
                self.assertEqual(done.stdout, b"")
                self.assertIn(message, done.stderr.decode())
                self.assertEqual(done.returncode, 125)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
