#!/usr/bin/env python3
"""Ctrl-C during an import leaves the store whole.

usage: interrupt_test.py OSCOPE
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OSCOPE = None
DEADLINE_SECONDS = 60
BATCH = 20
RUNS = 1000


def run_line(number):
    run = {"type": "run", "project": "Demo", "test": f"t{number}", "outcome": "failed",
           "traces": [{"kind": "execution", "events": [f"f{number}_{i}" for i in range(100)]}]}
    return json.dumps(run) + "\n"


class InterruptTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="oscope-interrupt-")
        self.addCleanup(self.directory.cleanup)
        self.oscope("init")

    def oscope(self, *arguments):
        return subprocess.run([OSCOPE, *arguments], cwd=self.directory.name, capture_output=True, text=True,
                              check=True, timeout=DEADLINE_SECONDS).stdout

    def start(self, *arguments, **options):
        return subprocess.Popen([OSCOPE, *arguments], cwd=self.directory.name, stderr=subprocess.PIPE,
                                stdout=subprocess.PIPE, **options)

    def run_count(self):
        return int(self.oscope("list", "runs", "--count"))

    def interrupt(self, process):
        process.send_signal(signal.SIGINT)
        try:
            _, stderr = process.communicate(timeout=DEADLINE_SECONDS)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 130, stderr)

    def test_while_reading(self):
        process = self.start("import", "-", stdin=subprocess.PIPE)
        # More than a pipe holds: when all is written the program has been reading.
        process.stdin.write(b"".join(run_line(i).encode() for i in range(RUNS)))
        process.stdin.flush()
        stdin, process.stdin = process.stdin, None  # stays open: the program waits for more
        self.interrupt(process)
        stdin.close()
        self.assertEqual(self.run_count(), 0)
        self.oscope("store", "check")

    def test_between_batches(self):
        text = pathlib.Path(self.directory.name) / "runs.jsonl"
        text.write_text("".join(run_line(i) for i in range(RUNS)))
        process = self.start("import", str(text), "--batch", str(BATCH))
        deadline = time.monotonic() + DEADLINE_SECONDS
        while self.run_count() == 0:
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(process.poll())
        self.interrupt(process)
        count = self.run_count()
        self.assertEqual(count % BATCH, 0)
        self.assertLess(count, RUNS)
        self.oscope("store", "check")
        # What is missing can be imported afterwards.
        added = json.loads(self.oscope("import", str(text), "--json"))
        self.assertEqual((added["runs_known"], added["runs_added"]), (count, RUNS - count))


if __name__ == "__main__":
    OSCOPE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
