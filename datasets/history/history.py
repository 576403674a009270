"""The history of quill: its bugs, its tree with one of them put back, a scratch build, a git repository.

Used by `make` here and by scripts/history-accuracy.
"""
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent
PARTS = ("CMakeLists.txt", "include", "src", "tests", "tools")
TEST_SECONDS = 60


class HistoryError(Exception):
    """What a person can act on: a broken data set, a missing tool, a build that fails."""


@dataclasses.dataclass(frozen=True)
class Bug:
    number: int
    slug: str
    folder: pathlib.Path
    report: dict

    @property
    def name(self):
        return self.folder.name

    @property
    def diff(self):
        return self.folder / "fix.diff"

    @property
    def triggers(self):
        return self.report["triggers"]

    @property
    def sibling_of(self):
        """{trigger: the trigger that it is a sibling of}, as the README says what that is."""
        return self.report.get("sibling_of", {})

    def contradiction(self):
        """What in the report cannot be true, as text; empty if nothing is."""
        failures = self.report["failures"]
        if sorted(failures) != sorted(self.triggers):
            return "the report's triggers and failures differ"
        for name, other in self.sibling_of.items():
            if name not in failures or other not in failures or other in self.sibling_of:
                return f"{name} cannot be a sibling of {other}: both are triggers of the bug, the other one not a sibling itself"
            if failures[name] != failures[other]:
                return f"{name} fails in another form than {other}, whose sibling it is"
        return ""


def bugs():
    """All bugs by number."""
    found = []
    for folder in sorted((ROOT / "bugs").iterdir()):
        number, slug = folder.name.split("-", 1)
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        found.append(Bug(int(number), slug, folder, report))
    return found


def run(command, **options):
    """The finished process; its output, all in one, if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)
    if done.returncode != 0:
        raise HistoryError(f"{' '.join(str(word) for word in command)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def write_tree(directory, bug=None):
    """The fixed tree, or the tree with one bug put back. The directory is made; what is in the way is an error."""
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        if (directory / part).exists():
            raise HistoryError(f"{directory / part} is there already")
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, directory / part)
        else:
            shutil.copy2(ROOT / part, directory / part)
    if bug:
        apply(bug, directory, reverse=True)


def apply(bug, directory, reverse):
    """Fixes the bug in a tree; in reverse, puts it back."""
    direction = ["-R"] if reverse else []
    run(["patch", *direction, "-p1", "-s", "--no-backup-if-mismatch", "-d", directory, "-i", bug.diff])


def patched_files(bug):
    return re.findall(r"^\+\+\+ b/(\S+)", bug.diff.read_text(encoding="utf-8"), re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Test:
    name: str
    command: list
    directory: str


class Scratch:
    """A tree and its build below a directory, into which one bug at a time is put.

    The build of the fixed tree is kept aside and copied back for each bug, so that only what the bug changes is compiled.
    """

    def __init__(self, directory, jobs):
        self.directory = pathlib.Path(directory)
        self.tree = self.directory / "quill"
        self.build = self.directory / "build"
        self.fixed_build = self.directory / "build-fixed"
        self.jobs = jobs
        self.bug = None

    def build_fixed(self):
        write_tree(self.tree)
        ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
        run(["cmake", *ninja, "-S", self.tree, "-B", self.build])
        self._compile()
        self._copy(self.build, self.fixed_build)

    def build_with(self, bug):
        self._copy(self.fixed_build, self.build)
        if self.bug:
            # With the old time of change: the build knows these files.
            for path in patched_files(self.bug):
                shutil.copy2(ROOT / path, self.tree / path)
        self.bug = bug
        apply(bug, self.tree, reverse=True)
        self._compile()

    def tests(self):
        """All tests by name, as CTest would run them."""
        listed = json.loads(run(["ctest", "--test-dir", self.build, "--show-only=json-v1"]))
        found = {}
        for test in listed["tests"]:
            properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
            directory = properties.get("WORKING_DIRECTORY", str(self.build))
            found[test["name"]] = Test(test["name"], test["command"], directory)
        return found

    def _compile(self):
        run(["cmake", "--build", self.build, "--parallel", self.jobs])

    def _copy(self, source, target):
        shutil.rmtree(target, ignore_errors=True)
        run(["cp", "-a", source, target])


def outcome(test):
    """How a test ends: "passed", or the form of its failure as the reports have it."""
    try:
        done = subprocess.run(test.command, cwd=test.directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=TEST_SECONDS)
    except subprocess.TimeoutExpired:
        return "time-out"
    if done.returncode == 0:
        return "passed"
    if done.returncode < 0:
        return signal.Signals(-done.returncode).name
    if "[  FAILED  ]" not in done.stdout:
        return f"exit {done.returncode}"
    return "exception" if "C++ exception" in done.stdout else "expectation"


def failures(tests, passing=()):
    """{name: form} of the tests that fail. Those in `passing` are expected to pass and run in one process where they can."""
    failed = {}
    alone = [test for test in tests.values() if test.name not in passing or not gtest_filter(test)]
    together = [test for test in tests.values() if test not in alone]
    if together:
        program = together[0].command[0]
        names = ":".join(gtest_filter(test) for test in together)
        if outcome(Test("all", [program, "--gtest_filter=" + names], together[0].directory)) != "passed":
            alone += together
    for test in alone:
        form = outcome(test)
        if form != "passed":
            failed[test.name] = form
    return failed


def gtest_filter(test):
    for word in test.command:
        if word.startswith("--gtest_filter="):
            return word.split("=", 1)[1]
    return None


def table():
    """The bugs as the table of the README."""
    lines = ["| bug | place (`quill::`) | kind | triggers, and how they fail |", "|---|---|---|---|"]
    for bug in bugs():
        triggers = "<br>".join(f"{described(bug, name)}: {bug.report['failures'][name]}" for name in bug.triggers)
        place = bug.report["place"].removeprefix("quill::")
        lines.append(f"| {bug.name} | `{place}` | {bug.report['kind']} | {triggers} |")
    return "\n".join(lines) + "\n"


def described(bug, trigger):
    return f"{trigger} (sibling of {bug.sibling_of[trigger]})" if trigger in bug.sibling_of else trigger


# The git repository.

# What is added by a commit each, before the first bug: its title, and the paths.
MODULES = (
    ("text: cursor, strings, UTF-8", ("CMakeLists.txt", "include/quill/error.h", "src/error.cc", "*/text", "tests/text_test.cc")),
    ("pool: an arena, and names kept once", ("*/pool", "tests/pool_test.cc")),
    ("cache: forgets what was not used longest", ("*/cache", "tests/cache_test.cc")),
    ("json: values, parser, writer, pointers", ("*/json", "tests/json_test.cc", "tests/pointer_test.cc")),
    ("csv: reader and writer", ("*/csv", "tests/csv_test.cc")),
    ("date: the calendar, and dates as text", ("*/date", "tests/date_test.cc")),
    ("config: settings with includes and references", ("*/config", "tests/config_test.cc")),
    ("expr: expressions", ("*/expr", "tests/expr_test.cc")),
    ("table: rows, indexes, queries", ("*/table", "tests/table_test.cc")),
    ("diff: differences and patches", ("*/diff", "tests/diff_test.cc")),
    ("layout: wrapped and justified text", ("*/layout", "tests/layout_test.cc")),
    ("doc: markup, text, HTML, outlines", ("*/doc", "tests/doc_test.cc")),
    ("tools: the command quill", ("tools", "tests/tool")),
)
FIRST_DAY = 1  # of February 2021, one module a day


def module_files(patterns):
    for pattern in patterns:
        places = [pattern] if "*" not in pattern else ["include/quill" + pattern[1:], "src" + pattern[1:]]
        for place in places:
            path = ROOT / place
            if path.is_file():
                yield place
            elif path.is_dir():
                yield from (str(file.relative_to(ROOT)) for file in sorted(path.rglob("*")) if file.is_file())


def without_tests(text, names):
    """A file of tests without those of the given names: TEST(Suite, Name) {...} and tool_test(Name ...)."""
    for name in names:
        suite, case = name.split(".")
        if suite == "Tool":
            text = re.sub(rf"^tool_test\({case} .*\n", "", text, flags=re.MULTILINE)
        else:
            text = re.sub(rf"^TEST\({suite}, {case}\) \{{(?:.*\}}|\n(?:.*\n)*?\}})\n\n?", "", text, flags=re.MULTILINE)
    return text


class Repository:
    """Writes commits. A bug comes with a change of its own and goes with the fix, which brings its tests."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        if self.directory.exists() and any(self.directory.iterdir()):
            raise HistoryError(f"{self.directory} is not empty")
        self.directory.mkdir(parents=True, exist_ok=True)
        self.hidden = {trigger for bug in bugs() for trigger in bug.triggers}
        self._git("init", "-q", "-b", "main")

    def add_module(self, title, patterns, when):
        for path in module_files(patterns):
            (self.directory / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, self.directory / path)
        self._write_tests()
        self._commit(title, when)

    def introduce(self, bug):
        apply(bug, self.directory, reverse=True)
        self._commit(bug.report["introduced_by"], bug.report["introduced"] + "T10:00:00Z")

    def fix(self, bug, others):
        """`others` are the bugs not fixed yet: a test that they fail too waits for them."""
        apply(bug, self.directory, reverse=False)
        self.hidden = {trigger for other in others for trigger in other.triggers}
        self._write_tests()
        title, note = bug.report["title"], bug.report["fix"]
        self._commit(f"fix #{bug.number}: {title}\n\n{note}", bug.report["resolved"] + "T16:00:00Z")

    def check_end(self):
        for part in PARTS:
            run(["diff", "-r", ROOT / part, self.directory / part])

    def _write_tests(self):
        for path in [*self.directory.glob("tests/*_test.cc"), *self.directory.glob("tests/tool/tests.cmake")]:
            text = (ROOT / path.relative_to(self.directory)).read_text(encoding="utf-8")
            path.write_text(without_tests(text, sorted(self.hidden)), encoding="utf-8")

    def _commit(self, message, when):
        self._git("add", "-A")
        self._git("commit", "-q", "-m", message, when=when)

    def _git(self, *words, when="2021-02-01T00:00:00Z"):
        # Nothing of the machine's own settings gets in, so that the commits have the same ids everywhere.
        person = {f"GIT_{role}_{field}": value for role in ("AUTHOR", "COMMITTER")
                  for field, value in (("NAME", "quill"), ("EMAIL", "quill@example.org"), ("DATE", when))}
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        environment |= person | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        run(["git", "-C", self.directory, *words], env=environment)


def write_git(directory):
    repository = Repository(directory)
    for day, (title, patterns) in enumerate(MODULES, FIRST_DAY):
        repository.add_module(title, patterns, f"2021-02-{day:02d}T12:00:00Z")
    moments = [(bug.report["introduced"], 0, bug.number, bug) for bug in bugs()]
    moments += [(bug.report["resolved"], 1, bug.number, bug) for bug in bugs()]
    moments.sort(key=lambda moment: moment[:3])
    for place, (_, fixes, _, bug) in enumerate(moments):
        if fixes:
            repository.fix(bug, [later[3] for later in moments[place + 1:] if later[1]])
        else:
            repository.introduce(bug)
    repository.check_end()
