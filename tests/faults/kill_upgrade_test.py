#!/usr/bin/env python3
"""kill -9 at random moments of an upgrade: the store is whole, says what it has always said, and a later upgrade ends the work.

usage: kill_upgrade_test.py OSCOPE UPGRADER KILLS SEED [CLASS...]

The store is a copy of the golden one of format 1. UPGRADER (store_upgrader.cc) publishes several versions on the way, `oscope store upgrade` one;
they take turns. A kill that comes after the end is told apart, and does not count among KILLS.
"""
import collections
import json
import pathlib
import random
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "golden" / "store")]
import cases  # noqa: E402
import golden_test  # noqa: E402
from killed_process import DEADLINE_SECONDS, Durations, KilledProcess  # noqa: E402

OSCOPE = UPGRADER = None
KILLS = SEED = 0
# Those that tell nothing of segments: golden_test.Upgraded says why.
TEXTS = ("list", "show", "query", "similar")
SAMPLE = 12  # of the texts, after a kill
KILLS_PER_STORE = 4


def texts():
    return [(command, expected) for name in TEXTS
            for _, command, expected in golden_test.parse((golden_test.ANSWERS / f"{name}.txt").read_text(encoding="utf-8"))[0]]


class KillDuringAnUpgrade(unittest.TestCase):
    maxDiff = None

    def oscope(self, directory, *words):
        done = subprocess.run([OSCOPE, *words, "--store", f"{directory}/store", "--json"], capture_output=True, timeout=DEADLINE_SECONDS)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr.decode()}")
        return json.loads(done.stdout)

    def expect_texts(self, directory, some):
        for command, expected in some:
            self.assertEqual("\n".join(expected), "\n".join(golden_test.answer(command, directory)), command)

    def expect_whole(self, directory, some):
        check = self.oscope(directory, "store", "check")
        self.assertTrue(check["healthy"], check)
        self.expect_texts(directory, some)
        return check

    def expect_done(self, directory, some):
        """Another upgrade ends the work, and a collection takes away what the killed ones left."""
        self.oscope(directory, "store", "upgrade")
        self.assertEqual(self.oscope(directory, "store", "upgrade", "--dry-run")["segments"], 0)
        self.assertFalse(self.oscope(directory, "store", "collect")["writers_active"])
        self.assertEqual(self.expect_whole(directory, some)["problems"], [])
        self.assertEqual(list(pathlib.Path(directory, "store", "tmp").iterdir()), [])

    def upgrade(self, directory, way):
        words = [OSCOPE, "store", "upgrade", "--store", "store"] if way == 0 else [UPGRADER, "store"]
        return KilledProcess([str(word) for word in words], directory)

    def measure(self, way):
        with golden_test.Copy() as directory:
            process = self.upgrade(directory, way)
            self.assertEqual(process.end(), 0, process.complaints)
            if way == 1:
                self.assertGreater(int(process.output.split()[0]), 2, "batches")
            self.expect_done(directory, self.random.sample(self.texts, SAMPLE))
            return process.seconds

    def kill_some(self, directory, way):
        """Kills upgrades of one store until one has ended or enough have been killed."""
        first = self.newest_version(directory)
        for _ in range(KILLS_PER_STORE):
            process = self.upgrade(directory, way)
            before = self.newest_version(directory)
            hit = process.kill_after(self.durations[way].draw(self.random))
            self.counts["hit" if hit else "late"] += 1
            if not hit:
                self.assertEqual(process.process.returncode, 0, process.complaints)
                self.durations[way].note(process.seconds)
            check = self.expect_whole(directory, self.random.sample(self.texts, SAMPLE))
            left = self.oscope(directory, "store", "upgrade", "--dry-run")["segments"]
            if hit:
                self.counts["of these with files left behind"] += bool(check["problems"])
                self.counts["of these between two commits"] += check["version"] > first and left > 0
                self.counts["of these after the last commit"] += left == 0
            self.assertGreaterEqual(check["version"], before)
            if left == 0 or self.counts["hit"] == KILLS:
                return

    @staticmethod
    def newest_version(directory):
        return max(int(file.stem) for file in pathlib.Path(directory, "store", "manifests").glob("*.json"))

    def test_the_store_is_whole_and_says_the_same(self):
        print(f"seed {SEED}, {KILLS} kills", flush=True)
        self.random = random.Random(SEED)
        self.texts = texts()
        self.counts = collections.Counter()
        self.durations = [Durations(self.measure(way)) for way in (0, 1)]
        way = 0
        while self.counts["hit"] < KILLS:
            with golden_test.Copy() as directory:
                self.kill_some(directory, way)
                self.expect_done(directory, self.random.sample(self.texts, SAMPLE))
            way = 1 - way
            self.counts["stores"] += 1
        print(f"kills of upgrades: {dict(self.counts)}", flush=True)
        self.assertLess(self.counts["late"], self.counts["hit"], "most kills must come in time")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    OSCOPE, UPGRADER = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    KILLS, SEED = int(sys.argv[3]), int(sys.argv[4])
    golden_test.OSCOPE = OSCOPE
    cases.run(sys.argv[5:])
