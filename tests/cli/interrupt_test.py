#!/usr/bin/env python3
"""Ctrl-C during a command: it ends with 130, the store is whole and as it was, and the command works afterwards.

Nothing here depends on how fast a command is. It is held up where it must wait: at a pipe that stays open, or at a lock of the store
that this test holds; and the signal is sent when the command is seen to wait there.

usage: interrupt_test.py OSCOPE
"""
import contextlib
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OSCOPE = None
DEADLINE_SECONDS = 60
CANCELLED = 130
BATCH = 20
RUNS = 1000


def run_line(number, bug=None):
    run = {"type": "run", "project": "Demo", "test": f"t{number}", "outcome": "failed",
           "traces": [{"kind": "execution", "events": [f"f{number}_{i}" for i in range(100)]}]}
    if bug is not None:
        run["bug"] = bug
    return json.dumps(run) + "\n"


class StoreTestCase(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="oscope-interrupt-")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.oscope("init")

    def oscope(self, *arguments):
        return subprocess.run([OSCOPE, *arguments], cwd=self.directory, capture_output=True, text=True,
                              check=True, timeout=DEADLINE_SECONDS).stdout

    def start(self, *arguments, **options):
        process = subprocess.Popen([OSCOPE, *arguments], cwd=self.directory, stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE, **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def run_count(self):
        return int(self.oscope("list", "runs", "--count"))

    def signal_and_wait(self, process, signal_number=signal.SIGINT):
        process.send_signal(signal_number)
        _, stderr = process.communicate(timeout=DEADLINE_SECONDS)
        self.assertEqual(process.returncode, CANCELLED, stderr)
        return stderr

    def wait_until(self, process, is_so):
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not is_so():
            self.assertLess(time.monotonic(), deadline)
            if process.poll() is not None:
                self.fail(f"it ended before it could be interrupted: {process.stderr.read()}")


class ImportTest(StoreTestCase):
    def test_while_reading(self):
        for arguments in ([], ["--dry-run"]):
            process = self.start("import", "-", *arguments, stdin=subprocess.PIPE)
            # More than a pipe holds: when all is written the program has been reading.
            process.stdin.write(b"".join(run_line(i).encode() for i in range(RUNS)))
            process.stdin.flush()
            stdin, process.stdin = process.stdin, None  # stays open: the program waits for more
            self.signal_and_wait(process)
            stdin.close()
            self.assertEqual(self.run_count(), 0)
        self.oscope("store", "check")

    def test_between_batches(self):
        text = self.directory / "runs.jsonl"
        text.write_text("".join(run_line(i) for i in range(RUNS)))
        process = self.start("import", str(text), "--batch", str(BATCH))
        self.wait_until(process, lambda: self.run_count() != 0)
        self.signal_and_wait(process)
        count = self.run_count()
        self.assertEqual(count % BATCH, 0)
        self.assertLess(count, RUNS)
        self.oscope("store", "check")
        # What is missing can be imported afterwards.
        added = json.loads(self.oscope("import", str(text), "--json"))
        self.assertEqual((added["runs_known"], added["runs_added"]), (count, RUNS - count))


class WaitingTest(StoreTestCase):
    """Every command that reads or writes a store, interrupted while it waits for one of the store's locks."""

    def setUp(self):
        super().setUp()
        text = self.directory / "runs.jsonl"
        for number in range(4):
            text.write_text(run_line(number, bug=str(number % 2)))
            self.oscope("import", str(text))
        text.write_text(run_line(100, bug="1"))
        self.store = self.directory / ".oscope"

    @contextlib.contextmanager
    def held(self, lock):
        path = self.store / lock
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield path
        finally:
            os.close(descriptor)

    def newest_pin(self):
        newest = max(name.name for name in (self.store / "manifests").iterdir())
        return "pins/" + newest.removesuffix(".json")

    def files(self):
        names = []
        for folder in ("manifests", "groups", "segments", "index", "tmp"):
            names += sorted(str(path.relative_to(self.store)) for path in (self.store / folder).iterdir())
        return names

    @staticmethod
    def has_open(process, path):
        try:
            held = os.listdir(f"/proc/{process.pid}/fd")
            return any(os.path.realpath(f"/proc/{process.pid}/fd/{name}") == str(path.resolve()) for name in held)
        except (FileNotFoundError, PermissionError):
            return False

    def interrupt_at(self, lock, *arguments, signal_number=signal.SIGINT):
        with self.subTest(command=" ".join(arguments), lock=lock):
            before = self.files()
            with self.held(lock) as path:
                process = self.start(*arguments, stdin=subprocess.DEVNULL)
                self.wait_until(process, lambda: self.has_open(process, path))
                self.signal_and_wait(process, signal_number)
            self.assertEqual(self.files(), before, "nothing is changed and nothing left behind")
            self.assertEqual(sorted(path.name for path in self.directory.iterdir()), [".oscope", "runs.jsonl"])

    def test_commands_that_write(self):
        for arguments in (["store", "compact"],
                          ["store", "purge", "--keep-last", "1", "--yes"],
                          ["store", "reindex"],
                          ["import", "runs.jsonl"],
                          ["bug", "link", "Demo-1", self.a_run()],
                          ["bug", "edit", "Demo-1", "--title", "new"],
                          ["store", "quota", "--max-runs", "100"]):
            self.interrupt_at("locks/writers", *arguments)
        self.interrupt_at("locks/writers", "store", "compact", signal_number=signal.SIGTERM)
        self.oscope("store", "check")
        self.oscope("store", "compact")
        self.assertEqual(self.run_count(), 4)

    def test_commands_that_read(self):
        for arguments in (["store", "check"],
                          ["store", "backup", "copy"],
                          ["query", "SELECT b FROM ALL WHERE b.status = 'open'"],
                          ["similar", "Demo-1"],
                          ["duplicates", "Demo"],
                          ["list", "runs"],
                          ["list", "bugs"],
                          ["show", "bug", "Demo-1"],
                          ["clusters", "Demo"],
                          ["export", "-o", "out.osct"],
                          ["store", "stats"]):
            self.interrupt_at(self.newest_pin(), *arguments)
        self.interrupt_at(self.newest_pin(), "store", "check", signal_number=signal.SIGTERM)
        self.oscope("store", "check")

    def a_run(self):
        return json.loads(self.oscope("list", "runs", "--json"))["runs"][0]["id"]


if __name__ == "__main__":
    OSCOPE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
