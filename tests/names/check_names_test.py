#!/usr/bin/env python3
"""Tests of check_names.py: made-up listings of ctest are let pass, or what is wrong with them is told."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("check_names.py")


def entry(name, labels=(), **properties):
    """A test as ctest lists it."""
    listed = [{"name": "TIMEOUT", "value": 60}, {"name": "WORKING_DIRECTORY", "value": "/w"}]
    listed += [{"name": key, "value": value} for key, value in properties.items()]
    if labels:
        listed.append({"name": "LABELS", "value": list(labels)})
    return {"name": name, "command": ["/w/program"], "properties": listed}


def check(*tests):
    """Runs the script on a listing of these tests; returns its exit code and its lines."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "listing.json")
        path.write_text(json.dumps({"kind": "ctestInfo", "version": {"major": 1, "minor": 0}, "tests": list(tests)}))
        done = subprocess.run([sys.executable, SCRIPT, "--listing", path], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()


class CheckNames(unittest.TestCase):
    def test_different_names_are_let_pass(self):
        self.assertEqual(check(entry("A.One"), entry("A.Two"), entry("bql/sets/a.test", ["text"])), (0, []))
        self.assertEqual(check(entry("A.One"), entry("long.A.One", ["long"]), entry("history.check_all", ["long"])), (0, []))

    def test_two_of_one_name_are_refused(self):
        self.assertEqual(check(entry("A.One"), entry("A.Two"), entry("A.One")), (1, ["A.One: 2 tests have this name"]))
        # As both were when the long program registered the names of the short one.
        self.assertEqual(check(entry("long.A.One", ["long"]), entry("long.A.One", ["long"])), (1, ["long.A.One: 2 tests have this name"]))

    def test_a_short_test_with_the_label_is_refused(self):
        wrong = (1, ["A.One: has the label `long`, and is not meant to be long"])
        self.assertEqual(check(entry("A.One", ["long"]), entry("A.Two")), wrong)
        self.assertEqual(check(entry("A.One", ["other", "long"]), entry("A.Two")), wrong)

    def test_a_long_test_without_the_label_is_refused(self):
        wrong = (1, ["long.A.One: is meant to be long, and has not the label `long`"])
        self.assertEqual(check(entry("long.A.One")), wrong)
        self.assertEqual(check(entry("long.A.One", ["longer"])), wrong)

    def test_a_test_that_does_not_run_is_refused(self):
        self.assertEqual(check(entry("A.One", DISABLED=True)), (1, ["A.One: is disabled"]))
        self.assertEqual(check(entry("A.One", DISABLED=False)), (0, []))
        self.assertEqual(check(entry("test_a_NOT_BUILT")), (1, ["test_a_NOT_BUILT: its program is not built"]))

    def test_a_listing_without_tests_is_refused(self):
        self.assertEqual(check(), (1, ["there are no tests"]))


if __name__ == "__main__":
    unittest.main()
