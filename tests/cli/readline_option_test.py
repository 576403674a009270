"""The build's option OSCOPE_READLINE: readline is used where it is wanted and there, and never needed.

Usage: readline_option_test.py CMAKE MODULE_DIRECTORY
"""
import os
import subprocess
import sys
import tempfile
import unittest

CMAKE, MODULES = sys.argv[1], sys.argv[2]

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(tried LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "{modules}")
find_package(PkgConfig REQUIRED)
set(CMAKE_FIND_LIBRARY_PREFIXES lib)
set(CMAKE_FIND_LIBRARY_SUFFIXES .so)
include(OscopeReadline)
if(TARGET PkgConfig::readline)
  message(STATUS "with readline")
else()
  message(STATUS "without readline")
endif()
"""

PC_FILE = """
Name: Readline
Description: a readline that is there
Version: 8.2
Libs: -lreadline
"""


class ReadlineOption(unittest.TestCase):
    def configure(self, *options, is_there):
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "CMakeLists.txt"), "w") as project:
                project.write(PROJECT.format(modules=MODULES))
            packages = os.path.join(directory, "packages")
            os.mkdir(packages)
            if is_there:
                with open(os.path.join(packages, "readline.pc"), "w") as package:
                    package.write(PC_FILE)
            done = subprocess.run([CMAKE, "-S", directory, "-B", os.path.join(directory, "build"), *options],
                                  env={**os.environ, "PKG_CONFIG_LIBDIR": packages, "PKG_CONFIG_PATH": ""},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)
            return done.stdout

    def test_it_is_used_where_it_is_there(self):
        output = self.configure(is_there=True)
        self.assertIn("with readline", output)
        self.assertNotIn("was not found", output)

    def test_where_it_is_not_there_one_line_says_so(self):
        output = self.configure(is_there=False)
        self.assertIn("without readline", output)
        self.assertEqual([line for line in output.splitlines() if "GNU readline" in line],
                         ["-- GNU readline was not found (Debian: libreadline-dev): the shell is built without it and "
                          "reads plain lines"])

    def test_where_it_is_not_wanted_it_is_not_looked_for(self):
        for is_there in (True, False):
            output = self.configure("-DOSCOPE_READLINE=OFF", is_there=is_there)
            self.assertIn("without readline", output)
            self.assertNotIn("GNU readline", output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
