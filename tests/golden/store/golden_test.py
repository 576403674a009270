#!/usr/bin/env python3
"""What the commands say of the golden store: answers/*.txt has the commands and their answers of the day when the store was made.

usage: golden_test.py OSCOPE [CLASS...]      compares
       golden_test.py OSCOPE --update        writes the answers of commands that have none yet, and changes no other

  # a comment
  $ oscope list bugs        a command, run by bash in a directory with a copy of the store, which $OSCOPE_STORE names
    BUG      STATUS         what it printed, each line after two spaces
  ! oscope: no such bug     what it printed on standard error
  ? 4                       its exit code, if that is not 0

Bytes that are not UTF-8 and controls are written as \\xff. Each file begins with a fresh copy. functions.sh has
what the commands may call.
"""
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import cases  # noqa: E402

ANSWERS = HERE / "answers"
STORE = HERE / "store.tar.gz"
STORE_2 = HERE / "store_2.tar.gz"  # of format 2
OSCOPE = None
DEADLINE_SECONDS = 120
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
PASSED_ON = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "OSCOPE_MUTANT", "OSCOPE_MUTANTS_REACHED")


def parse(text):
    """The paragraphs of a file: comments before a command, the command, its answer, each a list of lines."""
    paragraphs, comments = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("$ "):
            paragraphs.append((comments, line[2:], []))
            comments = []
        elif line.startswith(("  ", "! ", "? ")) and paragraphs and not comments:
            paragraphs[-1][2].append(line)
        elif not line or line.startswith("#"):
            comments.append(line)
        else:
            sys.exit(f"line {number}: neither a command nor an answer: '{line}'")
    return paragraphs, comments


def visible(output):
    text = output.decode("utf-8", "backslashreplace")
    return CONTROL.sub(lambda found: "\\x%02x" % ord(found[0]) if ord(found[0]) < 256 else "\\u%04x" % ord(found[0]), text)


def lines_of(mark, output):
    lines = visible(output).split("\n")
    if lines[-1] == "":
        lines.pop()
    return [mark + line for line in lines]


def answer(command, directory):
    environment = {"PATH": f"{OSCOPE.parent}:{os.environ['PATH']}", "HOME": directory, "TMPDIR": directory, "LC_ALL": "C.UTF-8",
                   "TZ": "UTC", "OSCOPE_STORE": "store", "GIT_CEILING_DIRECTORIES": directory, "GIT_CONFIG_NOSYSTEM": "1",
                   "BASH_ENV": str(HERE / "functions.sh")}
    environment |= {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    done = subprocess.run(["bash", "-c", command], cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=DEADLINE_SECONDS)
    lines = lines_of("  ", done.stdout) + lines_of("! ", done.stderr)
    return lines + ([f"? {done.returncode}"] if done.returncode else [])


class Copy:
    """A directory with a copy of the store, as it is or upgraded to today's format."""

    def __init__(self, upgraded=False, store=STORE):
        self.upgraded = upgraded
        self.store = store

    def __enter__(self):
        self.top = tempfile.TemporaryDirectory(prefix="oscope-golden-")
        with tarfile.open(self.store) as archive:
            archive.extractall(self.top.name)
        if self.upgraded:
            subprocess.run([OSCOPE, "store", "upgrade", "--quiet", "--store", f"{self.top.name}/store"], check=True, timeout=DEADLINE_SECONDS)
        return self.top.name

    def __exit__(self, *_):
        self.top.cleanup()


def update():
    for file in sorted(ANSWERS.glob("*.txt")):
        paragraphs, rest = parse(file.read_text(encoding="utf-8"))
        text = ""
        with Copy(store=STORE_2 if file.stem == "format2" else STORE) as directory:
            for comments, command, expected in paragraphs:
                actual = answer(command, directory)
                text += "\n".join([*comments, f"$ {command}", *(expected or actual), ""])
        file.write_text(text + "\n".join(rest), encoding="utf-8")


class Answers(unittest.TestCase):
    maxDiff = None

    def compare(self, name, upgraded=False, store=STORE):
        with Copy(upgraded, store) as directory:
            for _, command, expected in parse((ANSWERS / f"{name}.txt").read_text(encoding="utf-8"))[0]:
                with self.subTest(command=command):
                    self.assertEqual("\n".join(expected), "\n".join(answer(command, directory)))


class List(Answers):
    def test_answers(self):
        self.compare("list")


class Show(Answers):
    def test_answers(self):
        self.compare("show")


class Query(Answers):
    def test_answers(self):
        self.compare("query")


class Similar(Answers):
    def test_answers(self):
        self.compare("similar")


class Export(Answers):
    def test_answers(self):
        self.compare("export")


class Store(Answers):
    def test_answers(self):
        self.compare("store")


class Upkeep(Answers):
    def test_answers(self):
        self.compare("upkeep")


class Format2(Answers):
    def test_answers(self):
        self.compare("format2", store=STORE_2)


class Upgraded(Answers):
    """The same answers after an upgrade, which moves runs to other segments: so not those that tell of segments or go by their order."""

    def test_answers(self):
        with Copy() as directory:
            self.assertIn("to rewrite", answer("oscope store upgrade --dry-run", directory)[0])
        with Copy(upgraded=True) as directory:
            self.assertIn("nothing to do", answer("oscope store upgrade", directory)[0])
            self.assertEqual(answer("oscope store check --quiet", directory), [])
        for name in ("list", "show", "query", "similar"):
            with self.subTest(name):
                self.compare(name, upgraded=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    OSCOPE = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:] == ["--update"]:
        update()
    else:
        cases.run(sys.argv[2:])
