#!/usr/bin/env python3
"""The Valgrind tool on real programs: what it records is what they did, and they do not notice.

usage: valgrind_tool_test.py TOOL_DIRECTORY [TEST...]
"""
import collections
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cases  # noqa: E402
import raw_dump  # noqa: E402
from valgrind_tool import DEADLINE_SECONDS, OWN_CODE, Recorder, depths, entries, function_names, lines, told  # noqa: E402

METHOD, STATEMENT, BLOCK, INSTRUCTION, OFF = (("granularity", word) for word in
                                              ("method", "statement", "block", "instruction", "off"))
MARKS = [("mark", 1, "-", 0, 0, "-", "abort"), ("mark", 2, "-", 0, 0, "s0,s1,i2,s3", "__assert_fail"),
         ("mark", 3, 0, 1, 255, "i0", "exit")]
TOOL_DIRECTORY = None


class ToolTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="oscope-tool-")
        cls.addClassCleanup(cls.directory.cleanup)
        cls.recorder = Recorder(TOOL_DIRECTORY, cls.directory.name)

    def record(self, *arguments, **options):
        return self.recorder.record(*arguments, **options)

    def process(self, *arguments, **options):
        return self.recorder.process(*arguments, **options)

    def kinds(self, process, *kinds):
        return [record for record in process.records() if record.kind in kinds]

    def only(self, process, kind):
        found = self.kinds(process, kind)
        self.assertEqual(len(found), 1, [str(record) for record in found])
        return found[0]


class Flow(ToolTest):
    def test_entries_in_order_and_number(self):
        inner = ["inner", "leaf", "leaf"]
        process = self.process([self.recorder.compile("calls.c")], [METHOD])
        self.assertEqual(entries(process), ["main", "outer", *inner * 3, "classify", "classify", "classify"])
        self.assertEqual(process.flags, {"finished"})
        self.assertEqual(process.threads, {0: process.pid})

    def test_depth_follows_from_stack_pointers(self):
        process = self.process([self.recorder.compile("calls.c")], [METHOD])
        inner = [(2, "inner"), (3, "leaf"), (3, "leaf")]
        self.assertEqual(depths(process), [(0, "main"), (1, "outer"), *inner * 3, *[(1, "classify")] * 3])

    def test_depth_through_exceptions_and_longjmp(self):
        process = self.process([self.recorder.compile("exceptions.cc")], [METHOD, ("leave-out", "name", "std::*"), ("keep", "name", "lib::*"),
                               ("leave-out", "name", "lib::Odd::*")])
        deep = "_ZN3lib4deepEi"
        after = (1, "_ZN3lib5afterEv")
        self.assertEqual(depths(process), [
            (0, "main"), (1, "_ZN3lib7catcherEi"), *((depth, deep) for depth in (2, 3, 4, 5)), (2, "_ZN3lib5afterEv"), after,
            *((depth, "_Z6jumperi") for depth in (1, 2, 3)), after,
            (1, "_ZN3lib9rethrowerEv"), (2, deep), (3, deep), after])

    def test_the_log_takes_no_descriptor_of_the_program(self):
        command = ["/bin/sh", "-c", "echo began; exec 2>/dev/null; exec sh -c 'for n in 3 4 5; do (echo x >&$n) && echo $n; done'"]
        done, _ = self.record(command, [METHOD])
        self.assertEqual(done.stdout, b"began\n")
        self.assertEqual(done.returncode, subprocess.run(command, capture_output=True).returncode)

    def test_names_within_declarators(self):
        binary = self.recorder.compile("declarators.cc")
        kept = entries(self.process([binary], [METHOD, ("leave-out", "name", "*"), ("keep", "name", "lib::*")]))
        self.assertEqual(len(kept), 5, kept)
        left = entries(self.process([binary], [METHOD, *(("leave-out", "name", f"lib::{name}<*") for name in ("member", "pass", "pick"))]))
        self.assertEqual(left, ["main", "_ZN3lib1X2goEv", "_ZN3lib5twiceEi"])

    def test_branches_both_ways(self):
        binary = self.recorder.compile("calls.c")
        process = self.process([binary], [BLOCK])
        by_line = collections.defaultdict(list)
        for record in self.kinds(process, "branch"):
            by_line[lines([record.site], binary)[0]].append(record.taken)
        text = pathlib.Path(raw_dump.__file__).with_name("programs").joinpath("calls.c").read_text().splitlines()
        condition = next(number for number, line in enumerate(text, 1) if "n > 10" in line)
        loop = next(number for number, line in enumerate(text, 1) if "i < rounds" in line)
        # At -O0 the compiler jumps over the body if the condition is false, and back to the body of a loop while it is true.
        self.assertEqual(by_line, {condition: [1, 0, 1], loop: [1, 1, 1, 0]})
        self.assertEqual(entries(process)[:3], ["main", "outer", "inner"])

    def test_branches_agree_with_gcov(self):
        # Each conditional jump of the program is gcov's branch of the same line; sums by line do not depend on their directions.
        binary = self.recorder.compile("calls.c", "--coverage")
        process = self.process([binary], [BLOCK, ("leave-out", "name", "gcov*")])
        ours = collections.Counter(lines([record.site for record in self.kinds(process, "branch")], binary))
        notes = next(path for path in pathlib.Path(self.directory.name).glob("*calls*.gcda"))
        text = subprocess.run(["gcov", "-t", "-b", "-c", notes], capture_output=True, text=True, check=True,
                              cwd=self.directory.name).stdout
        gcovs, line = collections.Counter(), 0
        for row in text.splitlines():
            fields = row.split(":")
            if len(fields) > 2 and fields[1].strip().isdigit():
                line = int(fields[1])
            elif row.startswith("branch"):
                gcovs[line] += int(row.split()[3])
        self.assertEqual({line: count for line, count in ours.items() if line in gcovs}, dict(gcovs))
        self.assertTrue(gcovs)

    def test_statements(self):
        binary = self.recorder.compile("chops.c")
        process = self.process([binary], [STATEMENT, ("leave-out", "name", "*"), ("keep", "name", "marked")])
        numbers = lines([record.site for record in self.kinds(process, "statement")], binary)
        self.assertEqual(numbers, [16, 17, 18, 19, 20, 21, 22])
        self.assertEqual(entries(process), ["marked"])

    def test_instructions(self):
        binary = self.recorder.compile("calls.c")
        process = self.process([binary], [INSTRUCTION, ("leave-out", "name", "*"), ("keep", "name", "leaf")])
        disassembly = subprocess.run(["objdump", "-d", "--disassemble=leaf", binary], capture_output=True, text=True,
                                     check=True).stdout
        addresses = [int(line.split(":")[0], 16) for line in disassembly.splitlines() if line.startswith("    ")]
        found = [record.site.vaddr for record in self.kinds(process, "instr")]
        self.assertEqual(found, addresses * 6)

    def test_optimised_code_has_no_entries_of_parts(self):
        binary = self.recorder.compile("parts.c", "-O2")
        symbols = subprocess.run(["nm", binary], capture_output=True, text=True, check=True).stdout
        self.assertIn("maybe.cold", symbols)
        expected = ["main", *["maybe"] * 4, *["maybe", "report", "report"] * 2]
        # `main` and `report` lie in sections that sort before the rest.
        self.assertEqual(entries(self.process([binary], [METHOD])), expected)

    def test_stripped_binary(self):
        binary = self.recorder.compile("parts.c", "-O2")
        stripped = binary.with_name(binary.name + "-stripped")
        subprocess.run(["strip", binary, "-o", stripped], check=True)
        process = self.process([stripped], [METHOD])
        sites = [record.site for record in self.kinds(process, "entry")]
        self.assertTrue(all(site.name == "" for site in sites))
        names = function_names([raw_dump.Site("m", str(binary), site.vaddr, "") for site in sites], binary)
        names = [name for name in names if not name.startswith("_")]
        self.assertEqual(names, ["main", *["maybe"] * 4, *["maybe", "report", "report"] * 2])

    def test_static_binary(self):
        binary = self.recorder.compile("calls.c", "-static")
        names = entries(self.process([binary], [METHOD, ("leave-out", "name", "*"), ("keep", "name", "outer"), ("keep", "name", "leaf")]))
        self.assertEqual(names, ["outer", *["leaf"] * 6])

    def test_ring_keeps_the_newest(self):
        done, recording = self.record([self.recorder.compile("careless.c")], [METHOD, ("ring-chunks", 2)])
        process = raw_dump.Process(recording, 0)
        self.assertEqual(done.stdout, b"200000\n")
        self.assertEqual(process.ring_chunks, 2)
        self.assertGreater(process.chunks, 4)
        self.assertLessEqual((recording / "0.events").stat().st_size, 4096 + 2 * raw_dump.CHUNK_BYTES)
        names = entries(process)
        self.assertTrue(all(name == "busy" for name in names))
        # A chunk at least and less than two, minus what may be left empty at their ends.
        self.assertGreater(len(names), raw_dump.CHUNK_BYTES // 8 - 200)
        self.assertEqual(self.kinds(process, "exit")[-1].status, 5)

    def test_long_run_is_whole(self):
        process = self.process([self.recorder.compile("careless.c")], [METHOD])
        self.assertEqual(entries(process), ["main", *["busy"] * 200000])


class Selection(ToolTest):
    def test_the_last_line_that_fits_decides(self):
        binary = self.recorder.compile("calls.c")
        only_leaf = [METHOD, ("leave-out", "name", "*"), ("keep", "name", "le?f")]
        self.assertEqual(entries(self.process([binary], only_leaf)), ["leaf"] * 6)
        self.assertEqual(entries(self.process([binary], [*only_leaf, ("leave-out", "name", "l*")])), [])
        self.assertEqual(set(entries(self.process([binary], [METHOD, ("leave-out", "name", "leaf")]))),
                         {"main", "outer", "inner", "classify"})

    def test_objects_by_path_or_base_name(self):
        binary = self.recorder.compile("calls.c")
        libc = [METHOD, ("leave-out", "object", "*"), ("keep", "object", "libc.so*")]
        process = self.process([binary], libc, own_code=False)
        paths = {record.site.object_path for record in self.kinds(process, "entry")}
        self.assertEqual(len(paths), 1)
        self.assertTrue(paths.pop().endswith("libc.so.6"))
        self.assertIn("printf", entries(process))

    def test_names_are_methods(self):
        binary = self.recorder.compile("exceptions.cc")
        for glob, expected in [("lib::catcher", "_ZN3lib7catcherEi"), ("*::rethrower", "_ZN3lib9rethrowerEv"),
                               ("jumper", "_Z6jumperi")]:
            process = self.process([binary], [METHOD, ("leave-out", "name", "*"), ("keep", "name", glob)])
            self.assertEqual(set(entries(process)), {expected}, glob)

    def test_names_of_every_kind(self):
        names = ["main", "geo::Box<int>::Box", "geo::Box<int>::~Box", "geo::Box<int>::get", "geo::Box<int>::operator int*",
                 "geo::Box<int>::operator bool", "geo::Box<int>::operator<", "geo::Box<int>::operator()", "geo::Box<int>::operator[]",
                 "geo::Box<int>::as<long>", "geo::operator><int>", "geo::pick<char>", "geo::Pooled::operator new",
                 "geo::Pooled::operator delete", "geo::Both::second", "geo::hidden", 'operator"" _km', "tagged", "outer", "outer::Local::run",
                 "outer::{lambda(int)#1}::operator()", "apply", "main::{lambda(int)#1}::operator()"]
        marks = [("mark", index, "-", 0, 0, "-", name) for index, name in enumerate(names)]
        process = self.process([self.recorder.compile("names.cc")], [METHOD, *marks])
        found = collections.Counter(record.index for record in self.kinds(process, "mark"))
        self.assertEqual([name for index, name in enumerate(names) if index not in found], [])

    def test_objects_that_come_and_go(self):
        libraries = []
        for name in ("alpha", "beta"):
            library = self.recorder.compile("plugin.c", "-shared", "-fPIC", f"-DNAME={name}")
            libraries.append(library.rename(library.with_name(f"oscope-programs-{name}.so")))
        alpha, beta = libraries
        process = self.process([self.recorder.compile("plugins.c"), alpha, beta, alpha], [METHOD])
        self.assertEqual([name for name in entries(process) if name != "main"],
                         ["run", "alpha", "alpha", "run", "beta", "beta", "run", "alpha", "alpha"])
        paths = {(str(record.site), record.site.object_path) for record in self.kinds(process, "entry")}
        self.assertIn(("alpha", str(alpha)), paths)
        self.assertIn(("beta", str(beta)), paths)

    def test_left_out_functions_have_no_branches(self):
        binary = self.recorder.compile("calls.c")
        process = self.process([binary], [BLOCK, ("leave-out", "name", "*"), ("keep", "name", "classify")])
        self.assertEqual([record.taken for record in self.kinds(process, "branch")], [1, 0, 1])


class Threads(ToolTest):
    def test_each_thread_has_its_own_doing(self):
        process = self.process([self.recorder.compile("threads.c")], [METHOD])
        self.assertEqual(sorted(process.threads), [0, 1, 2, 3])
        self.assertEqual(len(set(process.threads.values())), 4)
        for ordinal in range(4):
            names = collections.Counter(entries(process, thread=ordinal))
            self.assertEqual(names.pop("main", 0), 1 if ordinal == 0 else 0)
            self.assertEqual(names.pop("run"), 1)
            self.assertEqual(len(names), 1, names)
            self.assertEqual(set(names.values()), {50})

    def test_main_thread_alone(self):
        process = self.process([self.recorder.compile("threads.c")], [METHOD, ("threads", "main")])
        self.assertEqual({record.thread for record in self.kinds(process, "entry")}, {0})
        self.assertEqual(entries(process), ["main", "run", *["work0"] * 50])

    def test_what_goes_wrong_elsewhere_is_told(self):
        process = self.process([self.recorder.compile("failures.c"), "divide"], [METHOD, ("threads", "main")])
        self.assertEqual(self.only(process, "signal").thread, 1)
        self.assertEqual({record.thread for record in self.kinds(process, "entry")}, {0})


class Processes(ToolTest):
    def test_fork(self):
        done, recording = self.record([self.recorder.compile("processes.c"), "fork"], [METHOD])
        self.assertEqual(done.returncode, 3)
        parent, child = raw_dump.processes(recording)
        self.assertEqual(entries(parent), ["main", "before_fork", "in_parent"])
        self.assertEqual(entries(child), ["in_child", "before_fork"])
        self.assertEqual((child.parent, child.origin, parent.parent), (0, 1, raw_dump.NO_PROCESS))
        self.assertEqual(child.threads, {0: child.pid})
        self.assertNotEqual(child.pid, parent.pid)
        self.assertEqual(self.only(child, "exit").status, 3)
        self.assertEqual(raw_dump.Control(recording).pids[:3], [parent.pid, child.pid, 0])
        self.assertTrue("finished" in parent.flags and "finished" in child.flags)

    def test_files_of_ours_do_not_take_the_program_s_mask(self):
        _, recording = self.record([self.recorder.compile("processes.c"), "fork"], [METHOD], preexec_fn=lambda: os.umask(0o777))
        for name in ("0.events", "0.sites", "1.events", "1.sites"):
            self.assertEqual((recording / name).stat().st_mode & 0o777, 0o600, name)

    def test_exec(self):
        program, target = self.recorder.compile("processes.c"), self.recorder.compile("calls.c")
        done, recording = self.record([program, "exec", target], [METHOD])
        self.assertEqual((done.returncode, done.stdout), (7, b"16\n"))
        first, second = raw_dump.processes(recording)
        self.assertEqual(entries(first), ["main", "before_exec"])
        self.assertEqual(entries(second)[:2], ["main", "outer"])
        self.assertEqual((second.origin, second.parent, second.pid), (0, raw_dump.NO_PROCESS, first.pid))
        self.assertIn("finished", first.flags)

    def test_failed_exec_goes_on(self):
        done, recording = self.record([self.recorder.compile("processes.c"), "fail-exec"], [METHOD])
        self.assertEqual(done.returncode, 9)
        self.assertEqual(entries(raw_dump.Process(recording, 0)), ["main", "before_exec", "after_failed_exec"])

    def test_process_limit(self):
        done, recording = self.record([self.recorder.compile("processes.c"), "forks", 5], [METHOD], process_limit=3)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(raw_dump.Control(recording).processes, 6)
        recorded = raw_dump.processes(recording)
        self.assertEqual([process.ordinal for process in recorded], [0, 1, 2])
        self.assertEqual(len(entries(recorded[2])), 1000)
        self.assertEqual(entries(recorded[0]), ["main", "in_parent"])

    def test_program_through_a_shell(self):
        target = self.recorder.compile("calls.c")
        done, recording = self.record(["/bin/sh", "-c", f"{target}; exit 4"], [METHOD])
        self.assertEqual((done.returncode, done.stdout), (4, b"16\n"))
        self.assertEqual([entries(process)[:1] for process in raw_dump.processes(recording) if entries(process)], [["main"]])

    def test_kill_loses_nothing(self):
        recording = self.recorder.new_recording([*OWN_CODE, METHOD])
        command = self.recorder.command(recording, [self.recorder.compile("failures.c"), "wait"])
        with subprocess.Popen(command, env=self.recorder.environment(), stdout=subprocess.PIPE) as running:
            self.assertEqual(running.stdout.readline(), b"ready\n")
            while raw_dump.Process(recording, 0).chunks < 2:
                self.assertIsNone(running.poll())
            running.kill()
        self.assertEqual(running.returncode, -signal.SIGKILL)
        process = raw_dump.Process(recording, 0)
        self.assertNotIn("finished", process.flags)
        names = entries(process)
        self.assertEqual(names[0], "main")
        self.assertEqual(set(names[1:]), {"divide"})
        self.assertGreater(len(names), raw_dump.CHUNK_BYTES // 8 - 200)

    def test_signal_from_outside(self):
        recording = self.recorder.new_recording([*OWN_CODE, METHOD])
        command = self.recorder.command(recording, [self.recorder.compile("failures.c"), "wait"])
        with subprocess.Popen(command, env=self.recorder.environment(), stdout=subprocess.PIPE) as running:
            running.stdout.readline()
            running.terminate()
            self.assertEqual(running.wait(DEADLINE_SECONDS), -signal.SIGTERM)
        record = self.only(raw_dump.Process(recording, 0), "signal")
        self.assertEqual((record.number, record.fatal), (signal.SIGTERM, 1))


class Failures(ToolTest):
    def failure(self, way, number, function):
        """Runs failures.c; the stack of the fatal signal leads from `function` to main or the thread's function."""
        binary = self.recorder.compile("failures.c")
        done, recording = self.record([binary, way], [METHOD, *MARKS])
        self.assertEqual(done.returncode, -number, told(done, recording))
        process = raw_dump.Process(recording, 0)
        record = self.only(process, "signal")
        self.assertEqual((record.number, record.fatal), (number, 1))
        stacks = [record for record in self.kinds(process, "stack") if record.why == "signal"]
        self.assertEqual(len(stacks), 1)
        names = [name for name in function_names(stacks[0].frames, binary) if name != "?"]
        self.assertEqual(names[0], function)
        self.assertIn("finished", process.flags)
        return process, names, done

    def test_segmentation_fault(self):
        process, names, _ = self.failure("segv", signal.SIGSEGV, "crash")
        self.assertEqual(names, ["crash", "main", "_start"])
        stack = self.only(process, "stack")
        binary = self.recorder.compile("failures.c")
        text = (pathlib.Path(raw_dump.__file__).parent / "programs" / "failures.c").read_text().splitlines()
        where = [text[line - 1] for line in lines([stack.frames[0], stack.frames[1]], binary)]
        self.assertIn("*p = 1", where[0])
        self.assertIn("crash(0)", where[1])

    def test_abort(self):
        process, names, _ = self.failure("abort", signal.SIGABRT, "give_up")
        self.assertEqual(names, ["give_up", "main", "_start"])
        mark = self.only(process, "mark")
        self.assertEqual((mark.index, mark.texts), (1, []))
        order = [record.kind for record in self.kinds(process, "mark", "stack", "signal")]
        self.assertEqual(order, ["mark", "stack", "signal", "stack"])

    def test_assertion(self):
        process, names, done = self.failure("assert", signal.SIGABRT, "check")
        self.assertIn(b"Assertion `n == 77' failed", done.stderr)
        first, second = self.kinds(process, "mark")
        self.assertEqual((first.index, second.index), (2, 1))
        expression, file, _, function = first.texts
        self.assertEqual((expression, os.path.basename(file), function), (b"n == 77", b"failures.c", b"check"))
        self.assertEqual(function_names([first.caller], self.recorder.compile("failures.c")), ["check"])

    def test_division_in_another_thread(self):
        process, names, _ = self.failure("divide", signal.SIGFPE, "divide")
        self.assertEqual(names[:2], ["divide", "thread"])
        self.assertEqual(self.only(process, "signal").thread, 1)
        self.assertEqual(entries(process, thread=1), ["thread", "divide"])

    def test_call_of_nothing(self):
        self.failure("null", signal.SIGSEGV, "main")

    def test_stack_overflow(self):
        process, names, _ = self.failure("overflow", signal.SIGSEGV, "overflow")
        self.assertEqual(set(names), {"overflow"})
        self.assertEqual(len(self.only(process, "stack").frames), 256)

    def test_suicide(self):
        self.failure("suicide", signal.SIGKILL, "main")

    def test_instruction_that_valgrind_does_not_know(self):
        process, names, _ = self.failure("avx512", signal.SIGILL, "main")
        self.assertTrue(any("AVX-512" in note for note in process.notes), process.notes)

    def test_exit_with_a_failing_code(self):
        binary = self.recorder.compile("failures.c")
        process = self.process([binary, "exit"], [METHOD, *MARKS])
        mark = self.only(process, "mark")
        self.assertEqual((mark.index, mark.texts), (3, [b"3"]))
        self.assertEqual(function_names([mark.caller], binary), ["leave"])
        self.assertEqual(self.only(process, "exit").status, 3)
        self.assertEqual(self.kinds(self.process([binary, "fine"], [METHOD, *MARKS]), "mark"), [])

    def test_handled_signal(self):
        process = self.process([self.recorder.compile("failures.c"), "handled"], [METHOD])
        record = self.only(process, "signal")
        self.assertEqual((record.number, record.fatal), (signal.SIGUSR1, 0))
        self.assertEqual(entries(process), ["main", "on_signal"])
        self.assertEqual(self.kinds(process, "stack"), [])

    def test_caught_exceptions(self):
        binary = self.recorder.compile("exceptions.cc")
        process = self.process([binary], [METHOD])
        kinds = [record.kind for record in self.kinds(process, "throw", "catch", "rethrow", "exit", "stack")]
        self.assertEqual(kinds, ["throw", "catch", "throw", "catch", "rethrow", "catch", "stack", "exit"])
        throw = self.kinds(process, "throw")[0]
        self.assertEqual((throw.type, throw.what), (b"N3lib3OddE", b"the bottom"))
        self.assertEqual(function_names([throw.caller], binary), ["_ZN3lib4deepEi"])
        catchers = function_names([record.caller for record in self.kinds(process, "catch", "rethrow")], binary)
        self.assertEqual(catchers, ["_ZN3lib7catcherEi", "_ZN3lib9rethrowerEv", "_ZN3lib9rethrowerEv", "main"])
        # The last throw's stack, told at the exit.
        stack = self.only(process, "stack")
        names = [name for name in function_names(stack.frames, binary) if name != "?"]
        self.assertEqual(names, ["_ZN3lib4deepEi", "_ZN3lib4deepEi", "_ZN3lib9rethrowerEv", "main", "_start"])

    def test_exception_that_nobody_catches(self):
        binary = self.recorder.compile("exceptions.cc")
        done, recording = self.record([binary, "escape"], [METHOD, *MARKS])
        self.assertEqual(done.returncode, -signal.SIGABRT)
        process = raw_dump.Process(recording, 0)
        throw = self.kinds(process, "throw")[-1]
        self.assertEqual((throw.type, throw.what), (b"St11logic_error", b"nobody catches this"))
        stacks = self.kinds(process, "stack")
        self.assertEqual([stack.why for stack in stacks], ["throw", "mark", "signal"])
        self.assertEqual([name for name in function_names(stacks[0].frames, binary) if name != "?"], ["main", "_start"])
        order = [record.kind for record in self.kinds(process, "mark", "stack", "signal")]
        self.assertEqual(order, ["stack", "mark", "stack", "signal", "stack"])

    def test_stored_exceptions(self):
        binary = self.recorder.compile("exceptions.cc")
        # What the thread threw itself is rethrown; what another threw, or nobody, is thrown where it is thrown on.
        for how, type_name, what, thrower in [("stored", b"N3lib3OddE", b"the bottom", "_ZN3lib4deepEi"),
                                              ("from-thread", b"N3lib3OddE", b"the bottom", "main"),
                                              ("made", b"St12out_of_range", b"nobody threw this", "main")]:
            with self.subTest(how):
                done, recording = self.record([binary, how], [METHOD, *MARKS])
                self.assertEqual(done.returncode, -signal.SIGABRT, told(done, recording))
                process = raw_dump.Process(recording, 0)
                records = [record for record in self.kinds(process, "throw", "rethrow") if record.thread == 0]
                # Those of every run come first; the last rethrow is that of the C++ library, which prints the message.
                self.assertEqual([record.kind for record in records[3:]], ["throw", *["rethrow"] * (how == "stored"), "rethrow"])
                throw = [record for record in records if record.kind == "throw"][-1]
                self.assertEqual((throw.type, throw.what), (type_name, what))
                self.assertEqual(function_names([throw.caller], binary), [thrower])
                stack = next(record for record in self.kinds(process, "stack") if record.why == "throw" and record.thread == 0)
                self.assertEqual([name for name in function_names(stack.frames, binary) if name != "?"][0], thrower)

    def test_exception_without_a_message(self):
        process = self.process([self.recorder.compile("exceptions.cc"), "plain"], [METHOD])
        throw = self.kinds(process, "throw")[-1]
        self.assertEqual((throw.type, throw.what), (b"N3lib5PlainE", None))

    def test_messages_of_the_types_that_have_one(self):
        process = self.process([self.recorder.compile("kinds.cc")], [METHOD])
        self.assertEqual([(throw.type, throw.what) for throw in self.kinds(process, "throw")], [
            (b"i", None), (b"PKc", None), (b"NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", None), (b"St13runtime_error", b"plain"),
            (b"St11logic_error", b""), (b"5Third", b"three times derived"), (b"4Both", None), (b"7Virtual", None), (b"3Own", None)])
        self.assertEqual(len(self.kinds(process, "catch")), 9)

    def test_long_texts_are_cut(self):
        process = self.process([self.recorder.compile("exceptions.cc"), "escape"], [METHOD, ("string-limit", 6)])
        throw = self.kinds(process, "throw")[-1]
        self.assertEqual((throw.type, throw.what), (b"St11lo", b"nobody"))


class Values(ToolTest):
    def test_arguments_and_results(self):
        process = self.process([self.recorder.compile("values.cc")], [METHOD, *(("values", glob) for glob in
                               ("scale", "label", "thrower", "finish", "app::Counter::*"))])
        values = [(str(record.site), [argument if text is None else text for argument, text in record.arguments])
                  for record in self.kinds(process, "values")]
        self.assertEqual([(name, arguments[0]) for name, arguments in values if name in ("label", "thrower", "finish")],
                         [("label", 1), ("thrower", 1), ("thrower", 2), ("finish", 1)])
        self.assertEqual(values[0][1][:2], [b"seven77", 3])
        # Not printable: the pointer alone, and the lower half is the number.
        self.assertIsInstance(values[1][1][0], int)
        self.assertEqual(values[1][1][1] & 0xFFFFFFFF, 0xFFFFFFFF)
        results = [(str(record.site), record.how, record.text or record.value & 0xFFFFFFFF) for record in self.kinds(process, "result")]
        self.assertEqual(results, [("scale", "returned", 21), ("scale", "returned", 0xFFFFFFFE), ("label", "returned", b"positive"),
                                   ("thrower", "returned", 1), ("thrower", "left", 0), ("finish", "returned", 2),
                                   ("_ZN3app7Counter3addEi", "returned", 40)])

    def test_values_follow_their_entry_and_pair_by_stack_pointer(self):
        process = self.process([self.recorder.compile("values.cc")], [METHOD, ("values", "scale")])
        records = list(process.records())
        for at, record in enumerate(records):
            if record.kind == "values":
                self.assertEqual((records[at - 1].kind, records[at - 1].sp, str(records[at - 1].site)), ("entry", record.sp, "scale"))
        self.assertEqual([record.sp for record in records if record.kind == "result"],
                         [record.sp for record in records if record.kind == "values"])

    def test_values_of_functions_that_are_left_out(self):
        process = self.process([self.recorder.compile("values.cc")], [METHOD, ("leave-out", "name", "*"), ("values", "strlen"), ("values", "puts")])
        # strlen is chosen among implementations that have no names.
        strlen = [record.arguments[0][1] for record in self.kinds(process, "values") if "strlen" in str(record.site)]
        self.assertIn(b"seven77", strlen)
        lengths = [record.value for record in self.kinds(process, "result") if "strlen" in str(record.site)]
        self.assertEqual(len(lengths), len(strlen))
        self.assertIn(7, lengths)
        self.assertEqual([record.arguments[0][1] for record in self.kinds(process, "values") if str(record.site).endswith("puts")],
                         [b"positive"])
        self.assertEqual({name for name in entries(process) if not name.endswith("puts")} & {"main", "scale"}, set())

    def test_values_through_longjmp(self):
        process = self.process([self.recorder.compile("exceptions.cc")], [METHOD, ("values", "jumper"), ("values", "lib::after")])
        results = [(str(record.site), record.how) for record in self.kinds(process, "result")]
        after = ("_ZN3lib5afterEv", "returned")
        self.assertEqual(results, [after, after, *[("_Z6jumperi", "left")] * 3, after, after])


class Chops(ToolTest):
    def chopped(self, *settings):
        process = self.process([self.recorder.compile("chops.c")], settings)
        return process, [record.granularity if record.kind == "chop" else str(record.site)
                         for record in self.kinds(process, "chop", "entry")]

    def test_start_and_stop_by_name(self):
        _, told = self.chopped(METHOD, ("chop", "start", "name", "parse"), ("chop", "stop", "name", "shutdown"))
        words = ["parse_word", "noise"] * 2
        self.assertEqual(told, ["method", "parse", *words, "marked", *["noise"] * 5, "off"])

    def test_stop_alone(self):
        _, told = self.chopped(METHOD, ("chop", "stop", "name", "marked"))
        self.assertEqual(told, ["main", "noise", "parse", *["parse_word", "noise"] * 2, "off"])

    def test_start_and_stop_by_line(self):
        _, told = self.chopped(METHOD, ("chop", "start", "line", "programs/chops.c:17"), ("chop", "stop", "line", "chops.c:19"))
        self.assertEqual(told, ["method", "noise", "noise", "off"])

    def test_line_of_another_file(self):
        _, told = self.chopped(METHOD, ("chop", "start", "line", "ops.c:17"))
        self.assertEqual(told, [])

    def test_within(self):
        process, told = self.chopped(METHOD, ("chop", "within", "statement", "name", "parse_word"))
        word = ["statement", "parse_word", "noise", "method"]
        self.assertEqual(told, ["main", "noise", "parse", *word * 2, "marked", *["noise"] * 5, "shutdown", "noise", "noise"])
        numbers = lines([record.site for record in self.kinds(process, "statement")], self.recorder.compile("chops.c"))
        self.assertEqual(numbers, [4, 5, 6, 2, 7, 8] * 2)

    def test_within_when_nothing_else_is_recorded(self):
        process, told = self.chopped(OFF, ("chop", "within", "block", "name", "parse"))
        self.assertEqual(told, ["block", "parse", *["parse_word", "noise"] * 2, "off"])
        self.assertEqual([record.taken for record in self.kinds(process, "branch")], [1, 1, 0])

    def test_within_is_left_by_an_exception(self):
        process = self.process([self.recorder.compile("exceptions.cc")], [
            METHOD, ("leave-out", "name", "std::*"), ("leave-out", "name", "lib::Odd::*"),
            ("chop", "within", "off", "name", "lib::deep")])
        told = [record.granularity if record.kind == "chop" else str(record.site) for record in self.kinds(process, "chop", "entry")]
        deep, after = ["off", "method"], "_ZN3lib5afterEv"
        self.assertEqual(told, ["main", "_ZN3lib7catcherEi", *deep, after, after, *["_Z6jumperi"] * 3, after,
                                "_ZN3lib9rethrowerEv", *deep, after])

    def test_each_thread_and_process_tells_its_own(self):
        start = [METHOD, ("chop", "start", "name", "work2")]
        process = self.process([self.recorder.compile("threads.c")], start)
        for ordinal in range(4):
            told = [record.kind for record in self.kinds(process, "chop", "entry") if record.thread == ordinal]
            self.assertEqual(told[:1] + told[1:2], ["chop", "entry"][:len(told)], ordinal)
            self.assertEqual(told.count("chop"), 1 if told else 0)
        self.assertEqual(entries(process).count("work2"), 50)
        _, recording = self.record([self.recorder.compile("processes.c"), "fork"], [METHOD, ("chop", "start", "name", "before_fork")])
        child = raw_dump.Process(recording, 1)
        self.assertEqual([record.kind for record in self.kinds(child, "chop", "entry")], ["chop", "entry", "entry"])

    def test_a_start_records_something(self):
        _, told = self.chopped(OFF, ("chop", "start", "name", "marked"))
        self.assertEqual(told, ["method", "marked", *["noise"] * 5, "shutdown", "noise", "noise"])

    def test_within_another(self):
        _, told = self.chopped(METHOD, ("chop", "within", "block", "name", "parse"), ("chop", "within", "off", "name", "parse_word"))
        self.assertEqual(told, ["main", "noise", "block", "parse", *["off", "block"] * 2, "method", "marked", *["noise"] * 5, "shutdown", "noise", "noise"])

    def test_lines_by_whole_paths(self):
        source = pathlib.Path(raw_dump.__file__).with_name("programs") / "chops.c"
        for start, expected in [(f"{source}:17", ["method", "noise", "noise", "off"]), (f"/x{source}:17", []), ("rograms/chops.c:17", [])]:
            _, told = self.chopped(METHOD, ("chop", "start", "line", start), ("chop", "stop", "line", "chops.c:19"))
            self.assertEqual(told, expected, start)

    def test_threads_that_are_not_recorded_tell_no_chop(self):
        process = self.process([self.recorder.compile("threads.c")], [METHOD, ("threads", "main"), ("chop", "stop", "name", "work2")])
        self.assertLessEqual({record.thread for record in self.kinds(process, "chop", "entry")}, {0})

    def test_failures_are_told_while_recording_is_off(self):
        process = self.process([self.recorder.compile("failures.c"), "abort"], [METHOD, ("chop", "start", "name", "nothing"), *MARKS])
        self.assertEqual([record.kind for record in process.records()], ["mark", "stack", "signal", "stack"])


class CornersTest(ToolTest):
    def corners(self, *arguments, settings=(METHOD,), **options):
        return self.process([self.recorder.compile("corners.c"), *arguments], settings, **options)


class Chunks(CornersTest):
    def test_records_of_every_kind_cross_chunks(self):
        binary, rounds = self.recorder.compile("corners.c"), 30000
        disassembly = subprocess.run(["objdump", "-d", "--disassemble=spun", binary], capture_output=True, text=True, check=True).stdout
        size = len([line for line in disassembly.splitlines() if line.startswith("    ")])
        only_spun = [("leave-out", "name", "*"), ("keep", "name", "spun")]
        process = self.corners("spin", rounds, settings=[INSTRUCTION, *only_spun])
        kinds = collections.Counter(record.kind for record in process.records())
        self.assertEqual(kinds, {"entry": rounds, "instr": rounds * size, "exit": 1})
        self.assertGreater(process.chunks, 2)
        process = self.corners("spin", 2 * rounds, settings=[BLOCK])
        taken = collections.Counter(record.taken for record in self.kinds(process, "branch"))
        self.assertEqual(entries(process).count("spun"), 2 * rounds)
        self.assertEqual(max(taken.values()) // (2 * rounds), 1)
        self.assertEqual([record.kind for record in process.records()][-1], "exit")

    def test_long_records_cross_chunks(self):
        process = self.corners("spin", 4000, settings=[METHOD, ("values", "spun")])
        records = [record for record in process.records() if record.kind in ("values", "result")]
        self.assertEqual([record.kind for record in records], ["values", "result"] * 4000)
        self.assertEqual([record.arguments[0][0] & 0xFFFFFFFF for record in records[::2]], list(range(4000)))
        self.assertEqual([record.value for record in records[1::2]], list(range(1, 4001)))
        self.assertGreater(process.chunks, 1)
        process = self.corners("long", settings=[METHOD, ("values", "texts"), ("string-limit", 100000)])
        letters = [bytes([letter]) * 16384 for letter in b"abcdef"]
        self.assertEqual([[text for _, text in record.arguments] for record in self.kinds(process, "values")], [letters] * 9)

    def test_the_newest_chunk_has_nothing_of_what_it_overwrote(self):
        for settings, options in [([METHOD, ("ring-chunks", 1)], {}), ([METHOD, ("ring-chunks", 2)], {}),
                                  ([METHOD], {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096 + raw_dump.CHUNK_BYTES,) * 2)})]:
            process = self.corners("spin", 90000, settings=settings, **options)
            self.assertEqual([record.kind for record in process.records()][-1], "exit")
            self.assertGreater(process.chunks, process.ring_chunks)
            # What was kept is what came last, without a gap: the chunks that were given up are full.
            newest = sum(1 for record in process.records() if record.kind == "entry")
            self.assertLess(newest, process.ring_chunks * raw_dump.CHUNK_BYTES // 8)
            self.assertEqual(set(entries(process)), {"spun"})

    def test_a_limit_that_comes_later_leaves_no_old_records(self):
        process = self.process([self.recorder.compile("careless.c"), "limit"], [METHOD])
        self.assertEqual((process.ring_chunks, [record.kind for record in process.records()][-1]), (1, "exit"))


class Corners(CornersTest):
    def test_arguments_in_registers_and_on_the_stack(self):
        process = self.corners("many", settings=[METHOD, ("mark", 4, 6, -7, -7, "i0,i1,i2,i3,i4,i5,i6,i7", "many"),
                                                 ("mark", 5, 6, -6, 100, "-", "many"), ("mark", 6, 7, 8, 8, "-", "many"), ("values", "many")])
        self.assertEqual([(mark.index, mark.texts) for mark in self.kinds(process, "mark")],
                         [(4, [b"1", b"-2", b"3", b"4", b"5", b"6", b"-7", b"8"]), (6, [])])
        values = self.only(process, "values")
        self.assertEqual([argument & 0xFFFFFFFF for argument, _ in values.arguments], [1, 0xFFFFFFFE, 3, 4, 5, 6])

    def test_marks_have_bounds(self):
        def marked(low, high):
            process = self.corners("ranged", settings=[METHOD, ("mark", 1, 0, low, high, "i0", "ranged")])
            return [int(mark.texts[0]) for mark in self.kinds(process, "mark")]
        self.assertEqual(marked(-1, 2), [-1, 0, 1, 2])
        self.assertEqual(marked(-2147483648, -3), [-3])
        self.assertEqual(marked(3, 2147483647), [3])

    def test_texts_of_values(self):
        process = self.corners("texts", settings=[METHOD, ("values", "text"), ("mark", 1, "-", 0, 0, "s0", "text")])
        shown = [record.arguments[0][1] for record in self.kinds(process, "values")]
        self.assertEqual(shown, [b"edge", None, b"plain", None, b"tab\tnew\nline\r", None, None, "ä".encode(), "€".encode(), "😀".encode(), *[None] * 7])
        # A mark takes strings as they are.
        texts = [record.texts[0] for record in self.kinds(process, "mark")]
        self.assertEqual(texts[:6], [b"edge", None, b"plain", b"", b"tab\tnew\nline\r", b"\x1b[0m"])
        self.assertEqual(texts[-2:], [None, None])
        # A limit may cut a character, and ends what has no end.
        process = self.corners("texts", settings=[METHOD, ("values", "text"), ("string-limit", 2)])
        shown = [record.arguments[0][1] for record in self.kinds(process, "values")]
        self.assertEqual(shown[:3] + shown[7:10], [b"ed", b"ed", b"pl", "ä".encode(), "€".encode()[:2], "😀".encode()[:2]])

    def test_a_jump_to_another_function_returns_for_both(self):
        process = self.corners("jump", settings=[METHOD, ("values", "first"), ("values", "second")])
        self.assertEqual(entries(process), ["main", "first", "second", "second"])
        self.assertEqual([(str(record.site), record.how, record.value) for record in self.kinds(process, "result")],
                         [("second", "returned", 5), ("first", "returned", 5), ("second", "returned", 3)])

    def test_a_signal_s_own_stack_says_nothing_of_the_other(self):
        process = self.corners("stack", settings=[METHOD, ("values", "waits_for_signal"), ("values", "in_handler")])
        self.assertEqual([(record.thread, str(record.site), record.how, record.value) for record in self.kinds(process, "result")],
                         [(1, "in_handler", "returned", 100 + signal.SIGUSR1), (1, "waits_for_signal", "returned", 8)])
        self.assertEqual(self.only(process, "signal").fatal, 0)

    def test_what_a_thread_left_open_is_not_the_next_one_s(self):
        process = self.corners("leave", settings=[METHOD, ("values", "leaves_thread"), ("values", "in_thread")])
        self.assertEqual([(record.thread, str(record.site), record.how) for record in self.kinds(process, "result") if record.thread != 1],
                         [(2, "in_thread", "returned")])
        process = self.corners("leave", settings=[METHOD, ("chop", "within", "off", "name", "leaves_thread")])
        self.assertEqual(entries(process, thread=2)[-1:], ["in_thread"])
        self.assertEqual([record.granularity for record in self.kinds(process, "chop")][:1], ["off"])
        self.assertEqual([record for record in self.kinds(process, "chop") if record.thread != 1], [])

    def test_a_trap_is_no_unknown_instruction(self):
        done, recording = self.record([self.recorder.compile("corners.c"), "trap"], [METHOD])
        self.assertEqual(done.returncode, -signal.SIGILL)
        self.assertEqual(raw_dump.Process(recording, 0).notes, [])

    def test_functions_without_symbols(self):
        binary = self.recorder.compile("unnamed.c")
        places = {int(line.split()[0], 16): line.split()[2] for line in
                  subprocess.run(["nm", binary], capture_output=True, text=True, check=True).stdout.splitlines() if len(line.split()) == 3}
        process = self.process([binary], [METHOD])
        found = [(str(record.site), places.get(record.site.vaddr)) for record in self.kinds(process, "entry")]
        # What a function jumps to on a condition is a part of it, unless it has a name or lies inside another.
        names = [place for _, place in found]
        self.assertEqual(names, ["main", "plain", "chooser", "chooser", "named", "chooser", "chooser", "named", "holder", "plain"])
        self.assertEqual({name for name, place in found if place in ("main", "named")}, {"main", "named"})
        self.assertTrue(all(name.startswith("oscope-programs-unnamed+0x") for name, place in found if place not in ("main", "named")), found)


class Inputs(ToolTest):
    def read(self, *settings):
        path = pathlib.Path(self.directory.name) / "input"
        path.write_bytes(b"abcdefghijklmnopqrstuvwxyz")
        binary = self.recorder.compile("corners.c")
        with open(path, "rb") as file:
            done, recording = self.record([binary, "read", binary], [METHOD, *settings], stdin=file)
        self.assertEqual(done.returncode, 0, told(done, recording))
        return [(recording / name).read_bytes() if (recording / name).exists() else None for name in ("0.stdin", "1.stdin")]

    def test_every_way_to_read(self):
        self.assertEqual(self.read(("stdin-limit", 1000)), [b"abcd" b"efghijkl" b"cdefgh" b"bcdefghi" b"rs", b"mnopq"])

    def test_limits_within_a_read(self):
        self.assertEqual(self.read(("stdin-limit", 9)), [b"abcdefghi", b"mnopq"])
        self.assertEqual(self.read(("stdin-limit", 4)), [b"abcd", b"mnop"])
        self.assertEqual(self.read(("stdin-limit", 0)), [None, None])

    def test_a_long_read_is_kept_whole(self):
        text = bytes(index % 251 for index in range(10000))
        path = pathlib.Path(self.directory.name) / "long"
        path.write_bytes(text)
        with open(path, "rb") as file:
            _, recording = self.record(["/bin/cat"], [METHOD, ("stdin-limit", 100000)], stdin=file)
        self.assertEqual((recording / "0.stdin").read_bytes(), text)


class Generations(ToolTest):
    def test_headers_of_children_of_children(self):
        _, recording = self.record([self.recorder.compile("corners.c"), "generations"], [METHOD])
        program, child, grandchild, executed = raw_dump.processes(recording)
        self.assertEqual([process.process for process in (program, child, grandchild, executed)], [0, 1, 2, 3])
        self.assertEqual([process.parent for process in (program, child, grandchild, executed)], [raw_dump.NO_PROCESS, 0, 1, raw_dump.NO_PROCESS])
        self.assertEqual([process.origin for process in (program, child, grandchild, executed)], [0, 1, 1, 0])
        self.assertEqual((executed.pid, len({program.pid, child.pid, grandchild.pid})), (child.pid, 3))
        self.assertEqual(entries(program), ["main", "ranged"])
        self.assertEqual(entries(child), ["ranged"])
        self.assertEqual(entries(grandchild), ["ranged", "spun"])
        self.assertEqual(entries(executed), ["main", *["ranged"] * 7])
        # What a child knows of its parent's sites it does not tell again.
        self.assertEqual([line for line in (recording / "1.sites").read_text().splitlines() if line.endswith(" ranged")], [])
        self.assertEqual((child.parent_sites > 0, grandchild.parent_sites >= child.parent_sites), (True, True))
        self.assertEqual(raw_dump.Control(recording).pids[:5], [program.pid, child.pid, grandchild.pid, child.pid, 0])

    def test_an_exec_that_failed_is_no_end(self):
        recording = self.recorder.new_recording([*OWN_CODE, METHOD])
        command = self.recorder.command(recording, [self.recorder.compile("corners.c"), "stay"])
        with subprocess.Popen(command, env=self.recorder.environment(), stdout=subprocess.PIPE) as running:
            self.assertEqual(running.stdout.readline(), b"ready\n")
            self.assertEqual(raw_dump.Process(recording, 0).flags, set())
            running.kill()
        self.assertEqual(entries(raw_dump.Process(recording, 0)), ["main", "after_failed"])

    def test_recordings_that_are_none(self):
        binary = self.recorder.compile("corners.c")
        for wrong in ("short", "magic", "relative", "settings"):
            recording = self.recorder.new_recording([METHOD])
            command = self.recorder.command(recording, [binary])
            control = recording / "control"
            if wrong == "short":
                control.write_bytes(control.read_bytes()[:-1])
            elif wrong == "magic":
                control.write_bytes(b"X" + control.read_bytes()[1:])
            elif wrong == "relative":
                command = [word.replace("--recording=/", "--recording=") for word in command]
            else:
                (recording / "settings").unlink()
            done = subprocess.run(command, capture_output=True, env=self.recorder.environment(), timeout=DEADLINE_SECONDS, check=False, cwd="/")
            self.assertEqual((done.returncode, done.stdout), (125, b""), wrong)
            self.assertEqual(list(recording.glob("*.events")), [])


class Unnoticed(ToolTest):
    def careless(self, way, settings=(METHOD,), **options):
        return self.record([self.recorder.compile("careless.c"), way], settings, **options)

    def native(self, way, **options):
        return subprocess.run([self.recorder.compile("careless.c"), way], capture_output=True, timeout=DEADLINE_SECONDS, **options)

    def test_output_and_exit_code(self):
        done, _ = self.careless("")
        native = self.native("")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (native.returncode, native.stdout, native.stderr))

    def test_environment(self):
        path = {"PATH": os.environ["PATH"]}
        for base in ({**path, "B": "2", "A": "1"}, {**path, "LD_PRELOAD": "libm.so.6", "Z": ""}, {"A": "1", **path, "LD_LIBRARY_PATH": "/x"}):
            done, _ = self.careless("env", env=self.recorder.environment(base))
            native = self.native("env", env=base)
            self.assertEqual(done.stdout, native.stdout)
            self.assertEqual(done.stderr, native.stderr)

    def test_environment_of_children(self):
        base = {"PATH": os.environ["PATH"], "A": "1"}
        command = ["/bin/sh", "-c", "env; env | wc -l"]
        done, recording = self.record(command, [METHOD], env=self.recorder.environment(base))
        native = subprocess.run(command, env=base, capture_output=True, check=True)
        self.assertEqual(done.stdout, native.stdout)
        self.assertGreater(len(raw_dump.processes(recording)), 3)

    def test_program_that_closes_all_descriptors(self):
        done, recording = self.careless("close")
        self.assertEqual(done.stdout, b"3\n200000\n")
        self.assertEqual(len(entries(raw_dump.Process(recording, 0))), 200001)

    def test_program_that_changes_directory_and_mask(self):
        done, recording = self.careless("move", cwd=self.directory.name)
        self.assertEqual(done.returncode, 5)
        self.assertEqual(len(entries(raw_dump.Process(recording, 0))), 200001)

    def test_limit_on_file_sizes(self):
        # The program would be sent a SIGXFSZ if we wrote past it.
        done, recording = self.careless("limit")
        self.assertEqual((done.returncode, done.stdout), (5, b"200000\n"))
        process = raw_dump.Process(recording, 0)
        self.assertEqual(process.flags, {"finished", "disk-full", "sites-lost"})
        self.assertEqual(self.kinds(process, "signal"), [])
        self.assertEqual(self.only(process, "exit").status, 5)

    def test_standard_input_is_kept_up_to_a_limit(self):
        text = b"".join(b"line %d\n" % number for number in range(1000))
        done, recording = self.careless("stdin", [METHOD, ("stdin-limit", 5000)], input=text)
        self.assertEqual(done.stdout, text + b"200000\n")
        self.assertEqual((recording / "0.stdin").read_bytes(), text[:5000])
        _, recording = self.careless("stdin", input=text)
        self.assertFalse((recording / "0.stdin").exists())

    def test_no_space(self):
        limit = 4096 + 2 * raw_dump.CHUNK_BYTES + 5000
        done, recording = self.careless("", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual((done.returncode, done.stdout), (5, b"200000\n"))
        process = raw_dump.Process(recording, 0)
        self.assertEqual((process.ring_chunks, process.flags), (2, {"finished", "disk-full"}))
        self.assertGreater(len(entries(process)), raw_dump.CHUNK_BYTES // 8 - 200)
        self.assertEqual(self.only(process, "exit").status, 5)
        self.assertTrue(process.notes)

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_full_disk(self):
        disk = pathlib.Path(self.directory.name) / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("cannot mount here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        recording = raw_dump.make_recording(disk / "recording", [*OWN_CODE, METHOD])
        done = subprocess.run(self.recorder.command(recording, [self.recorder.compile("careless.c")]), capture_output=True,
                              env=self.recorder.environment(), timeout=DEADLINE_SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout), (5, b"200000\n"))
        process = raw_dump.Process(recording, 0)
        self.assertEqual((process.ring_chunks, process.flags), (3, {"finished", "disk-full"}))
        self.assertEqual(entries(process)[-1], "busy")

    def test_settings_that_are_not_understood(self):
        for line in [("colour", "red"), ("granularity", "fine"), ("mark", 1, 0), ("chop", "start", "line", "a.c"), ("threads",),
                     ("ring-chunks", 0)]:
            done, recording = self.record([self.recorder.compile("careless.c")], [line], own_code=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (125, b"", b""), line)
            log = "".join(path.read_text() for path in recording.glob("log.*"))
            self.assertIn("line 2", log)

    def test_recording_that_is_not_there(self):
        recording = self.recorder.new_recording([METHOD])
        command = self.recorder.command(recording, [self.recorder.compile("careless.c")])
        (recording / "control").unlink()
        done = subprocess.run(command, capture_output=True, env=self.recorder.environment(), timeout=DEADLINE_SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (125, b"", b""))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    TOOL_DIRECTORY = sys.argv[1]
    cases.require("valgrind", "gcc", "g++", "addr2line", "gcov")
    cases.run(sys.argv[2:])
