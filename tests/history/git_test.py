#!/usr/bin/env python3
"""The repository of datasets/history: its commits are the same each time, a bug comes and goes by one commit each.

usage: git_test.py HISTORY_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile

MODULES = 13


def git(repository, *words):
    return subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True, text=True).stdout


def has_test(repository, commit, name):
    suite, case = name.split(".")
    text = f"tool_test({case} " if suite == "Tool" else f"TEST({suite}, {case})"
    return subprocess.run(["git", "-C", repository, "grep", "-qF", text, commit]).returncode == 0


def check(condition, what):
    if not condition:
        sys.exit("git_test: " + what)


def main():
    data = pathlib.Path(sys.argv[1])
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(data.glob("bugs/*/report.json"))]
    with tempfile.TemporaryDirectory() as directory:
        once, again = pathlib.Path(directory, "once"), pathlib.Path(directory, "again")
        for place in (once, again):
            subprocess.run([data / "make", "git", place], check=True)
        check(git(once, "log", "--format=%H") == git(again, "log", "--format=%H"), "the commits differ from one time to the next")
        check(git(once, "status", "--porcelain") == "", "the repository is not clean")
        titles = git(once, "log", "--format=%s").splitlines()
        check(len(titles) == MODULES + 2 * len(reports), f"{len(titles)} commits")
        for number, report in enumerate(reports, 1):
            fix, cause = f"fix #{number}: {report['title']}", report["introduced_by"]
            check(titles.count(fix) == 1 and titles.count(cause) == 1, f"bug {number} comes or goes more than once, or never")
            check(titles.index(fix) < titles.index(cause), f"bug {number} is fixed before it is there")
        fixes = dict(line.split(" ", 1)[::-1] for line in git(once, "log", "--format=%H %s").splitlines())
        for number, report in enumerate(reports, 1):
            commit = fixes[f"fix #{number}: {report['title']}"]
            for trigger in report["triggers"]:
                check(not has_test(once, commit + "~", trigger), f"{trigger} is there before bug {number} is fixed")
        for trigger in {trigger for report in reports for trigger in report["triggers"]}:
            check(has_test(once, "main", trigger), f"{trigger} is not there in the end")


if __name__ == "__main__":
    main()
