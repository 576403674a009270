"""A store of datasets/tiny, made with the real program, and what the data set says must be in it."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import uuid

SKIP = 77


def require(reader, problem):
    print(f"skipped: the reader {reader} cannot be loaded by Python {sys.version.split()[0]}: {problem}")
    sys.exit(SKIP)


def run(test_case):
    """Runs one test case; the program and the source tree are the arguments."""
    test_case.oscope, test_case.source = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1], verbosity=2)


class SampleStore(unittest.TestCase):
    oscope = source = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="oscope-interop-")
        cls.addClassCleanup(temporary.cleanup)
        cls.directory = temporary.name
        tiny = os.path.join(cls.source, "datasets/tiny")
        attachments = [{"project": "Wire", "bug": bug, "kind": "log", "name": "server", "text": "listening on port 4711"} for bug in "23"]
        attachments.append({"project": "Ini", "bug": "1", "name": "empty.ini"})
        with open(os.path.join(cls.directory, "attachments.jsonl"), "w", encoding="utf-8") as lines:
            lines.writelines(json.dumps({"type": "attachment", **one}) + "\n" for one in attachments)
        for arguments in (["init"], ["import", f"{tiny}/tiny.jsonl"],
                          ["import", f"{tiny}/wire_crash.gdb.txt", "--project", "Wire", "--bug", "Wire-2"],
                          ["import", "attachments.jsonl"]):
            subprocess.run([cls.oscope, "-q", *arguments], cwd=cls.directory, check=True)
        with open(f"{tiny}/tiny.jsonl", encoding="utf-8") as lines:
            items = [json.loads(line) for line in lines]
        cls.runs = {uuid.UUID(item["id"]): item for item in items if item["type"] == "run"}
        cls.bugs = {(item["project"], item["id"]): item for item in items if item["type"] == "bug"}
        cls.addClassCleanup(os.chdir, os.getcwd())
        os.chdir(cls.directory)

    @classmethod
    def expected_traces(cls):
        return {(run_id, trace.get("process", 0), trace.get("thread", 0)): trace["events"]
                for run_id, item in cls.runs.items() for trace in item["traces"]}

    @classmethod
    def blocks(cls, language):
        """The document's code blocks in a language, each with the ```text block that follows it, or None."""
        with open(os.path.join(cls.source, "docs/formats/store.md"), encoding="utf-8") as document:
            text = document.read()
        found = re.findall(rf"^```{language}\n(.*?)^```\n(?:\n?```text\n(.*?)^```\n)?", text, re.MULTILINE | re.DOTALL)
        return [(code, answer or None) for code, answer in found]
