// ReadOsct: reads an .osct file (osct_format.h) and pushes what it says into a RunSink.
//
// Memory: a block and the distinct symbols, whatever the file's size.
// Trust:  a stranger's bytes. Every length and count is checked before it is used; all that is delivered is valid in
//         the model's sense. The trailer comes last: what a sink was given is valid only when ReadOsct returns without
//         an error.
#pragma once

#include <string>

#include "tracer/format/byte_source.h"
#include "tracer/format/osct_format.h"
#include "tracer/model/run_sink.h"

namespace oscope {

struct OsctReadOptions {
  // Takes the whole records of a file that is cut or damaged, up to the damage: whole runs as they are, then the run
  // that is open there as incomplete, with the trace that is open there as partial. Reads the source twice, so it must
  // be one that can be rewound.
  bool recover = false;
  uint64_t max_symbol_bytes = 1ull << 30;  // what the symbols of a file may take in memory
};

struct OsctReadReport {
  osct::Totals delivered;
  bool whole = true;
  std::string lost;  // for people: where the file broke off and what that left unfinished; empty when it is whole
};

// kInvalid: not an .osct file; kUnsupported: a version or kind of a later release; kLimit; kCorrupt: cut or damaged;
// kIo; or the sink's error. With `recover` only the file's header, the source and the sink can make it fail.
Result<OsctReadReport> ReadOsct(ByteSource& source, RunSink& sink, const OsctReadOptions& options = {});

}  // namespace oscope
