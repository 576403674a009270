#!/usr/bin/env python3
"""Checks that every test which ctest knows requires the fixture that looks for what tests leave behind.

usage: check_fixture.py CTEST BUILD_DIRECTORY
"""
import json
import subprocess
import sys

FIXTURE = "temporary_directory"


def fixtures_of(test):
    """Those that it requires, sets up or cleans up."""
    return {name for entry in test.get("properties", []) if entry["name"].startswith("FIXTURES_") for name in entry["value"]}


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    listing = subprocess.run([arguments[0], "--test-dir", arguments[1], "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout
    tests = json.loads(listing)["tests"]
    without = sorted({test["name"] for test in tests if FIXTURE not in fixtures_of(test)})
    for name in without:
        print(f"{name}: does not require the fixture {FIXTURE}; oscope_clean_tests() at the end of its CMakeLists.txt makes it")
    return 1 if without or not tests else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
