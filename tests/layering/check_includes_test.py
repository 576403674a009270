#!/usr/bin/env python3
"""Tests of check_includes.py: includes planted in a scratch tree are allowed, or found with file and line."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("check_includes.py")


def check(files, *options):
    """Runs the script on a tree of these files; returns its exit code and its lines."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, *options, root], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()


class CheckIncludes(unittest.TestCase):
    def allowed(self, source, target):
        self.assertEqual(check({source: f'#include "{target}"\n'}), (0, []), f"{source} -> {target}")

    def refused(self, source, target):
        code, lines = check({source: f'#include <vector>\n\n#include "{target}"\n'})
        self.assertEqual(code, 1, f"{source} -> {target}")
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith(f"{source}:3: "), lines)

    def test_downward_includes_are_allowed(self):
        self.allowed("base/a.cc", "base/a.h")
        self.allowed("tracer/model/run.h", "base/result.h")
        self.allowed("tracer/format/writer.cc", "tracer/model/run.h")
        self.allowed("tracer/import/gdb.cc", "tracer/format/writer.h")
        self.allowed("tracer/record/run.cc", "tracer/format/writer.h")
        self.allowed("index/store/commit.cc", "tracer/model/run.h")
        self.allowed("query/similar/search.cc", "query/run/session.h")
        self.allowed("query/similar/search.cc", "query/run/widening.h")
        self.allowed("analysis/policy/a.cc", "query/distance/edit.h")
        self.allowed("web/api/search.cc", "cluster/client/client.h")
        self.allowed("cli/main.cc", "web/server/server.h")

    def test_upward_includes_are_refused(self):
        self.refused("base/a.h", "tracer/model/run.h")
        self.refused("tracer/model/run.h", "tracer/format/writer.h")
        self.refused("tracer/model/run.h", "tracer/import/gdb.h")
        self.refused("tracer/model/run.h", "tracer/record/run.h")
        self.refused("tracer/format/writer.cc", "tracer/import/gdb.h")
        self.refused("tracer/import/gdb.cc", "tracer/record/run.h")
        self.refused("tracer/import/gdb.cc", "index/store/commit.h")
        self.refused("index/store/commit.cc", "bql/ast/node.h")
        self.refused("query/distance/edit.cc", "tracer/model/run.h")
        self.refused("query/run/session.cc", "query/similar/search.h")
        self.refused("query/naive/engine.cc", "query/operators/search.h")
        self.refused("tracer/pin/main.cc", "base/result.h")
        self.refused("tracer/harness/junit.cc", "tracer/model/run.h")
        self.refused("query/similar/search.cc", "cli/context/context.h")
        self.refused("cli/output/text.cc", "cli/context/context.h")
        self.refused("analysis/policy/a.cc", "query/plan/plan.h")
        self.refused("web/api/search.cc", "cluster/worker/worker.h")
        self.refused("index/store/commit.cc", "cli/main.h")

    def test_an_include_without_a_folder_is_refused(self):
        self.refused("base/a.cc", "a.h")
        self.refused("tracer/model/run.cc", "../../cli/main.h")

    def test_every_wrong_line_is_reported(self):
        code, lines = check({"base/a.h": '#include "cli/x.h"\n#include "index/y.h"\n', "base/b.cc": '# include "web/z.h"\n'})
        self.assertEqual(code, 1)
        self.assertEqual([line.rsplit(": ", 1)[0] for line in lines], ["base/a.h:1", "base/a.h:2", "base/b.cc:1"])


def including(*targets):
    return "".join(f'#include "{target}"\n' for target in targets)


class Circles(unittest.TestCase):
    def test_two_folders_that_include_each_other(self):
        self.assertEqual(check({"query/plan/a.cc": including("base/x.h", "query/rules/b.h"),
                                "query/rules/b.cc": including("query/plan/a.h")}),
                         (1, ["circle: query/plan -> query/rules -> query/plan",
                              '  query/plan/a.cc:2: #include "query/rules/b.h"',
                              '  query/rules/b.cc:1: #include "query/plan/a.h"']))

    def test_a_circle_of_three(self):
        self.assertEqual(check({"cli/a/a.cc": including("cli/b/b.h"), "cli/b/b.cc": including("cli/c/c.h"),
                                "cli/c/c.cc": including("cli/a/a.h")}),
                         (1, ["circle: cli/a -> cli/b -> cli/c -> cli/a",
                              '  cli/a/a.cc:1: #include "cli/b/b.h"',
                              '  cli/b/b.cc:1: #include "cli/c/c.h"',
                              '  cli/c/c.cc:1: #include "cli/a/a.h"']))

    def test_headers_alone_make_a_circle(self):
        code, lines = check({"index/a/a.h": including("index/b/b.h"), "index/b/other.h": including("index/a/more.h")})
        self.assertEqual((code, lines[0]), (1, "circle: index/a -> index/b -> index/a"))

    def test_a_folder_and_its_parent_make_a_circle(self):
        code, lines = check({"cli/a.cc": including("cli/b/b.h"), "cli/b/b.cc": including("cli/a.h")})
        self.assertEqual((code, lines[0]), (1, "circle: cli -> cli/b -> cli"))

    def test_every_circle_is_told_once(self):
        code, lines = check({"cli/a/a.cc": including("cli/b/b.h", "cli/c/c.h"), "cli/b/b.cc": including("cli/a/a.h"),
                             "cli/c/c.cc": including("cli/a/a.h")})
        self.assertEqual((code, [line for line in lines if line.startswith("circle")]),
                         (1, ["circle: cli/a -> cli/b -> cli/a", "circle: cli/c -> cli/a -> cli/c"]))

    def test_what_only_looks_like_one_is_none(self):
        # Two ways to one folder, a folder that includes itself, and one whose name begins with another's.
        self.assertEqual(check({"query/a/a.cc": including("query/a/a.h", "query/b/b.h", "query/c/c.h"),
                                "query/b/b.cc": including("query/d/d.h"), "query/c/c.cc": including("query/d/d.h"),
                                "query/ab/a.cc": including("query/a/a.h")}), (0, []))


class Graph(unittest.TestCase):
    FILES = {"query/a/a.cc": including("query/b/b.h", "query/c/c.h"), "query/b/b.cc": including("query/c/c.h"),
             "query/c/c.cc": including("query/c/c.h")}
    LINES = ["query/c", "query/b: query/c", "query/a: query/b"]

    def document(self, *lines):
        return {"docs/architecture.md": "```text\nanother\n```\n```text\n" + "\n".join(lines) + "\n```\n"}

    def test_it_is_printed_lowest_first_without_what_follows_from_the_rest(self):
        self.assertEqual(check(self.FILES, "--graph"), (0, self.LINES))

    def test_it_is_printed_whatever_else_is_wrong(self):
        self.assertEqual(check({"base/a.h": including("cli/x.h")}, "--graph"), (0, ["cli", "base: cli"]))

    def test_there_is_none_of_a_circle(self):
        code, lines = check({"cli/a/a.cc": including("cli/b/b.h"), "cli/b/b.cc": including("cli/a/a.h")}, "--graph")
        self.assertEqual((code, lines[0]), (1, "circle: cli/a -> cli/b -> cli/a"))

    def test_the_document_has_it(self):
        self.assertEqual(check(self.FILES | self.document(*self.LINES)), (0, []))

    def test_a_document_with_another_one_is_stale(self):
        code, lines = check(self.FILES | self.document(*self.LINES, "query/d"))
        self.assertEqual((code, [line.partition(":")[0] for line in lines]), (1, ["docs/architecture.md"]))


if __name__ == "__main__":
    unittest.main()
