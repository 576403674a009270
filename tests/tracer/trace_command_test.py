#!/usr/bin/env python3
"""Runs real programs under `oscope trace` and looks at what the program, the caller and the store see.

usage: trace_command_test.py OSCOPE PROGRAMS RECORDER [unittest arguments]
PROGRAMS is where the programs of programs/ have been built, RECORDER valgrind or pin.
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cases  # noqa: E402

OSCOPE = PROGRAMS = None
RECORDER = "valgrind"
DEADLINE = 120
SOURCES = pathlib.Path(__file__).resolve().parent / "programs"


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


def is_alive(pid):
    """Whether it runs; what has ended and waits for somebody to ask does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class TraceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        root = tempfile.TemporaryDirectory(prefix="oscope-trace-")
        cls.addClassCleanup(root.cleanup)
        cls.here = pathlib.Path(root.name)
        cls.take("ways", "program")
        os.environ.pop("OSCOPE_STORE", None)
        subprocess.run([OSCOPE, "init", "--quiet"], cwd=cls.here, check=True)

    @classmethod
    def take(cls, name, path=None):
        """Puts a program of programs/ into the directory."""
        if not (PROGRAMS / name).exists():
            raise unittest.SkipTest(f"programs/{name} was not built: what it is compiled with is not installed")
        shutil.copy(PROGRAMS / name, cls.here / (path or name))

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

    def failure_of(self, *words):
        """The run, the process that is marked, and its events up to the mark."""
        self.same_as_native(*words)
        stored, traces = self.newest()
        marked = {process: trace for (process, _), trace in self.executions(traces).items() if "mark" in trace}
        self.assertEqual(len(marked), 1, marked.keys())
        process, trace = marked.popitem()
        self.assertEqual(stored.get("failing_thread", {}).get("process", 0), process)
        return stored, process, trace["events"][:trace["mark"]["events"]], trace["mark"]["reason"]

    def report(self, *words, options=()):
        """The last line of stderr with --json, and the file of --report, which tell the same."""
        file = self.here / "report.json"
        file.write_text("stale")
        done = self.trace(*words, options=["--json", "--report", str(file), *options])
        report = json.loads(done.stderr.decode().splitlines()[-1])
        self.assertEqual(json.loads(file.read_text()), report)
        return done, report

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

    def framework(self, name, expected):
        """Runs a test program; each case is the arguments, the mark's reason, the last methods up to it, and the message."""
        self.take(name)
        for words, reason, methods, message in expected:
            with self.subTest(words):
                self.trace(f"./{name}", *words)
                stored, traces = self.newest()
                trace = self.executions(traces)[0, 0]
                self.assertEqual(trace["mark"]["reason"], reason)
                self.assertEqual(trace["events"][:trace["mark"]["events"]][-len(methods):], methods)
                self.assertIn(message, stored["message"])


class Ends(TraceTest):
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
        failure = stored["failure"]
        self.assertEqual((failure["kind"], failure["function"], pathlib.Path(failure["file"]).name), ("signal", "main", "ways.c"))
        self.assertGreater(failure["line"], 0)

    def test_time_out_keeps_the_trace(self):
        for what in "hang", "spin":
            with self.subTest(what):
                done = self.trace("./program", what, options=["--timeout", "3", "--limit", "1000"])
                self.assertEqual(done.returncode, 124)
                stored, traces = self.newest()
                self.assertEqual(stored["outcome"], "timeout")
                self.assertEqual(self.executions(traces)[0, 0]["mark"]["reason"], "time-out")

    def test_directory_and_descriptors_are_the_programs_own(self):
        for what in "chdir", "close":
            with self.subTest(what):
                self.same_as_native("./program", what)
                self.assertEqual(self.executions(self.newest()[1])[0, 0]["events"][4:], ["work", "step"])

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


class Descriptors(TraceTest):
    """Standard streams that are closed, or lead to a full disk: the program and its caller see what they see without us."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.take("descriptors")

    def seen(self, command, redirections):
        """What the program saw, and what its caller did."""
        file = self.here / "seen.txt"
        file.unlink(missing_ok=True)
        done = run(["bash", "-c", f'exec "$@" {redirections}', "bash", *map(str, command)], self.here)
        return file.read_text() if file.exists() else None, done.returncode, done.stdout

    def test_the_program_sees_its_own_streams(self):
        for redirections in ["", "<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", ">&- 2>/dev/full",
                             "<&- >/dev/full 2>&-"]:
            with self.subTest(redirections=redirections):
                program = ["./descriptors", "seen.txt", "abort" if ">&-" in redirections else "3"]
                native = self.seen(program, redirections)
                traced = self.seen([OSCOPE, "trace", "--project", "p", "--recorder", RECORDER, "--no-query", "--", *program], redirections)
                self.assertEqual(traced, native)
                self.assertEqual(self.newest()[0]["exit_code" if "3" in program else "signal"], 3 if "3" in program else signal.SIGABRT)
        self.assertEqual(run([OSCOPE, "store", "check", "--quiet"], self.here).returncode, 0)

    def test_same_keeps_its_exit_codes(self):
        run([OSCOPE, "trace", "--bug", "p-1", "--project", "p", "--recorder", RECORDER, "--", "./descriptors", "seen.txt", "abort"], self.here)
        for redirections in ["2>&-", "2>/dev/full", ">&- 2>&-", "<&- >&- 2>&-"]:
            for end, code in [("abort", 1), ("0", 0), ("3", 125)]:
                with self.subTest(redirections=redirections, end=end):
                    same = [OSCOPE, "same", "p-1", "--project", "p", "--recorder", RECORDER, "--", "./descriptors", "seen.txt", end]
                    self.assertEqual(self.seen(same, redirections)[1], code)


class Signals(TraceTest):
    """What is sent to oscope while the program runs. Each test has a temporary directory of its own, in which nothing may stay."""

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(dir=self.here))
        self.environment = dict(os.environ, TMPDIR=str(self.scratch))

    def start(self, *words, command=("trace", "--project", "p"), **options):
        """oscope with a program under way, and what records there: the program has said that it is ready, as often as it has processes."""
        started = subprocess.Popen([OSCOPE, *command, "--recorder", RECORDER, "--", "./program", *words], cwd=self.here, env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.addCleanup(self.kill, started)
        self.assertEqual(started.stdout.readline(), f"begin {words[0]}\n".encode())
        for _ in range(2 if words[0] == "stubborn" else 1):
            self.assertEqual(started.stdout.readline(), b"ready\n")
        recording, = self.scratch.iterdir()
        return started, processes_of(recording)

    def kill(self, started):
        for recording in self.scratch.iterdir():
            for pid in processes_of(recording):
                os.kill(pid, signal.SIGKILL)
        started.kill()
        started.communicate()

    def finish(self, started, pids):
        """How it ended: its exit code, what the program printed besides, and what oscope said. Nothing is left of it."""
        stdout, stderr = started.communicate(timeout=DEADLINE)
        self.assertEqual([pid for pid in pids if is_alive(pid)], [])
        self.assertEqual(list(self.scratch.iterdir()), [])
        check = run([OSCOPE, "store", "check"], self.here)
        self.assertEqual(check.returncode, 0, check.stdout)
        return started.returncode, stdout.decode(), stderr.decode()

    def test_the_end_by_a_signal_is_kept(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
            with self.subTest(number):
                started, pids = self.start("hang")
                started.send_signal(number)
                self.assertEqual(self.finish(started, pids)[0], -number)
                stored, traces = self.newest()
                self.assertEqual((stored["outcome"], stored["signal"], stored["message"]), ("signal", number, number.name))
                trace = self.executions(traces)[0, 0]
                self.assertEqual((trace["events"], trace["mark"]), (["main", "work", "step", "step"], {"events": 4, "reason": number.name}))

    def test_a_program_may_take_signals_as_it_likes(self):
        started, pids = self.start("count")
        started.send_signal(signal.SIGINT)
        self.assertEqual(started.stdout.readline(), b"signal 02\n")
        started.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(started, pids)[:2], (43, "signal 15\n"))
        stored, _ = self.newest()
        self.assertEqual((stored["outcome"], stored["exit_code"]), ("failed", 43))

    def test_an_interrupt_of_the_terminal_comes_once(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        started, pids = self.start("count", start_new_session=True, preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0))
        os.close(slave)
        # As many as were typed: the terminal sends each to the program as well as to oscope.
        for code in ("signal 02\n", "signal 02\n"):
            os.write(master, b"\x03")
            self.assertEqual(started.stdout.readline().decode(), code)
        self.assertEqual(self.finish(started, pids)[:2], (43, ""))

    def test_a_program_that_ignores_the_end_is_killed_at_its_time_out(self):
        started, pids = self.start("stubborn", command=("trace", "--project", "p", "--timeout", "4"))
        self.assertEqual(len(pids), 2)
        self.assertEqual(self.finish(started, pids)[0], 124)
        stored, traces = self.newest()
        self.assertEqual((stored["outcome"], stored["message"]), ("timeout", "time-out"))
        found = {process: (trace["events"], trace.get("mark", {}).get("reason")) for (process, _), trace in self.executions(traces).items()}
        self.assertEqual(found, {0: (["main", "work", "step", "step", "work", "step"], "time-out"), 1: (["work", "step"], None)})

    def test_what_cannot_be_told_when_it_is_stopped(self):
        self.trace("./program", "abort", options=["--bug", "60"])
        count = run([OSCOPE, "list", "runs", "--count"], self.here).stdout
        same = ("same", "--project", "p", "--keep", "60")
        for words, number in [("hang", signal.SIGINT), ("hang", signal.SIGTERM), ("stubborn", signal.SIGINT)]:
            with self.subTest(words=words, number=number):
                started, pids = self.start(words, command=same)
                started.send_signal(number)
                code, _, stderr = self.finish(started, pids)
                self.assertEqual(code, 125)
                self.assertIn("the command was stopped", stderr)
        self.assertEqual(run([OSCOPE, "list", "runs", "--count"], self.here).stdout, count, "nothing is kept")


class Places(TraceTest):
    """The line of a failure, where the instruction beside it is another line's."""

    def place(self, program, *words):
        self.take(program)
        place = self.report(f"./{program}", *words)[1]["place"]
        return pathlib.Path(place["file"]), place["line"]

    def lines(self, source):
        """What stands behind "HERE" in the lines of a program: the line of each."""
        text = (SOURCES / source).read_text().splitlines()
        return {line.split("HERE ")[1].split()[0].strip(":"): number for number, line in enumerate(text, 1) if "HERE " in line}

    def test_the_innermost_line(self):
        for way in "crash", "abort", "exit", "assert", "library":
            with self.subTest(way):
                self.assertEqual(self.place("places", way), (SOURCES / "places.c", self.lines("places.c")[way]))

    def test_the_line_of_a_throw(self):
        self.assertEqual(self.place("thrown"), (SOURCES / "thrown.cc", self.lines("thrown.cc")["throw"]))


class Processes(TraceTest):
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

    def test_a_script_is_traced_with_what_it_starts(self):
        (self.here / "script").write_text("#!/bin/sh\n./program exit\nexit 4\n")
        (self.here / "script").chmod(0o755)
        self.same_as_native("./script")
        stored, traces = self.newest()
        mains = [t for t in self.executions(traces).values() if "work" in t["events"]]
        self.assertEqual([t["events"] for t in mains], [["main", "work", "step", "step"]])

    def test_processes_that_run_on_are_left_out_and_told(self):
        self.take("daemon")
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


class Shells(TraceTest):
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
        prints = [self.failure_of("./program", "code", code)[0]["failure"]["fingerprint"] for code in ("1", "2", "1")]
        self.assertEqual(prints[0], prints[2])
        self.assertNotEqual(prints[0], prints[1])
        self.assertEqual(self.failure_of("bash", "-c", "./program code 1; exit $?")[0]["failure"]["fingerprint"], prints[0])


class Untouched(TraceTest):
    def test_streams_are_the_programs_own(self):
        self.same_as_native("./program", "read", stdin=None, input=b"one\ntwo\n")
        stored, _ = self.newest()
        inputs = {one["name"]: one for one in stored["inputs"]}
        self.assertEqual(inputs["-"].get("text") or inputs["-"].get("base64"), "b25lCnR3bwo=" if "base64" in inputs["-"] else "one\ntwo\n")
        native, traced = self.same_as_native("./program", "stderr")
        self.assertTrue(traced.stderr.startswith(native.stderr), traced.stderr)

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

    def test_arguments_reach_the_program_byte_for_byte(self):
        words = ["[tag]", "[a,b]", "[]", "", "--", "--title", "a b", "{x}", "'", '"', "\n"]
        done = self.trace("printf", "%s|", *words, options=["--all"])
        self.assertEqual(done.stdout.decode(), "".join(word + "|" for word in words))
        without = run([OSCOPE, "trace", "./program", "exit"], self.here)
        self.assertEqual(without.returncode, 125)
        self.assertIn("put -- before the command", without.stderr.decode())


class Refused(TraceTest):
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
        self.take("wide")
        before = len(run([OSCOPE, "list", "runs"], self.here).stdout.splitlines())
        done = self.trace("./wide")
        self.assertEqual(done.returncode, 126, done.stderr)
        self.assertIn("AVX-512", done.stderr.decode())
        self.assertEqual(len(run([OSCOPE, "list", "runs"], self.here).stdout.splitlines()), before, "nothing was stored")

    def test_output_is_checked_before_the_program_runs(self):
        for path in "/nonexistent/x.osct", str(self.here):
            with self.subTest(path):
                done = self.trace("./program", options=["--output", path])
                self.assertEqual((done.returncode, done.stdout), (125, b""))

    def test_a_device_that_is_full_is_told_afterwards(self):
        done = self.trace("./program", options=["--output", "/dev/full"])
        self.assertEqual(done.returncode, 125)
        self.assertIn(b"No space left on device", done.stderr)

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

    def test_wrong_choices_are_told_before_the_program_runs(self):
        for options, message in [(["--granularity", "class"], "method, statement, block or instruction can be recorded"), (["--chop", "begin x"], "chop point"), (["--limit", "0"], "'0'"),
                                 (["--threads", "two"], "--threads"), (["--recorder", "gdb"], "recorder 'gdb'"), (["--timeout", "-1"], "--timeout"),
                                 (["--query", "nosuchquery"], "nosuchquery")]:
            with self.subTest(options):
                done = self.trace("./program", options=options)
                self.assertEqual(done.stdout, b"")
                self.assertIn(message, done.stderr.decode())
                self.assertEqual(done.returncode, 125)


class Names(TraceTest):
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


class Choices(TraceTest):
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
        subprocess.run(["strip", "-g", "-o", "lineless", "program"], cwd=self.here, check=True)
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

    def test_chop_points_that_are_not_reached_are_told(self):
        done = self.trace("./program", "exit", options=["--chop", "stop @ nofile.c:18"])
        self.assertIn("no chop point was reached", done.stderr.decode())
        self.assertNotIn("partial", self.executions(self.newest()[1])[0, 0])


class Exceptions(TraceTest):
    def test_an_exception_that_dies_at_noexcept(self):
        self.take("noexcept")
        self.trace("./noexcept")
        stored, traces = self.newest()
        self.assertEqual(stored["message"], "exception std::runtime_error: second")
        trace = self.executions(traces)[0, 0]
        self.assertEqual(trace["events"][:trace["mark"]["events"]], ["main", "tolerant", "inner", "strict", "inner"])

    def test_a_stored_exception_keeps_its_message(self):
        self.take("stored")
        for words, last in ([], ["main", "store", "work"]), (["other-thread"], ["work", "later"]):
            with self.subTest(words):
                self.trace("./stored", *words)
                stored, traces = self.newest()
                self.assertEqual(stored["message"], "exception std::runtime_error: too many")
                trace = self.executions(traces)[0, 0]
                self.assertEqual((trace["mark"]["reason"], trace["events"][:trace["mark"]["events"]][-len(last):]), ("throw", last))


class CaughtExceptions(TraceTest):
    """A failure long after an exception that was caught is where it is, and not where that was thrown."""

    def failure(self, who, how):
        self.take("caught")
        self.same_as_native("./caught", who, how)
        stored, traces = self.newest()
        trace = self.executions(traces)[0, 0]
        before = trace["events"][:trace["mark"]["events"]]
        return trace["mark"]["reason"], stored["message"], before.count("step") >= 100, [t["events"] for t in traces if t.get("kind") == "stack"]

    def test_an_exit(self):
        for who in "function", "rethrown", "library", "main":
            with self.subTest(who):
                self.assertEqual(self.failure(who, "exit"), ("exit", "exit code 1", True, [["main"]]))

    def test_other_failures(self):
        for who, how, reason in [("function", "abort", "abort"), ("main", "assert", "assertion"), ("library", "assert", "assertion"),
                                 ("library", "crash", "SIGSEGV"), ("rethrown", "abort", "abort")]:
            with self.subTest(who=who, how=how):
                self.assertEqual(self.failure(who, how)[::2], (reason, True))

    def test_what_main_caught_and_failed_by_is_the_throw(self):
        self.assertEqual(self.failure("main", "at-once"), ("throw", "exception std::runtime_error: an old one", False, [["main", "toss"]]))


class Reports(TraceTest):
    def test_json(self):
        done, report = self.report("./program", "stderr")
        self.assertEqual((done.returncode, done.stdout), (1, b"begin stderr\n"))
        self.assertEqual(done.stderr.decode().splitlines()[0], "oops")
        self.assertEqual(len(done.stderr.decode().splitlines()), 2, "nothing but the program's own and the report")
        self.assertEqual({name: report[name] for name in ("project", "test", "outcome", "exit_code", "events", "processes", "threads", "partial",
                                                          "reason", "message", "notes")},
                         {"project": "p", "test": report["test"], "outcome": "failed", "exit_code": 1, "events": 4, "processes": 1, "threads": 1,
                          "partial": False, "reason": "exit", "message": "exit code 1", "notes": []})
        self.assertRegex(report["test"], r"^program [0-9a-f]{8}$")
        stored, _ = self.newest()
        self.assertEqual((report["run"], report["fingerprint"]), (stored["id"], stored["failure"]["fingerprint"]))
        self.assertEqual((report["bug"], report["bug_is_new"], report["reopened"]), ("p-1", True, False))
        _, report = self.report("./program", "stderr")
        self.assertEqual((report["bug"], report["bug_is_new"]), ("p-1", False))

        _, report = self.report("./program")
        self.assertEqual((report["outcome"], report["exit_code"], report["similar"]), ("passed", 0, []))
        self.assertFalse({"reason", "message", "fingerprint", "place", "signal"} & set(report))

        _, report = self.report("./program", "threads", options=["--limit", "1000", "--chop", "start threaded"])
        self.assertEqual((report["threads"], report["partial"]), (3, True))

    def test_json_of_a_bug(self):
        done, report = self.report("./program", "abort", options=["--bug", "31"])
        self.assertEqual((done.returncode, report["outcome"], report["signal"], report["reason"]), (-signal.SIGABRT, "signal", signal.SIGABRT, "abort"))
        self.assertEqual((report["bug"], report["bug_is_new"]), ("p-31", True))
        self.assertEqual(pathlib.Path(report["place"]["file"]), SOURCES / "ways.c")
        line = (SOURCES / "ways.c").read_text().splitlines()[report["place"]["line"] - 1]
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

    def test_similar_bugs_follow_a_failure(self):
        self.trace("./program", "assert", options=["--bug", "10", "--title", "the sink is wrong"])
        run([OSCOPE, "bug", "fix", "p-10", "--note", "count again"], self.here)
        done = self.trace("./program", "assert")
        self.assertIn("p-10", done.stderr.decode())
        self.assertIn("count again", done.stderr.decode())

    def test_output_and_report_through_links_pipes_and_modes(self):
        for name in "run.osct", "report.json":
            (self.here / name).write_text("old")
            (self.here / name).chmod(0o640)
            (self.here / f"link-{name}").symlink_to(name)
        done = self.trace("./program", "exit", options=["--output", "link-run.osct", "--report", "link-report.json"])
        self.assertEqual(done.returncode, run(["./program", "exit"], self.here).returncode)
        for name in "run.osct", "report.json":
            self.assertTrue((self.here / f"link-{name}").is_symlink())
            self.assertEqual((self.here / name).stat().st_mode & 0o777, 0o640)
        self.assertEqual(json.loads((self.here / "report.json").read_text())["outcome"], "failed")
        self.assertEqual(run([OSCOPE, "import", "--dry-run", "--no-bug", "run.osct"], self.here).returncode, 0)
        os.mkfifo(self.here / "pipe")
        reader = subprocess.Popen(["cat", "pipe"], cwd=self.here, stdout=subprocess.PIPE)
        self.trace("./program", options=["--no-query", "--report", "pipe"])
        self.assertEqual(json.loads(reader.communicate(timeout=DEADLINE)[0])["outcome"], "passed")
        self.assertTrue((self.here / "pipe").is_fifo())
        done = self.trace("./program", options=["--output", "."])
        self.assertEqual((done.returncode, done.stderr), (125, b"oscope: --output: .: is a directory\n"))


class Scratch(TraceTest):
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


class Elsewhere(TraceTest):
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
            self.assertRegex(stored["custom"]["test"], r"^program [0-9a-f]{8}$")

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

            # Recorded here, with a title: the bug that a person gave to the last run with this failure.
            shutil.copy(self.here / "program", home)
            run([OSCOPE, "trace", "--project", "ci", "--recorder", RECORDER, "--title", "again", "--", "./program", "assert"], home)
            self.assertEqual((len(bug("ci-1")["runs"]), len(bug("ci-7")["runs"])), (2, 2))
            self.assertNotEqual(bug("ci-7")["title"], "again")

            # What is told to people.
            text = oscope("import", record("7.osct", "assert"), record("8.osct", "return"))
            self.assertRegex(text, r"^run [0-9a-f]{12}: joined ci-7\nrun [0-9a-f]{12}: new bug ci-41\nadded 2 runs \(.*\) and 1 bug\n$")
            self.assertTrue(bug("ci-41")["title"].startswith("program: "), bug("ci-41"))
            oscope("bug", "fix", "ci-41", "--note", "returns 0", "--quiet")
            text = oscope("import", record("9.osct", "return"))
            self.assertIn("new bug ci-42\n  ci-41 had this failure and is resolved: is it back?", text)
            self.assertIn("fingerprint: ", oscope("show", "bug", "ci-42"))


class OneCrash(TraceTest):
    """One crash has one fingerprint, whoever saw it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.take("crash")

    def recorded(self, way):
        self.trace("./crash", way)
        return self.newest()[0]["failure"]

    def imported(self, text, form):
        """The failure that `oscope import` makes of a text."""
        with tempfile.TemporaryDirectory(prefix="oscope-crash-") as home:
            subprocess.run([OSCOPE, "init", "--quiet"], cwd=home, check=True)
            subprocess.run([OSCOPE, "import", "--quiet", "--project", "p", "--format", form, "-"], input=text, cwd=home, check=True)
            runs = json.loads(run([OSCOPE, "list", "runs", "--json"], home).stdout)["runs"]
        self.assertEqual(len(runs), 1, text)
        return runs[0]["failure"]

    def seen_by_gdb(self, way):
        if not shutil.which("gdb"):
            self.skipTest("gdb is not installed")
        done = run(["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "run", "-ex", "bt", "--args", "./crash", way], self.here)
        if b"#0 " not in done.stdout:
            self.skipTest(f"gdb cannot run a program here: {done.stderr.decode()}")
        return self.imported(done.stdout, "gdb")

    def seen_by_asan(self, way):
        compiled = run([os.environ.get("CC", "cc"), "-g", "-O0", "-fsanitize=address", SOURCES / "crash.c", "-o", "crash_asan"], self.here)
        if compiled.returncode != 0:
            self.skipTest(f"AddressSanitizer is not installed: {compiled.stderr.decode()}")
        return self.imported(run(["./crash_asan", way], self.here).stderr, "sanitizer")

    def test_gdb_sees_what_was_recorded(self):
        for way, kind in [("p", "signal"), ("l", "signal"), ("a", "assertion")]:
            with self.subTest(way):
                recorded, seen = self.recorded(way), self.seen_by_gdb(way)
                self.assertEqual((seen["kind"], seen["function"]), (kind, "measure"))
                self.assertEqual((recorded["kind"], recorded["function"]), (kind, "measure"))
                self.assertEqual((seen["line"], seen["fingerprint"]), (recorded["line"], recorded["fingerprint"]))

    def test_a_sanitizer_sees_what_was_recorded(self):
        for way in "p", "l":
            with self.subTest(way):
                recorded, seen = self.recorded(way), self.seen_by_asan(way)
                self.assertEqual((seen["kind"], seen["function"], seen["line"]), ("signal", "measure", recorded["line"]))
                self.assertEqual(seen["fingerprint"], recorded["fingerprint"])

    def test_a_stack_that_overflows_is_one_crash_for_all_three(self):
        recorded, by_gdb, by_asan = self.recorded("s"), self.seen_by_gdb("s"), self.seen_by_asan("s")
        for seen in recorded, by_gdb, by_asan:
            self.assertEqual((seen["kind"], seen["function"]), ("signal", "descend"))
            self.assertEqual(seen["fingerprint"], recorded["fingerprint"])

    def test_passed_on_by_a_shell_it_is_the_same(self):
        recorded = self.recorded("p")
        self.trace("sh", "-c", "./crash p; exit $?")
        stored = self.newest()[0]
        self.assertEqual(stored["failure"], recorded)
        self.assertEqual((stored["outcome"], stored["exit_code"], stored["signal"]), ("failed", 128 + signal.SIGSEGV, signal.SIGSEGV))


class GoogleTest(TraceTest):
    def test_googletest(self):
        self.framework("with_gtest", [(["--gtest_filter=S.Equal"], "test failure", ["twice", "twice"], "twice(3)"),
      (["--gtest_filter=S.Throws"], "throw", ["twice", "boom"], "exception std::out_of_range: far"),
      (["--gtest_filter=S.Fatal"], "test failure", ["twice"], "no")])


class Catch2(TraceTest):
    def test_catch2(self):
        self.framework("with_catch", [(["equal"], "test failure", ["twice", "twice"], ""), (["throws"], "throw", ["twice", "boom"], "exception std::out_of_range: far"),
      (["fatal"], "test failure", ["twice"], "")])


class BoostTest(TraceTest):
    def test_boost_test(self):
        self.framework("with_boost", [(["-t", "equal"], "test failure", ["twice", "twice"], ""), (["-t", "throws"], "throw", ["twice", "boom"], "exception std::out_of_range: far"),
      (["-t", "fatal"], "test failure", ["twice", "twice"], "")])


if __name__ == "__main__":
    OSCOPE, PROGRAMS, RECORDER = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    cases.require("valgrind" if RECORDER == "valgrind" else "pin")
    cases.run(sys.argv[4:])
