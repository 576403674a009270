#!/usr/bin/env python3
"""kill -9 at random moments of the programs that change a store, several at once: what they acknowledged is there, nothing is there in part, each
failure has one bug, and the store is healthy.

usage: kill_programs_test.py OSCOPE CRASHING KILLS SEED [CLASS...]

Four programs run at any time: `import`, `trace`, `bug comment`, `bug edit`, `store purge`, `store compact`, `store collect`. Most are killed, with all that they
have started, at a moment drawn from the time that such a program takes. After every kill the store is compared with what was acknowledged, while the
others go on. What counts as acknowledged is the printed result: it may have come before the kill. CRASHING (tests/tracer/programs/crash.c) is what
`trace` records. A kill that comes after the end is told apart, and does not count among KILLS.
"""
import collections
import json
import os
import pathlib
import queue
import random
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import cases  # noqa: E402
from killed_process import DEADLINE_SECONDS, Durations, KilledProcess  # noqa: E402

OSCOPE = CRASHING = None
KILLS = SEED = 0
KILLS_PER_STORE = 50
AT_ONCE = 4
SPARED = 0.25  # of the programs nobody kills this share
KINDS = {"import": 5, "trace": 4, "comment": 2, "edit": 2, "purge": 4, "compact": 2, "collect": 1}
RUNS_PER_FILE = 6
FAILURES = 4  # few, so that many programs tell of the same at once


def events_of(number):
    """Told by the run's number alone, so that a reader can see that a run is whole."""
    return [f"f{(number * 31 + i * i) % 26}" for i in range(3 + number % 40)]


def run_line(number):
    return json.dumps({"type": "run", "id": f"{number:032x}", "project": "Demo", "test": f"t{number % 2}", "outcome": "failed", "message": "boom",
                       "failure": {"kind": "exit", "fingerprint": f"f{number // 2 % FAILURES}"},
                       "traces": [{"kind": "execution", "events": events_of(number)}]}) + "\n"


def parsed(text):
    """The result that a program printed, or None where it did not come to that."""
    try:
        return json.loads(text)
    except ValueError:
        return None


class File:
    """Something to import, by one program or by several."""

    def __init__(self, path, numbers, batch):
        self.path, self.batch = path, batch
        self.ids = [f"{number:032x}" for number in numbers]
        self.importers = 0
        self.acknowledged = self.purged = False


class StoreUnderFire:
    """A store, the programs that change it, and what they acknowledged."""

    def __init__(self, test, directory, randomness, durations, counts):
        self.test, self.directory, self.random, self.durations, self.counts = test, pathlib.Path(directory), randomness, durations, counts
        self.environment = dict(os.environ, TMPDIR=directory, OSCOPE_BY="ada")
        self.environment.pop("OSCOPE_STORE", None)
        self.running, self.over = 0, queue.Queue()
        self.files, self.traces = [], 0
        self.acknowledged, self.purging, self.purged = set(), set(), set()
        self.comments, self.begun_comments, self.bugs = {}, {}, []
        self.fields, self.begun_fields = {}, {}
        self.ask("init")

    def ask(self, *words):
        done = subprocess.run([OSCOPE, *words, "--json"], cwd=self.directory, env=self.environment, capture_output=True, timeout=DEADLINE_SECONDS)
        self.test.assertEqual(done.returncode, 0, f"{words}: {done.stdout.decode()} {done.stderr.decode()}")
        return parsed(done.stdout)

    # What is started: words, and what is to be done when the result has been printed.

    def new_file(self):
        first = len(self.files) * RUNS_PER_FILE + 1
        numbers = range(first, first + RUNS_PER_FILE)
        lines, path = self.directory / f"{first}.jsonl", self.directory / f"{first}.jsonl"
        lines.write_text("".join(map(run_line, numbers)))
        if self.random.random() < 0.1:
            path = self.directory / f"{first}.osct"
            self.ask("init", "--store", f"{first}.made")
            self.ask("import", "--no-bug", "--store", f"{first}.made", lines.name)
            self.ask("export", "--store", f"{first}.made", "--format", "osct", "-o", path.name)
        self.files.append(File(path, numbers, self.random.choice((0, 0, 2))))
        return self.files[-1]

    def import_(self):
        # Once more what was killed, or what another program imports now: it is there once.
        again = [file for file in self.files if not file.acknowledged]
        file = self.random.choice(again) if again and self.random.random() < 0.4 else self.new_file()
        file.importers += 1

        def done(result):
            self.test.assertEqual(result["runs_added"] + result["runs_known"], RUNS_PER_FILE, result)
            file.acknowledged = True
            self.acknowledged.update(file.ids)

        def ended():
            file.importers -= 1

        return ["import", file.path.name, *(["--batch", str(file.batch)] if file.batch else [])], done, ended

    def trace(self):
        self.traces += 1
        return (["trace", "--project", "Crash", "--test", "crash", "--recorder", "valgrind", "--", CRASHING, self.random.choice("apl")],
                lambda result: self.acknowledged.add(result["run"]), None)

    def comment(self):
        if not self.bugs:
            return None
        bug, text = self.random.choice(self.bugs), f"note {len(self.begun_comments)}"
        self.begun_comments[text] = bug
        return ["bug", "comment", bug, "--text", text], lambda _: self.comments.update({text: bug}), None

    def edit(self):
        if not self.bugs:
            return None
        bug, field = self.random.choice(self.bugs), f"edit{len(self.begun_fields)}"
        self.begun_fields[field] = bug
        return ["bug", "edit", bug, "--field", f"{field}=done"], lambda _: self.fields.update({field: bug}), None

    def purge(self):
        # Not what somebody imports: it would be there again.
        files = [file for file in self.files if file.acknowledged and not file.importers and not file.purged]
        if not files:
            return None
        file = self.random.choice(files)
        file.purged = True
        ids = self.random.sample(file.ids, self.random.randint(1, RUNS_PER_FILE))
        self.purging.update(ids)
        return ["store", "purge", "--yes", *(word for one in ids for word in ("--run", one))], lambda _: self.purged.update(ids), None

    def start(self):
        kind = self.random.choices(list(KINDS), KINDS.values())[0]
        if kind == "trace" and CRASHING is None:
            return
        upkeep = (["store", kind], lambda _: None, None)
        plan = {"import": self.import_, "trace": self.trace, "comment": self.comment, "edit": self.edit, "purge": self.purge}.get(kind, lambda: upkeep)()
        if plan is None:
            return
        words, done, ended = plan
        if "--" in words:
            words = [*words[:words.index("--")], "--json", *words[words.index("--"):]]
        else:
            words = [*words, "--json"]
        program = KilledProcess([OSCOPE, *words], self.directory, self.environment)
        known = self.durations[kind]
        seconds = known.draw(self.random) if known.seen and self.random.random() >= SPARED else None
        self.running += 1

        # In a thread of its own, since kills come while the store is looked at.
        def watch():
            hit = program.kill_after(seconds)
            self.over.put((program, kind, done, ended, seconds is not None, hit))

        threading.Thread(target=watch).start()

    # What happens to it.

    def take_one(self):
        """Waits for the end of a program and notes what it acknowledged. Returns whether it was killed in time."""
        program, kind, done, ended, chosen, hit = self.over.get(timeout=2 * DEADLINE_SECONDS)
        self.running -= 1
        if chosen:
            self.counts["hit" if hit else "late"] += 1
            self.counts[f"hit {kind}"] += hit
        else:
            self.durations[kind].note(program.seconds)
        code = program.process.returncode
        text = program.output if kind != "trace" else (program.complaints.splitlines() or [""])[-1]
        result = parsed(text)
        if not hit:
            # A trace ends as the program that it records.
            self.test.assertIn(code, (-6, -11, 134, 139) if kind == "trace" else (0,), f"{program.words}: {program.output} {program.complaints}")
            self.test.assertTrue(result or kind in ("comment", "edit"), f"{program.words}: {program.output} {program.complaints}")
        if result is not None or not hit:
            self.counts["acknowledged before they were hit"] += hit
            done(result)
        if ended:
            ended()
        return hit

    def go_on(self):
        """Starts what is missing, and waits for the next kill or end. Returns whether a kill came in time."""
        while self.running < AT_ONCE:
            self.start()
        return self.take_one()

    # The store against what was acknowledged, while programs go on.

    def verify(self):
        acknowledged, purged, comments, fields = set(self.acknowledged), set(self.purged), dict(self.comments), dict(self.fields)
        runs = self.ask("list", "runs", "--limit", "0")["runs"]
        there = {run["id"]: run for run in runs}
        expect = self.test.assertEqual
        expect(len(there), len(runs), "a run is there twice")
        expect(sorted(acknowledged - there.keys() - self.purging), [], "acknowledged and lost")
        expect(sorted(purged & there.keys()), [], "purged and there")
        for file in self.files:
            if file.purged:
                continue
            found = [one in there for one in file.ids]
            count = sum(found)
            expect(found, [True] * count + [False] * (RUNS_PER_FILE - count), f"{file.path}: not what was committed first")
            expect(count % (file.batch or RUNS_PER_FILE), 0, f"{file.path}: {count} are there, and a commit has {file.batch or RUNS_PER_FILE}")
        known = {one: int(one, 16) for file in self.files for one in file.ids}
        for one, run in there.items():
            if one in known:
                expect((run["trace_count"], run["event_count"]), (1, len(events_of(known[one]))), run)
        expect([run for one, run in there.items() if one not in known and run["project"] != "Crash"], [], "nobody wrote it")
        self.test.assertLessEqual(sum(run["project"] == "Crash" for run in runs), self.traces)
        self.verify_bugs(runs, comments, fields)
        self.test.assertTrue(self.ask("store", "check")["healthy"])

    def verify_bugs(self, runs, comments, fields):
        bugs_of = collections.defaultdict(set)
        for run in runs:
            bugs_of[run["project"], run.get("test"), run["failure"]["fingerprint"]].add(run.get("bug", ""))
        for failure, bugs in bugs_of.items():
            self.test.assertTrue(len(bugs) == 1 and "" not in bugs, f"{failure} has the bugs {bugs}")
        listed = self.ask("list", "bugs", "--limit", "0")["bugs"]
        failures = collections.Counter((bug["project"], bug["custom"]["test"], bug["custom"]["fingerprint"]) for bug in listed)
        self.test.assertEqual([failure for failure, count in failures.items() if count > 1], [], "two bugs of one failure")
        self.bugs = [bug["key"] for bug in listed]
        for run in runs:
            self.test.assertIn(f"{run['project']}-{run['bug']}", self.bugs)
        said = collections.Counter((comment["text"], bug["key"]) for bug in listed for comment in bug["comments"])
        self.test.assertEqual(sorted(set(comments.items()) - said.keys()), [], "comments that were acknowledged and are lost")
        self.test.assertEqual(said - collections.Counter(self.begun_comments.items()), collections.Counter(), "comments that are there twice")
        edited = {(field, bug["key"]) for bug in listed for field in bug["custom"] if field.startswith("edit")}
        self.test.assertEqual(sorted(set(fields.items()) - edited), [], "edits that were acknowledged and are lost")
        self.test.assertEqual(sorted(edited - set(self.begun_fields.items())), [], "edits that nobody made")

    def expect_nothing_left(self):
        """With nobody left, a collection leaves what the newest version names, and the next recording no other."""
        while self.running:
            self.take_one()
        self.verify()
        if CRASHING is not None:
            program = KilledProcess([OSCOPE, *self.trace()[0]], self.directory, self.environment)
            self.test.assertFalse(program.kill_after(None))
            self.test.assertEqual([path.name for path in self.directory.glob("oscope*")], [], "recordings that nobody will read")
        self.test.assertFalse(self.ask("store", "collect")["writers_active"])
        self.test.assertEqual(self.ask("store", "check")["problems"], [])
        self.test.assertEqual(list((self.directory / ".oscope" / "tmp").iterdir()), [])
        self.test.assertEqual(len(list((self.directory / ".oscope" / "manifests").iterdir())), 1)
        self.verify()


class KillPrograms(unittest.TestCase):
    maxDiff = None

    def test_what_was_acknowledged_is_there(self):
        print(f"seed {SEED}, {KILLS} kills", flush=True)
        randomness, counts = random.Random(SEED), collections.Counter()
        durations = {kind: Durations() for kind in KINDS}
        while counts["hit"] < KILLS:
            with tempfile.TemporaryDirectory(prefix="oscope-kill-") as directory:
                store = StoreUnderFire(self, directory, randomness, durations, counts)
                enough = min(KILLS, counts["hit"] + KILLS_PER_STORE)
                try:
                    while counts["hit"] < enough:
                        if store.go_on():
                            store.verify()
                    store.expect_nothing_left()
                finally:
                    for _ in range(store.running):
                        store.over.get(timeout=2 * DEADLINE_SECONDS)
                counts["stores"] += 1
                counts["runs and comments acknowledged"] += len(store.acknowledged) + len(store.comments)
                counts["runs purged"] += len(store.purged)
        print(f"kills of programs: {dict(counts)}", flush=True)
        self.assertLess(counts["late"], counts["hit"], "most kills must come in time")
        self.assertGreater(counts["runs and comments acknowledged"], KILLS / 2, "too little was written to mean anything")
        if KILLS >= 300:
            self.assertEqual([kind for kind in KINDS if not counts[f"hit {kind}"] and (kind != "trace" or CRASHING)], [], "never killed")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    OSCOPE = str(pathlib.Path(sys.argv[1]).resolve())
    CRASHING = str(pathlib.Path(sys.argv[2]).resolve()) if sys.argv[2] != "-" else None
    KILLS, SEED = int(sys.argv[3]), int(sys.argv[4])
    if CRASHING is not None:
        cases.require("valgrind")
    cases.run(sys.argv[5:])
