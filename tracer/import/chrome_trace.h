// The Trace Event Format of Chrome, Perfetto and uftrace (`uftrace dump --chrome`), as JSON.
//
//   {"traceEvents":[{"ph":"B","pid":1,"tid":1,"ts":0,"name":"main"},{"ph":"X","pid":1,"tid":1,"ts":2,"dur":5,"name":"read"}]}
//
// A text, an array of events or an object that holds one, is one run with an execution trace for
// each thread: the entries (B, X) in the order of `ts`, with their depths. An E without its B is a
// problem, a B without its E is where the program ended. Of metadata, thread_name and process_name
// are taken; all other kinds of event are left out. Processes and threads are numbered by their
// first entry, the thread whose id is the process's first.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& ChromeTraceImporter();

}  // namespace oscope
