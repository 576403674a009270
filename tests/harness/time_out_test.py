#!/usr/bin/env python3
"""Tests that hang, under `oscope test`. Takes a minute each: no test has less under the recorder.

usage: time_out_test.py OSCOPE PROGRAMS [unittest arguments]
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cases  # noqa: E402
from sample_project import Project  # noqa: E402


class TimeOutTest(Project):
    def test_time_out(self):
        hangs = self.only(self.report_of(tests="^hangs$"))
        self.assertEqual(hangs["verdict"], "recorded")
        self.assertEqual(hangs["message"], "timed out after 1 s")  # its own time, not that under the recorder
        self.assertEqual(self.bug(hangs["bug"])["title"], "hangs: timed out after 1 s")
        stored = json.loads(self.oscope("show", "run", hangs["run"], "--json", check=True).stdout)
        self.assertEqual(stored["outcome"], "timeout")

    def test_time_out_of_a_case(self):
        hangs = self.only(self.report_of(tests="^hanging_case$"))
        self.assertEqual((hangs["verdict"], hangs["message"]), ("recorded", "timed out after 1 s"))
        self.assertEqual((hangs["outcome"], hangs["reason"]), ("timeout", "time-out"))
        self.assertEqual(self.bug(hangs["bug"])["title"], "hanging_case: timed out after 1 s")


if __name__ == "__main__":
    Project.oscope_path, Project.programs = (str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve())
    cases.require("cmake", "ctest", "valgrind")
    cases.run(sys.argv[3:])
