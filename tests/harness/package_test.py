#!/usr/bin/env python3
"""The CMake package of an installed oscope: a project that switches tracing of its tests on.

usage: package_test.py BUILD_DIRECTORY [unittest arguments]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cases  # noqa: E402

BUILD = None
DEADLINE_SECONDS = 300

PROJECT = """cmake_minimum_required(VERSION 3.20)
project(user C)
enable_testing()
{before}
find_package(oscope REQUIRED)
{after}
add_executable(good good.c)
add_executable(bad bad.c)
add_test(NAME good COMMAND good)
add_test(NAME bad COMMAND bad)
add_test(NAME other COMMAND "${{CMAKE_COMMAND}}" -E echo hello)
message(STATUS "launcher=${{CMAKE_TEST_LAUNCHER}}")
"""
GOOD = "static int twice(int x) { return 2 * x; }\nint main(void) { return twice(0); }\n"
BAD = "#include <assert.h>\nstatic int twice(int x) { return 2 * x; }\nint main(void) { assert(twice(2) == 5); return 0; }\n"


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.TemporaryDirectory(prefix="oscope-package-")
        cls.addClassCleanup(cls.top.cleanup)
        cls.prefix = pathlib.Path(cls.top.name) / "prefix"
        cls.environment = {**os.environ, "HOME": cls.top.name, "GIT_CEILING_DIRECTORIES": cls.top.name}
        cls.run_in(cls.top.name, "cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.oscope = cls.prefix / "bin" / "oscope"

    @classmethod
    def run_in(cls, directory, *command, check=True):
        done = subprocess.run([str(word) for word in command], cwd=directory, env=cls.environment, capture_output=True, text=True,
                              timeout=DEADLINE_SECONDS)
        if check and done.returncode != 0:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def project(self, *options, before="", after="", store=True):
        """A configured and built project; what cmake said."""
        self.root = pathlib.Path(tempfile.mkdtemp(dir=self.top.name))
        (self.root / "CMakeLists.txt").write_text(PROJECT.format(before=before, after=after))
        (self.root / "good.c").write_text(GOOD)
        (self.root / "bad.c").write_text(BAD)
        if store:
            self.run_in(self.root, self.oscope, "init", "--quiet")
        done = self.run_in(self.root, "cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_PREFIX_PATH={self.prefix}", *options)
        self.run_in(self.root, "cmake", "--build", "build")
        return done

    def commands(self):
        listing = json.loads(self.run_in(self.root, "ctest", "--test-dir", "build", "--show-only=json-v1").stdout)
        return {test["name"]: test["command"] for test in listing["tests"]}

    def runs(self):
        found = json.loads(self.run_in(self.root, self.oscope, "list", "runs", "--json").stdout)["runs"]
        return sorted(run["outcome"] for run in found)

    def test_off_unless_asked_for(self):
        self.project()
        self.assertEqual(len(self.commands()["bad"]), 1)
        self.run_in(self.root, "ctest", "--test-dir", "build", check=False)
        self.assertEqual(self.runs(), [])

    def test_on(self):
        self.project("-DOSCOPE_TRACE_TESTS=ON", "-DOSCOPE_TRACE_OPTIONS=--project;User")
        commands = self.commands()
        self.assertEqual(commands["bad"][:5], [str(self.oscope), "trace", "--project", "User", "--"])
        self.assertNotIn(str(self.oscope), commands["other"])  # no program of the project
        done = self.run_in(self.root, "ctest", "--test-dir", "build", check=False)
        self.assertEqual(done.returncode, 8)
        self.assertIn("67% tests passed", done.stdout)
        self.assertEqual(self.runs(), ["passed", "signal"])

        # `oscope test` does not record through two tracers.
        done = self.run_in(self.root, self.oscope, "test", "--project", "User", "--json", "--", "ctest", "--test-dir", "build", check=False)
        only, = json.loads(done.stdout)["tests"]
        self.assertEqual((only["test"], only["verdict"]), ("bad", "recorded"))
        run = json.loads(self.run_in(self.root, self.oscope, "show", "run", only["run"], "--json").stdout)
        self.assertEqual([pathlib.Path(word).name for word in run["command"]], ["bad"])

    def test_options_of_the_project_and_another_emulator(self):
        self.project("-DOSCOPE_TRACE_TESTS=ON", before="set(CMAKE_CROSSCOMPILING_EMULATOR env X=1)",
                     after="oscope_trace_tests(--granularity statement)")
        self.assertEqual(self.commands()["bad"][:7], [str(self.oscope), "trace", "--granularity", "statement", "--", "env", "X=1"])

    def test_later_versions_of_cmake(self):
        """CMake 3.29 has another variable; its number is pretended here, since the package decides by it."""
        done = self.project("-DOSCOPE_TRACE_TESTS=ON", before="set(CMAKE_VERSION 3.29.0)")
        self.assertIn(f"launcher={self.oscope};trace;--\n", done.stdout)

    def test_without_a_store_it_warns(self):
        done = self.project("-DOSCOPE_TRACE_TESTS=ON", store=False)
        self.assertIn("oscope init", done.stderr)


if __name__ == "__main__":
    BUILD = str(pathlib.Path(sys.argv[1]).resolve())
    cases.require("cmake", "ctest", "cc", "valgrind")
    cases.run(sys.argv[2:])
