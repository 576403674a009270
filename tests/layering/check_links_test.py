#!/usr/bin/env python3
"""Tests of check_links.py: libraries in a scratch tree link what they include, or are found out."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("check_links.py")
BELOW = {"base/CMakeLists.txt": "oscope_library(NAME base\n  SOURCES a.h)\n", "base/a.h": ""}


def check(files):
    """Runs the script on a tree of these files beside base/; returns its exit code and its lines."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in (BELOW | files).items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()


class CheckLinks(unittest.TestCase):
    def test_a_library_that_links_what_it_includes(self):
        self.assertEqual(check({"query/a/CMakeLists.txt": "oscope_library(NAME query_a\n  SOURCES a.cc\n  DEPS base fmt::fmt)\n",
                                "query/a/a.cc": '#include "base/a.h"\n#include "query/a/a.h"\n'}), (0, []))

    def test_a_library_that_is_not_linked(self):
        self.assertEqual(check({"query/a/CMakeLists.txt": "oscope_library(NAME query_a SOURCES a.cc)\n",
                                "query/a/a.cc": '\n#include "base/a.h"\n'}),
                         (1, ["query/a/CMakeLists.txt: query_a must link base, which query/a/a.cc:2 includes"]))

    def test_a_library_that_is_linked_for_nothing(self):
        self.assertEqual(check({"cli/a/CMakeLists.txt": "# Why.\noscope_cli_library(NAME cli_a\n  SOURCES ${all}\n  DEPS base)\n",
                                "cli/a/a.cc": ""}),
                         (1, ["cli/a/CMakeLists.txt: cli_a links base, of which it includes nothing"]))

    def test_two_libraries_of_a_folder_are_told_apart(self):
        both = "oscope_library(NAME bql_x SOURCES x.cc DEPS base)\noscope_library(NAME bql_y SOURCES y.cc y.h DEPS base)\n"
        files = {"bql/CMakeLists.txt": both, "bql/x.cc": '#include "bql/y.h"\n', "bql/y.cc": '#include "base/a.h"\n'}
        self.assertEqual(check(files), (1, ["bql/CMakeLists.txt: bql_x must link bql_y, which bql/x.cc:1 includes",
                                            "bql/CMakeLists.txt: bql_x links base, of which it includes nothing"]))

    def test_a_folder_without_a_library(self):
        self.assertEqual(check({"query/a/a.cc": '#include "base/a.h"\n', "cli/main.cc": '#include "base/a.h"\n'}),
                         (1, ["query/a: has sources, but no library"]))

    def test_a_recorder_links_to_nothing_of_ours(self):
        self.assertEqual(check({"tracer/raw/CMakeLists.txt": "oscope_library(NAME tracer_raw SOURCES raw_format.h)\n",
                                "tracer/pin/CMakeLists.txt": "oscope_library(NAME tracer_pin_parts SOURCES sink.cc)\n",
                                "tracer/pin/sink.cc": '#include "tracer/raw/raw_format.h"\n'}), (0, []))


if __name__ == "__main__":
    unittest.main()
