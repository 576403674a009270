#!/usr/bin/env python3
"""What the test scripts in Python share: how their cases are run, and how ctest learns of them.

usage: cases.py SCRIPT      prints the names of the script's classes that have tests, a line each

cmake/OscopeCases.cmake makes a test of each class, so that none is forgotten and they run at once.
"""
import ast
import pathlib
import shutil
import signal
import sys
import unittest

SKIP = 77  # the exit code for ctest: something that the test needs is not installed


def classes_of(script):
    """The classes with tests of their own, in the order in which they stand."""
    tree = ast.parse(pathlib.Path(script).read_text(encoding="utf-8"), script)
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef)
            and any(isinstance(item, ast.FunctionDef) and item.name.startswith("test") for item in node.body)]


def require(*programs):
    """Ends the script with a skip where one of the programs is not installed."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed")
        sys.exit(SKIP)


def run(arguments):
    """Runs the cases of the script itself: those that `arguments` name, else all. Where each was skipped the script is, with the reasons."""
    # Under nohup, or in the background of a script, these are ignored, and so they would be in every program that the cases start.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    result = unittest.main(module="__main__", argv=[sys.argv[0], *arguments], verbosity=2, exit=False).result
    if not result.wasSuccessful() or result.testsRun + len(result.skipped) == 0:
        sys.exit(1)
    if result.testsRun <= len(result.skipped):
        for reason in sorted({reason for _, reason in result.skipped}):
            print(f"skipped: {reason}")
        sys.exit(SKIP)
    sys.exit(0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("\n".join(classes_of(sys.argv[1])))
