// Runs as collapsed stacks, for flame graphs: a line "main;parse;read 3" for every call path, with the number of events
// on it.
//
// All runs are counted together, paths in the order in which they first occur. A semicolon or line break inside a name
// becomes a comma or a space, since the format has no escape.
// Memory: a node for every distinct path. Threads: one.
#pragma once

#include <map>
#include <unordered_map>

#include "tracer/export/buffered_output.h"
#include "tracer/export/call_sink.h"

namespace oscope {

class CollapsedStackWriter : public CallSink {
 public:
  // Every line repeats its whole path, so that deeper ones would fill a disk.
  static constexpr size_t kMaxPathFrames = 10'000;

  explicit CollapsedStackWriter(WritableFile& file) : output_(file) {}

  // Writes all lines. Call it once, after the last run.
  Status Finish();

 protected:
  Status BeginThread(const TraceHeader& trace) override;
  Status Enter(SymbolId symbol, uint64_t at) override;  // kLimit when the path is too deep
  Status Leave(SymbolId symbol, uint64_t at) override;
  Status EndThread(uint64_t at) override;

 private:
  struct Node {
    uint32_t parent;
    uint32_t name;
    uint64_t events;
  };
  uint32_t NameOf(SymbolId symbol);

  BufferedOutput output_;
  std::unordered_map<std::string, uint32_t> name_ids_;
  std::vector<std::string> names_;
  std::vector<Node> nodes_ = {{0, 0, 0}};                       // the first is the root, which has no name
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> children_;  // (parent, name) -> node
  std::vector<uint32_t> path_ = {0};
  uint32_t newest_ = 0;  // the node entered last
};

}  // namespace oscope
