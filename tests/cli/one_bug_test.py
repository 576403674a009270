#!/usr/bin/env python3
"""Many processes tell the store of one failure at once: it gets one bug, and no run and no number is lost.

usage: one_bug_test.py OSCOPE [ROUNDS]

Every round is another failure. Eight processes start at once: six import a run of it each, two report another bug with
`oscope bug add`. Afterwards the six runs have one bug, the numbers of all bugs differ, and none is empty.
"""
import json
import os
import subprocess
import sys
import tempfile

OSCOPE = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
IMPORTERS, REPORTERS = 6, 2


def run_line(number, fingerprint):
    return json.dumps({"type": "run", "id": f"{number:032x}", "project": "Demo", "test": "t", "outcome": "failed",
                       "message": "boom", "failure": {"kind": "exit", "fingerprint": fingerprint},
                       "traces": [{"kind": "execution", "events": ["main", "f"]}]})


def ask(*words):
    return json.loads(subprocess.run([OSCOPE, *words, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def main():
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        environment = dict(os.environ, OSCOPE_BY="ada")
        subprocess.run([OSCOPE, "init", "--quiet"], check=True)
        for turn in range(ROUNDS):
            commands = [[OSCOPE, "bug", "add", "--project", "Demo", "--title", f"reported {turn}"]] * REPORTERS
            for importer in range(IMPORTERS):
                name = f"{turn}-{importer}.jsonl"
                with open(name, "w") as file:
                    file.write(run_line(turn * 100 + importer + 1, f"f{turn}") + "\n")
                commands.append([OSCOPE, "import", name])
            started = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                       for command in commands]
            for process in started:
                _, complaints = process.communicate()
                assert process.returncode == 0, complaints.decode()
            mine = range(turn * 100 + 1, turn * 100 + IMPORTERS + 1)
            bugs = {ask("show", "run", f"{number:032x}")["bug"] for number in mine}
            assert len(bugs) == 1, f"round {turn}: one failure has the bugs {sorted(bugs)}"
        listed = ask("list", "bugs", "--limit", "0")["bugs"]
        numbers = sorted(int(bug["id"]) for bug in listed)
        assert numbers == list(range(1, ROUNDS * (1 + REPORTERS) + 1)), f"the numbers are {numbers}"
        made = [bug for bug in listed if "fingerprint" in bug["custom"]]
        assert sorted(bug["custom"]["fingerprint"] for bug in made) == sorted(f"f{turn}" for turn in range(ROUNDS))
        for bug in made:
            history = ask("show", "bug", bug["key"], "--history")["history"]
            assert len(history) == 1 and history[0]["by"] == "ada" and history[0]["why"].startswith("run "), history
        subprocess.run([OSCOPE, "store", "check", "--quiet"], check=True)


main()
