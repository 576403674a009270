// Python tracebacks: chained exceptions, exception groups, syntax errors, unittest's output and
// faulthandler's dumps.
//
//   Traceback (most recent call last):
//     File "/src/app.py", line 9, in <module>
//       main()
//   ValueError: no bean
//
// A method is its module (the file's base name, or the package's for __init__.py) and function:
// "app.<module>". Of a chain ("During handling of the above exception, …") the trace is the first
// exception's stack, continued outwards with the frames of the exceptions that followed. The
// members of an exception group are further stacks on threads 1, 2, ….
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& PythonImporter();

}  // namespace oscope
