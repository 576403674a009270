// Java stack traces (printStackTrace, log files, JUnit's output) and thread dumps (jstack).
//
//   Exception in thread "main" java.lang.IllegalStateException: no bean
//           at org.apache.Bean.get(Bean.java:12)
//           at org.apache.Main.main(Main.java:3)
//   Caused by: java.lang.NullPointerException
//           at org.apache.Bean.load(Bean.java:40)
//           ... 1 more
//
// A trace is the stack of the root cause, its "... n more" filled in from the exception around it.
// A thread dump is one run with a stack for every thread, "main" first, and no failure mark.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& JavaImporter();

}  // namespace oscope
