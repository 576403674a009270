"""Runs the tests against one fault after another.

First every test runs once without a fault: how long it takes, and which faults' places it comes by. Then, for each fault in random order, the tests that come by it
run, first those that noticed it the last time, then the quick ones, until one fails. Quick tests of one GoogleTest program share a process. A test that is no GoogleTest must fail twice, since those measure
the outside world; a fault that no test comes by is unnoticed without running anything.
"""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

QUICK_SECONDS = 1.0      # tests below this may share a process
TOGETHER_SECONDS = 10.0  # up to so much of them
LEAST_TIME_OUT = 20.0
MEMORY = 8 << 30
FILE_SIZE = 8 << 30
MOST_OUTPUT = 64 << 20


@dataclasses.dataclass
class TestCase:
    name: str
    command: list
    directory: str
    environment: dict
    skip_code: int = -1
    time_out: float = 600.0
    seconds: float = 0.0
    reached: frozenset = frozenset()

    @property
    def gtest(self):
        """The program and the filter of a GoogleTest, or None."""
        filters = [arg for arg in self.command if arg.startswith("--gtest_filter=")]
        return (self.command[0], filters[0].split("=", 1)[1]) if filters else None


def list_tests(build, leave_out):
    shown = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout
    tests = []
    for entry in json.loads(shown)["tests"]:
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        if "command" not in entry or "long" in properties.get("LABELS", []) or leave_out.search(entry["name"]):
            continue
        environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        tests.append(TestCase(entry["name"], entry["command"], properties.get("WORKING_DIRECTORY", str(build)), environment,
                              properties.get("SKIP_RETURN_CODE", -1), float(properties.get("TIMEOUT", 600))))
    return tests


def _limits():
    os.setsid()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):  # which nohup, for one, has ignored
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, test, time_out, extra):
    """Whether the command failed (a time-out is a failure), how long it took, and which GoogleTest of it began last. Whatever it leaves behind goes."""
    with tempfile.TemporaryDirectory(prefix="m", ignore_cleanup_errors=True) as scratch:
        os.chmod(scratch, 0o755)  # some tests go on as another user
        environment = {**os.environ, **test.environment, **extra, "TMPDIR": scratch}
        begin = time.monotonic()
        output = tempfile.TemporaryFile()
        process = subprocess.Popen(command, cwd=test.directory, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.DEVNULL, preexec_fn=_limits)
        try:
            code = process.wait(time_out)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        output.seek(0)
        begun = re.findall(rb"^\[ RUN      \] (\S+)", output.read(MOST_OUTPUT), re.M)
        output.close()
        return code not in (0, test.skip_code), time.monotonic() - begin, begun[-1].decode() if begun else ""


class Runner:
    def __init__(self, build, tests, jobs, say):
        self.build, self.tests, self.jobs, self.say = build, tests, jobs, say
        self.reached_dir = pathlib.Path(build, "reached")

    def learn(self):
        """One run of every test without a fault. Returns the names of those that failed, which are then left out."""
        shutil.rmtree(self.reached_dir, ignore_errors=True)
        self.reached_dir.mkdir()
        failed, done, lock = [], 0, threading.Lock()

        def one(number, test):
            nonlocal done
            path = self.reached_dir / str(number)
            for _ in range(2):  # once more under a machine that may be busy
                bad, test.seconds, _ = run(test.command, test, max(test.time_out, 120), {"OSCOPE_MUTANTS_REACHED": str(path)})
                if not bad:
                    break
            test.reached = frozenset(map(int, path.read_text().split())) if path.exists() else frozenset()
            with lock:
                done += 1
                if bad:
                    failed.append(test.name)
                if done % 100 == 0:
                    self.say(f"{done} of {len(self.tests)} tests ran without a fault")

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda pair: one(*pair), enumerate(self.tests)))
        self.tests = [test for test in self.tests if test.name not in failed]
        return failed

    def save(self, path):
        path.write_text(json.dumps([{**dataclasses.asdict(test), "reached": sorted(test.reached)} for test in self.tests]))

    def load(self, path):
        self.tests = [TestCase(**{**entry, "reached": frozenset(entry["reached"])}) for entry in json.loads(path.read_text())]

    def _groups(self, number, likely):
        """Commands for the tests that come by a fault, the likely one and then quick ones first: (command, test, seconds, names)."""
        together, groups = {}, []
        reaching = [test for test in self.tests if number in test.reached]
        for test in (test for test in reaching if test.name == likely):
            yield test.command, test, test.seconds, [test.name]
        for test in sorted((test for test in reaching if test.name != likely), key=lambda t: t.seconds):
            if test.gtest is None or test.seconds > QUICK_SECONDS:
                groups.append([[test.command, None], test, test.seconds, [test.name]])
                continue
            group = together.get(test.gtest[0])
            if group is None or group[2] + test.seconds > TOGETHER_SECONDS or len(group[3]) >= 200:
                group = together[test.gtest[0]] = [[test.command, []], test, 0.0, []]
                groups.append(group)
            group[0][1].append(test.gtest[1])
            group[2] += test.seconds
            group[3].append(test.name)
        for (command, filters), test, seconds, names in sorted(groups, key=lambda group: group[2]):
            if filters:
                command = [command[0], "--gtest_filter=" + ":".join(filters), "--gtest_fail_fast", "--gtest_also_run_disabled_tests"]
            yield command, test, seconds, names

    def notice(self, number, likely=""):
        """The name of a test (or of the first and last of a group) that fails with this fault, or "" when none does, and how many ran."""
        reaching, chosen = 0, {"OSCOPE_MUTANT": str(number)}
        for command, test, seconds, names in self._groups(number, likely):
            reaching += len(names)
            time_out = max(LEAST_TIME_OUT, 8 * seconds)
            bad, _, last_begun = run(command, test, time_out, chosen)
            if bad and test.gtest is None:
                bad, _, last_begun = run(command, test, time_out, chosen)
            if bad:
                return last_begun or names[0], reaching
        return "", reaching

    def run_all(self, mutants, seed, on_result, likely=lambda mutant: ""):
        order = list(mutants)
        random.Random(seed).shuffle(order)
        lock = threading.Lock()

        def one(mutant):
            begin = time.monotonic()
            noticed, reaching = self.notice(mutant.number, likely(mutant))
            with lock:
                on_result(mutant, noticed, reaching, time.monotonic() - begin)

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(one, order))
