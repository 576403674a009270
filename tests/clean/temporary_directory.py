#!/usr/bin/env python3
"""The temporary directory of a whole run of the tests: empty before the first one, and empty again after the last one.

usage: temporary_directory.py begin|end DIRECTORY

The presets of ctest set TMPDIR to DIRECTORY. Where it is another one (ctest was called without a preset) nobody knows whose files lie there, and nothing is done.
"""
import os
import pathlib
import shutil
import sys

SKIP = 77


def begin(directory):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)


def end(directory):
    left = sorted(directory.iterdir())
    for path in left:
        print(f"left behind: {path}")
        for inner in sorted(path.rglob("*"))[:20] if path.is_dir() else []:
            print(f"  {inner.relative_to(path)}")
    return 1 if left else 0


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in ("begin", "end"):
        sys.exit(__doc__)
    directory = pathlib.Path(arguments[1])
    if os.environ.get("TMPDIR") != str(directory):
        print(f"skipped: TMPDIR is not {directory}, as it is with `make test` and `ctest --preset`")
        return 0 if arguments[0] == "begin" else SKIP
    return begin(directory) if arguments[0] == "begin" else end(directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
