#!/usr/bin/env python3
"""Checks the tests that ctest knows: no two have one name, and the label `long` takes away those that are meant to be long, and no others.

usage: check_names.py CTEST BUILD_DIRECTORY
       check_names.py --listing FILE      (what `ctest --show-only=json-v1` printed)

ctest knows a test by its name: of two in one folder each takes the properties of the other, so that a label on one takes both away. Prints a line
for each thing that is wrong, and fails when there is one.
"""
import argparse
import collections
import fnmatch
import json
import subprocess
import sys

# Tests that `make test` leaves out. oscope_test() puts `long.` before the names of those that it is told are long.
LONG = ["long.*", "history.check_all", "harness.time_out"]


def labels_of(test):
    return next((entry["value"] for entry in test.get("properties", []) if entry["name"] == "LABELS"), [])


def is_disabled(test):
    return any(entry["name"] == "DISABLED" and entry["value"] for entry in test.get("properties", []))


def wrong_tests(tests):
    """Yields a message for each thing that is wrong with the tests of a listing."""
    if not tests:
        yield "there are no tests"
    for name, count in sorted(collections.Counter(test["name"] for test in tests).items()):
        if count > 1:
            yield f"{name}: {count} tests have this name"
    for name, test in sorted({test["name"]: test for test in tests}.items()):
        is_long = "long" in labels_of(test)
        may_be_long = any(fnmatch.fnmatchcase(name, pattern) for pattern in LONG)
        if is_long and not may_be_long:
            yield f"{name}: has the label `long`, and is not meant to be long"
        if may_be_long and not is_long:
            yield f"{name}: is meant to be long, and has not the label `long`"
        if is_disabled(test):
            yield f"{name}: is disabled"
        if name.endswith("_NOT_BUILT"):
            yield f"{name}: its program is not built"


def listing_of(ctest, build):
    done = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--listing")
    parser.add_argument("ctest", nargs="?")
    parser.add_argument("build", nargs="?")
    arguments = parser.parse_args()
    if arguments.listing:
        with open(arguments.listing, encoding="utf-8") as file:
            text = file.read()
    elif arguments.ctest and arguments.build:
        text = listing_of(arguments.ctest, arguments.build)
    else:
        parser.error("which tests? Give CTEST and BUILD_DIRECTORY, or --listing FILE")
    wrong = list(wrong_tests(json.loads(text)["tests"]))
    for message in wrong:
        print(message)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
