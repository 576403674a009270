// Runs for the tests of .osct, and files made of them.
#pragma once

#include <random>
#include <string>

#include "tracer/format/osct_reader.h"
#include "tracer/format/osct_writer.h"
#include "tracer/model/run_sink.h"

namespace oscope {

struct Sample {
  std::vector<Bug> bugs;
  std::vector<Run> runs;
  SymbolTable symbols;
  std::vector<Attachment> attachments;
};

// The smallest file worth showing: one run, one trace, two events. docs/formats/osct.md explains its bytes.
Sample TinySample();
// Every field and every list is used somewhere.
Sample FullSample();
// Attachments of the bug and the runs of FullSample: two with the same bytes, an empty one, and a kind that nobody knows.
std::vector<Attachment> SomeAttachments();
// The same without what version 1 does not have.
Sample SampleOfVersion1();
// FullSample without the long trace, for tests that read a file thousands of times.
Sample ShortSample();
Sample RandomSample(std::mt19937_64& random);
// Every member that says how a run was made; the samples have none of it.
Repeat FullRepeat();

Status Send(const Sample& sample, RunSink& sink);
std::string Write(const Sample& sample, OsctWriterOptions options = {});
// A block ends after every call, so that there is a place to cut at everywhere.
std::string WriteInManyBlocks(const Sample& sample, OsctWriterOptions options = {});

struct ReadBack {
  Status status;
  OsctReadReport report;
  RunCollector content;
};
ReadBack Read(std::string_view bytes, bool recover = false);

// Empty when they say the same, else the first difference.
std::string Difference(const Sample& expected, const RunCollector& found);
std::string TraceDifference(const Trace& a, const SymbolTable& a_symbols, const Trace& b, const SymbolTable& b_symbols);

// A file with a sound outside: `raw` as its one plain block of records, and a trailer that counts nothing.
std::string Seal(std::string_view raw);
// Puts right the checksums of a file whose blocks were changed.
std::string Reseal(std::string file);

}  // namespace oscope
