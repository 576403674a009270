#!/usr/bin/env python3
"""Runs the commands of a .test file in a fresh directory and compares what they print.

usage: run_cases.py OSCOPE FILE.test

  # a comment
  $ oscope init             a command, run by bash with the program first in PATH
  > --quiet                 its next line
  made an empty store…      what stdout must be, line by line
  ! oscope: no such bug     what stderr must be
  ? 4                       the exit code, 0 if not given
  $tty oscope list bugs     the same on a terminal of 80 columns; stdout and stderr come together

In expected lines {*} stands for any text, {id} for hexadecimal digits, {n} for a number, {time} for 2026-01-31 12:00:00, {date} for 2026-01-31,
{size} for 1.5 KiB and {esc} for ESC; a line "..." for any lines.
functions.sh, beside this file, has what the commands may call.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

DEADLINE_SECONDS = 60
DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
WILDCARDS = {"{*}": ".*", "{id}": "[0-9a-f]+", "{n}": "[0-9][0-9,]*", "{esc}": "\x1b", "{date}": DATE, "{time}": DATE + " [0-9]{2}:[0-9]{2}:[0-9]{2}",
             "{size}": r"[0-9]+(?:\.[0-9])? (?:[KMGT]i)?B"}


class Case:
    def __init__(self, line_number, command, terminal):
        self.line_number, self.command, self.terminal = line_number, command, terminal
        self.stdout, self.stderr, self.code = [], [], 0


def parse(text):
    cases = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$tty "):
            cases.append(Case(number, line[5:], True))
        elif line.startswith("$ "):
            cases.append(Case(number, line[2:], False))
        elif line.startswith("#") or (not line and not cases):
            continue
        elif not cases:
            sys.exit(f"line {number}: expected a command before '{line}'")
        elif line.startswith("> ") and not cases[-1].stdout and not cases[-1].stderr:
            cases[-1].command += "\n" + line[2:]
        elif line.startswith("! "):
            cases[-1].stderr.append(line[2:])
        elif line.startswith("? "):
            cases[-1].code = int(line[2:])
        else:
            cases[-1].stdout.append(line)
    for case in cases:  # blank lines before the next command are for the reader
        while case.stdout and not case.stdout[-1]:
            case.stdout.pop()
    return cases


# A progress bar is not drawn for what is quick, but on a busy machine nothing is. Each drawing clears its line first, and the
# last one is cleared as well.
PROGRESS = re.compile(rb"\r\x1b\[K[^\r\n]*(?=\r)|\r\x1b\[K")


def line_pattern(line):
    parts = re.split("(" + "|".join(re.escape(name) for name in WILDCARDS) + ")", line)
    return "".join(WILDCARDS.get(part, re.escape(part)) for part in parts)


def matches(expected, actual):
    pattern = "".join("(?:.*\n)*?" if line == "..." else line_pattern(line) + "\n" for line in expected)
    return re.fullmatch(pattern, actual) is not None


def run_piped(command, directory, environment):
    done = subprocess.run(["bash", "-c", command], cwd=directory, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=DEADLINE_SECONDS)
    return done.stdout, done.stderr, done.returncode


def run_on_terminal(command, directory, environment):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(["bash", "-c", command], cwd=directory, env=environment, stdin=slave, stdout=slave,
                               stderr=slave, start_new_session=True)
    os.close(slave)
    output, deadline = b"", time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        if not select.select([master], [], [], 0.1)[0]:
            continue
        try:
            piece = os.read(master, 65536)
        except OSError:  # the other end is gone
            piece = b""
        if not piece:
            break
        output += piece
    os.close(master)
    output = PROGRESS.sub(b"", output.replace(b"\r\n", b"\n"))
    return output, b"", process.wait(timeout=DEADLINE_SECONDS)


def describe(name, expected, actual):
    shown = "".join(f"    {line}\n" for line in actual.splitlines()) or "    (nothing)\n"
    return f"  {name} was\n{shown}  and not\n" + "".join(f"    {line}\n" for line in expected)


def check(case, outcome):
    """The differences, as text; empty when there are none."""
    actual_out, actual_err, code = (part.decode("utf-8", "replace") if isinstance(part, bytes) else part
                                    for part in outcome)
    wrong = ""
    for name, expected, actual in (("stdout", case.stdout, actual_out), ("stderr", case.stderr, actual_err)):
        if actual and not actual.endswith("\n"):
            actual += "\n"
        if not matches(expected, actual):
            wrong += describe(name, expected, actual)
    if code != case.code:
        wrong += f"  exit code was {code} and not {case.code}\n"
    return wrong


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    oscope, file = (pathlib.Path(argument).resolve() for argument in arguments)
    here = pathlib.Path(__file__).resolve().parent
    failed = 0
    with tempfile.TemporaryDirectory(prefix="oscope-cli-") as top:
        os.chmod(top, 0o755)
        directory = pathlib.Path(top) / "demo"
        directory.mkdir()
        environment = {"PATH": f"{oscope.parent}:{os.environ['PATH']}", "HOME": top, "TMPDIR": top, "LC_ALL": "C.UTF-8", "OSCOPE_BY": "tester",
                       "TERM": "xterm", "OSCOPE": str(oscope), "CASES": str(here), "SOURCE": str(here.parents[1]),
                       "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": top, "BASH_ENV": str(here / "functions.sh")}
        for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "OSCOPE_MUTANT", "OSCOPE_MUTANTS_REACHED"):
            if name in os.environ:
                environment[name] = os.environ[name]
        for case in parse(file.read_text(encoding="utf-8")):
            run = run_on_terminal if case.terminal else run_piped
            wrong = check(case, run(case.command, directory, environment))
            if wrong:
                failed += 1
                print(f"{file}:{case.line_number}: $ {case.command}\n{wrong}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
