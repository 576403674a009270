#!/usr/bin/env python3
"""`oscope shell` on a pseudo-terminal, as a person uses it.

usage: pty_shell_test.py OSCOPE
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

OSCOPE = None
SOURCE = pathlib.Path(__file__).resolve().parents[2]
DEADLINE_SECONDS = 60
PROMPT = "oscope> "
CONTINUATION = "   ...> "
COLOR = re.compile(r"\x1b\[[0-9;]*m")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
UP, DOWN, LEFT, TAB, ENTER, CTRL_A, CTRL_C, CTRL_D, CTRL_E, CTRL_R = "\x1b[A", "\x1b[B", "\x1b[D", "\t", "\r", "\x01", "\x03", "\x04", "\x05", "\x12"
LONG_QUERY = "SELECT a, b FROM ALL WHERE INTERSECT?(a, b, 40)"


class Shell:
    """The program on a terminal of 80 columns. What it writes is looked at from the last `wait` on."""

    def __init__(self, directory, *arguments, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        seeded = {name: value for name, value in os.environ.items() if name.startswith("OSCOPE_MUTANT")}
        variables = {"PATH": os.environ["PATH"], "HOME": str(directory), "TMPDIR": str(directory), "LC_ALL": "C.UTF-8", "TERM": "xterm", **seeded, **environment}
        for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                variables[name] = os.environ[name]
        self.process = subprocess.Popen([OSCOPE, "shell", *arguments], cwd=directory, env=variables, stdin=slave,
                                        stdout=slave, stderr=slave, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.raw = ""    # all of it
        self.seen = 0    # how much of it `wait` has passed

    def send(self, keys):
        os.write(self.master, keys.encode())

    def wait(self, pattern):
        """Waits until the pattern appears behind what was waited for before; returns the text up to its end."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while True:
            text = CONTROL.sub("", self.raw[self.seen:])
            found = re.search(pattern, text)
            if found:
                self.seen = len(self.raw)
                return text
            left = deadline - time.monotonic()
            if left <= 0 or not self.read(left):
                raise AssertionError(f"no {pattern!r} in {text!r}")

    def read(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.master, 65536)
        except OSError:  # the other end is gone
            return False
        self.raw += piece.decode("utf-8", "replace")
        return bool(piece)

    def enter(self, text, pattern):
        """Types a line and waits for what it gives, and then for the next prompt."""
        self.send(text + ENTER)
        return self.wait(rf"(?s)\n.*{pattern}.*\n{re.escape(PROMPT)}$" if pattern else rf"\n{re.escape(PROMPT)}$")

    def leave(self):
        self.send(CTRL_D)
        code = self.process.wait(timeout=DEADLINE_SECONDS)
        self.close()
        return code

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.master >= 0:
            os.close(self.master)
            self.master = -1


class Cases(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="oscope-shell-")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.oscope("init", "--quiet")
        self.oscope("import", "--quiet", str(SOURCE / "datasets/tiny/tiny.jsonl"))

    def oscope(self, *arguments):
        return subprocess.run([OSCOPE, *arguments], cwd=self.directory, capture_output=True, text=True, check=True,
                              timeout=DEADLINE_SECONDS).stdout

    def start(self, *arguments, **environment):
        shell = Shell(self.directory, *arguments, **environment)
        self.addCleanup(shell.close)
        shell.wait(re.escape(PROMPT) + "$")
        return shell

    def history(self):
        return (self.directory / ".local/state/oscope/history").read_text().splitlines()


class ShellTest(Cases):
    def test_statement_of_several_lines(self):
        shell = self.start()
        shell.send("SELECT b FROM Ini" + ENTER)
        shell.wait(re.escape(CONTINUATION) + "$")
        shell.send("WHERE INTERSECT?(b, Ini-1, 1)" + ENTER)
        shell.wait(re.escape(CONTINUATION) + "$")
        text = shell.enter(";", "rows?, ")
        self.assertIn("Ini-2", text)
        self.assertNotIn("Ini-3 ", text)
        self.assertEqual(shell.leave(), 0)
        self.assertEqual(self.history(), [r"SELECT b FROM Ini\nWHERE INTERSECT?(b, Ini-1, 1)\n;"])

    def test_history_across_two_runs(self):
        first = self.start()
        first.enter("SELECT COUNT(b) FROM Ini WHERE b.id LIKE '%';", "count")
        self.assertEqual(first.leave(), 0)
        history = self.directory / ".local/state/oscope/history"
        self.assertEqual(history.stat().st_mode & 0o777, 0o600)

        second = self.start()
        second.send(UP)
        second.wait("COUNT")
        second.enter("", "count")
        second.send(CTRL_R + "COUNT")
        second.wait("search.*COUNT")
        second.enter("", "count")
        self.assertEqual(second.leave(), 0)
        # The same entry again is not kept twice.
        self.assertEqual(len(self.history()), 1)

    def test_completion(self):
        shell = self.start()
        for typed, shown in [("sel", "SELECT "), ("b FR", "FROM "), ("In", "Ini "), ("wh", "WHERE "), ("inter", "INTERSECT[?][(]"),
                             ("b, Wire-", "Wire-1 +Wire-2 +Wire-3")]:
            shell.send(typed + TAB)
            if typed.endswith("-"):
                shell.send(TAB)
            shell.wait(shown)
        shell.enter("1, 5);", "rows?, |no bug")
        (self.directory / "statements.bql").write_text("SHOW QUERIES;\n")
        shell.send(".re" + TAB + "state" + TAB)
        shell.wait("statements.bql")
        shell.enter("", "suffix")
        shell.send(".mode mark" + TAB)
        shell.wait("markdown")
        shell.enter("", "")
        self.assertEqual(shell.leave(), 0)

    def test_interrupt_clears_the_line(self):
        shell = self.start()
        shell.send("SELECT b" + ENTER)
        shell.wait(re.escape(CONTINUATION) + "$")
        shell.send("rubbish")
        shell.wait("rubbish$")
        shell.send(CTRL_C)
        shell.wait(r"\^C\n" + re.escape(PROMPT) + "$")
        shell.enter(".projects", "Ini")
        self.assertEqual(shell.leave(), 0)
        self.assertEqual(self.history(), [".projects"])

    def cancel(self, *arguments):
        self.oscope("generate", "--quiet", "--traces", "4000", "--store", "large")
        shell = self.start("--store", "large", *arguments)
        shell.send(LONG_QUERY + ";" + ENTER)
        shell.wait(r"\n")
        # The bar shows that it runs; an engine that tells no progress is known to run from its echo alone.
        if not arguments:
            shell.wait("searching")
        start = time.monotonic()
        shell.send(CTRL_C)
        shell.wait(r"cancelled\n" + re.escape(PROMPT) + "$")
        self.assertLess(time.monotonic() - start, 10, "a second on an idle machine")
        shell.enter("SELECT COUNT(b) FROM ALL WHERE b.id = 'x';", "count\n +0")
        self.assertEqual(shell.leave(), 0)
        self.assertEqual(self.history(), [LONG_QUERY + ";", "SELECT COUNT(b) FROM ALL WHERE b.id = 'x';"])

    def test_interrupt_cancels_the_query(self):
        self.cancel()

    def test_interrupt_cancels_the_naive_engine(self):
        self.cancel("--engine", "naive")

    def test_killed_shell_keeps_its_history(self):
        shell = self.start()
        shell.enter(".projects", "Ini")
        shell.process.send_signal(signal.SIGKILL)
        shell.process.wait(timeout=DEADLINE_SECONDS)
        self.assertEqual(self.history(), [".projects"])

    def test_terminate_leaves(self):
        shell = self.start()
        shell.process.send_signal(signal.SIGTERM)
        self.assertEqual(shell.process.wait(timeout=DEADLINE_SECONDS), 0)

    def test_commands(self):
        shell = self.start("--bug", "Ini-1")
        self.assertIn(".explain", shell.enter(".help", "leave|Leave"))
        shell.enter(".bug", "Ini-1")
        shell.enter(".bug Wire-1", "tbug is Wire-1")
        shell.enter(".bug Wire-99", "did you mean")
        shell.enter(".timer on", "")
        shell.enter("CALL suffix(tbug);", "Wire-3.*time: .*work: ")
        shell.enter(".timer off", "")
        shell.enter(".mode csv", "")
        self.assertIn("b,distance", shell.enter(".last", "Wire-3,2"))
        shell.enter(".output near.csv", "")
        shell.enter(".last", "")
        shell.enter(".output", "")
        self.assertIn("Wire-3,2", (self.directory / "near.csv").read_text())
        shell.enter(".mode nothing", "there are table, csv")
        shell.enter(".mode table", "")
        shell.enter(".queries", "duplicates")
        shell.enter(".explain SELECT b WHERE INTERSECT?(b, tbug, 3)", "rank by distance")
        shell.enter(".param len 20", "")
        shell.enter(".param", ":len +20")
        shell.enter(".param len", "")
        shell.enter(".hepl", "did you mean '.help'")
        shell.enter("SELECT b FROM Wier WHERE b.id = '1';", "1:15: unknown project 'Wier'.*\\^~~~")
        # Errors do not end a shell, and are not its exit code.
        shell.send(".exit" + ENTER)
        self.assertEqual(shell.process.wait(timeout=DEADLINE_SECONDS), 0)

    def test_colors(self):
        plain = self.start(NO_COLOR="1")
        plain.enter("SELECT COUNT(b) FROM Ini WHERE b.id = '1';", "count")
        self.assertEqual(plain.leave(), 0)
        self.assertIsNone(COLOR.search(plain.raw))
        option = self.start("--no-color")
        option.enter(".projects", "Ini")
        self.assertIsNone(COLOR.search(option.raw))
        coloured = self.start()
        coloured.send("SELECT 'open")
        coloured.wait("SELECT 'open$")
        self.assertIn("\x1b[34mSELECT\x1b[0m \x1b[31m'open\x1b[0m", coloured.raw)

    def test_terminal_that_cannot_move_its_cursor(self):
        shell = self.start(TERM="dumb")
        shell.send("SELECT COUNT(b)\n")
        shell.wait(re.escape(CONTINUATION) + "$")
        shell.send("FROM Ini WHERE b.id = '1';\n")
        shell.wait(r"(?s)count\n.*" + re.escape(PROMPT) + "$")
        self.assertNotIn("\x1b", shell.raw)
        self.assertEqual(shell.leave(), 0)


class Editing(Cases):
    def test_up_moves_to_the_line_above(self):
        shell = self.start()
        shell.send("SELECT b" + ENTER)
        shell.wait(re.escape(CONTINUATION) + "$")
        shell.send("FROM Ini WHERE b.id = '1';" + UP + ", b.status")
        shell.wait("b.status")
        shell.enter("", "b +b.status")
        self.assertEqual(shell.leave(), 0)
        self.assertEqual(self.history(), [r"SELECT b, b.status\nFROM Ini WHERE b.id = '1';"])

    def test_up_keeps_the_column(self):
        shell = self.start()
        for line in ("SELECT COUNT()", "FROM Ini"):
            shell.send(line + ENTER)
            shell.wait(re.escape(CONTINUATION) + "$")
        shell.send("WHERE b.id = '" + UP + UP + LEFT + LEFT + LEFT + LEFT + "NOT" + CTRL_E)
        shell.wait("WHERE")
        shell.send("1';")
        shell.wait("1'")
        shell.send(ENTER)
        shell.wait(r"\n" + re.escape(PROMPT) + "$")
        self.assertEqual(shell.leave(), 0)
        # From the end of the second line, which is shorter, to the same column of the first.
        self.assertEqual(self.history(), [r"SELENOTCT COUNT()\nFROM Ini\nWHERE b.id = '1';"])

    def test_down_moves_to_the_line_below(self):
        shell = self.start()
        shell.send("SELECT b" + ENTER)
        shell.wait(re.escape(CONTINUATION) + "$")
        shell.send(" WHERE b.id = '1';" + UP + CTRL_A + DOWN + "FROM Ini")
        shell.wait("FROM Ini")
        shell.enter("", "Ini-1")
        self.assertEqual(shell.leave(), 0)
        self.assertEqual(self.history(), [r"SELECT b\nFROM Ini WHERE b.id = '1';"])

    def test_up_and_down_in_the_history(self):
        shell = self.start()
        shell.enter(".projects", "Ini")
        shell.enter(".mode", "table")
        shell.send(UP + UP + DOWN)
        shell.wait(r"\.mode")
        shell.enter(" csv", "")
        self.assertEqual(shell.leave(), 0)
        self.assertEqual(self.history(), [".projects", ".mode", ".mode csv"])

    def test_completion_before_a_blank_adds_none(self):
        shell = self.start()
        shell.send("sel b" + LEFT + LEFT + TAB)
        shell.wait("SELECT b")
        shell.send(CTRL_E)
        shell.enter(" FROM Ini WHERE b.id = '1';", "Ini-1")
        # A word that is whole gets a blank; what is open does not.
        shell.send("sel" + TAB + "b FROM Ini WHERE INTERS" + TAB)
        shell.wait("INTERSECT")
        shell.enter("b, Ini-1, 1);", "Ini-2")
        self.assertEqual(shell.leave(), 0)
        self.assertEqual(self.history(), ["SELECT b FROM Ini WHERE b.id = '1';", "SELECT b FROM Ini WHERE INTERSECT?(b, Ini-1, 1);"])

    def test_what_cannot_be_completed_rings(self):
        shell = self.start()
        shell.send("xyz" + TAB)
        shell.wait("\x07")
        shell.send(CTRL_C)
        shell.wait(r"\^C\n" + re.escape(PROMPT) + "$")
        self.assertEqual(shell.leave(), 0)

    def test_a_list_of_completions_in_columns(self):
        shell = self.start()
        shell.send(".mode " + TAB)
        text = shell.wait(r"vertical\s*\n" + "(" + re.escape(PROMPT) + r"\.mode )+$")
        self.assertIn("csv        json       jsonlines  markdown   table      vertical\n", text)
        shell.enter("csv", "")
        shell.enter(".mode", "csv")
        self.assertEqual(shell.leave(), 0)


class Presentation(Cases):
    STATEMENT = "SELECT COUNT(b) FROM Ini WHERE b.id = '1';"

    def test_a_footer_follows_what_goes_to_the_terminal(self):
        shell = self.start()
        shell.enter(self.STATEMENT, r"count\n +1\n\(1 row, ")
        shell.enter(".output kept", "")
        self.assertNotIn("row, ", shell.enter(self.STATEMENT, ""))
        shell.enter(".output", "")
        shell.enter(self.STATEMENT, r"\(1 row, ")
        shell.enter(".output kept", "")
        # What cannot be opened: answers come to the terminal again.
        shell.enter(".output no/where", "open no/where: No such file or directory")
        shell.enter(self.STATEMENT, r"\(1 row, ")
        self.assertEqual(shell.leave(), 0)

    def test_quiet_has_no_footer_and_no_greeting(self):
        shell = self.start("--quiet")
        self.assertNotIn("statements end", shell.raw)
        self.assertNotIn("row, ", shell.enter(self.STATEMENT, "count"))
        self.assertEqual(shell.leave(), 0)

    def test_the_greeting(self):
        shell = self.start()
        self.assertIn("statements end with ';'; .help lists the commands, Ctrl-D leaves", shell.raw)
        self.assertEqual(shell.leave(), 0)


class Kept(Cases):
    def test_entries_are_kept_without_blanks_around_them(self):
        shell = self.start()
        shell.enter("  .projects  ", "Ini")
        shell.enter("   ", "")
        self.assertEqual(shell.leave(), 0)
        self.assertEqual(self.history(), [".projects"])

    def test_a_history_that_cannot_be_read(self):
        shell = self.start(OSCOPE_HISTORY=str(self.directory))
        self.assertIn("the history cannot be read, and nothing is added to it: ", shell.raw)
        self.assertNotIn("history", shell.enter(".projects", "Ini"))
        self.assertEqual(shell.leave(), 0)

    def test_a_history_that_cannot_be_written_is_told_once(self):
        (self.directory / "file").write_text("")
        os.mkdir(self.directory / "gone")
        shell = self.start(OSCOPE_HISTORY=str(self.directory / "gone/history"))
        os.rmdir(self.directory / "gone")
        (self.directory / "gone").write_text("a file")
        shell.enter(".projects", "the history is not kept: open .*: Not a directory")
        self.assertNotIn("history", shell.enter(".mode", "table"))
        self.assertEqual(shell.leave(), 0)


class Interrupted(Cases):
    def test_a_terminal_that_cannot_move_its_cursor(self):
        shell = self.start(TERM="dumb")
        shell.send("SELECT b\n")
        shell.wait(re.escape(CONTINUATION) + "$")
        shell.send(CTRL_C)
        shell.wait(re.escape(PROMPT) + "$")
        shell.send(".projects\n")
        shell.wait(r"Ini\nWire\n" + re.escape(PROMPT) + "$")
        self.assertEqual(shell.leave(), 0)

    def piped(self, sent, awaited):
        """A shell that reads a pipe; `awaited` is printed when it has read what is sent."""
        process = subprocess.Popen([OSCOPE, "shell"], cwd=self.directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        process.stdin.write(sent)
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), awaited)
        return process

    def interrupt(self, process):
        process.send_signal(signal.SIGINT)
        return process.wait(timeout=DEADLINE_SECONDS)

    # Also where the signal comes while the command that was read last is ending.
    def test_a_script_ends(self):
        self.assertEqual(self.interrupt(self.piped(".mode\n", "table\n")), 130)

    def test_a_script_that_is_told_to_leave(self):
        process = self.piped(".mode\n", "table\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=DEADLINE_SECONDS), 0)

    def test_an_unfinished_statement_is_not_run(self):
        process = self.piped(".mode\nCREATE QUERY kept(x) AS SELECT b FROM ALL WHERE INTERSECT?(b, :x, 1)", "table\n")
        self.assertEqual(self.interrupt(process), 130)
        self.assertNotIn("kept", self.oscope("query", "SHOW QUERIES"))


if __name__ == "__main__":
    OSCOPE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
