#!/usr/bin/env python3
"""Checks that the C and C++ sources are formatted as .clang-format says: `make format` makes them so.

usage: check_format.py ROOT

Exit code 77, a skip, where clang-format-19 is not installed or ROOT is not a git checkout. Other versions break lines elsewhere.
"""
import shutil
import subprocess
import sys

FORMATTER = "clang-format-19"
SKIP = 77
BATCH = 100


def sources(root):
    """What git tracks or would add, as far as it is there; None outside of a checkout."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.h", "*.cc", "*.c"],
                            capture_output=True, text=True)
    return sorted(set(filter(None, listed.stdout.split("\0")))) if listed.returncode == 0 else None


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    if shutil.which(FORMATTER) is None:
        print(f"skipped: {FORMATTER} is not installed; 'scripts/setup --with test' installs it")
        return SKIP
    files = sources(arguments[0]) if shutil.which("git") else None
    if files is None:
        print("skipped: this is no git checkout")
        return SKIP
    wrong = 0
    for first in range(0, len(files), BATCH):
        wrong |= subprocess.run([FORMATTER, "--dry-run", "-Werror", "--ferror-limit=3", *files[first:first + BATCH]], cwd=arguments[0]).returncode
    print(f"{len(files)} files" if not wrong else "'make format' formats them")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
