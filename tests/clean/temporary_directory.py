#!/usr/bin/env python3
"""The temporary directory of a whole run of the tests: made before the first one, and empty again after the last one.

usage: temporary_directory.py begin|end DIRECTORY

ctest sets TMPDIR to DIRECTORY. At the end, what is left is named and stays for a look; the next run removes it.
"""
import os
import pathlib
import shutil
import sys


def begin(directory):
    if directory.exists():
        shutil.rmtree(directory)
    directory.mkdir(mode=0o755)  # some tests go on as another user
    return 0


def end(directory):
    left = sorted(directory.iterdir())
    for path in left:
        print(f"left behind: {path}")
        for inner in sorted(path.rglob("*"))[:20] if path.is_dir() else []:
            print(f"  {inner.relative_to(path)}")
    if left:
        return 1
    directory.rmdir()
    return 0


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in ("begin", "end"):
        sys.exit(__doc__)
    directory = pathlib.Path(arguments[1])
    if os.environ.get("TMPDIR") != str(directory):
        print(f"TMPDIR is {os.environ.get('TMPDIR')} and not {directory}: ctest has not read environment.cmake")
        return 1
    return begin(directory) if arguments[0] == "begin" else end(directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
