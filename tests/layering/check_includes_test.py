#!/usr/bin/env python3
"""Tests of check_includes.py: includes planted in a scratch tree are allowed, or found with file and line."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("check_includes.py")


def check(files):
    """Runs the script on a tree of these files; returns its exit code and its lines."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
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
        self.refused("query/similar/search.cc", "cli/context.h")
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


if __name__ == "__main__":
    unittest.main()
