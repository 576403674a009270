"""A project whose tests fail in all ways (project/), for the tests of this folder."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
DEADLINE_SECONDS = 300


def run(*command, check=False, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE_SECONDS, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


class Project(unittest.TestCase):
    """The project, made once for all tests of a class; each test has a store of its own."""
    oscope_path = None
    programs = None  # where its programs have been built already
    is_built_here = False

    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.TemporaryDirectory(prefix="oscope-harness-")
        cls.addClassCleanup(cls.top.cleanup)
        cls.root = pathlib.Path(cls.top.name) / "sample"
        cls.copy, cls.build = cls.root / "src", cls.root / "build"
        shutil.copytree(HERE / "project", cls.copy)
        # Where the programs' lines are.
        cls.source = cls.copy if cls.is_built_here else HERE / "project"
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("OSCOPE_", "GTEST_", "CTEST_")) and name != "NO_COLOR"}
        cls.environment = {**environment, "GIT_CEILING_DIRECTORIES": cls.top.name}
        built = [] if cls.is_built_here else [f"-DPREBUILT={cls.programs}"]
        run("cmake", "-S", cls.copy, "-B", cls.build, "-DCMAKE_BUILD_TYPE=Debug", *built, check=True)
        if cls.is_built_here:
            run("cmake", "--build", cls.build, "-j2", check=True)
        cls.cases = cls.build / "cases" if cls.is_built_here else cls.programs / "cases"

    def setUp(self):
        shutil.rmtree(self.root / ".oscope", ignore_errors=True)
        for path in self.build.glob("*.count"):
            path.unlink()
        self.oscope("init", "--quiet", check=True)

    def oscope(self, *arguments, **options):
        options.setdefault("cwd", self.root)
        return run(self.oscope_path, *arguments, env=self.environment, **options)

    def report_of(self, *arguments, tests="", options=()):
        """The report of `oscope test` over the tests that match."""
        done = self.oscope("test", "--project", "Sample", "--json", *options, "--", "ctest", "--test-dir", self.build, "-R", tests, *arguments)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            raise AssertionError(f"{done.returncode}\n{done.stdout}\n{done.stderr}") from None
        self.assertEqual(report["exit_code"], done.returncode)
        return report

    def only(self, report):
        self.assertEqual(len(report["tests"]), 1, report)
        return report["tests"][0]

    def bug(self, name):
        return json.loads(self.oscope("show", "bug", name, "--json", check=True).stdout)

    def stored(self, result):
        """The run of a result, as it is stored."""
        return json.loads(self.oscope("show", "run", result["run"], "--json", check=True).stdout)

    def count(self, what):
        return int(self.oscope("list", what, "--count", check=True).stdout)
