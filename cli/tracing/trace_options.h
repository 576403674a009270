// The options that choose what is recorded: --granularity, --objects, --include, --exclude, --chop, --limit, --threads,
// --values, … `trace`, `test` and `same` have them alike. Under them lies the [trace] table of the nearest oscope.toml.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tracer/record/recorder.h"
#include "tracer/record/trace_settings.h"

namespace oscope::cli {

class Options;

class TraceOptions {
 public:
  void Register(Options& options);
  Result<TraceSettings> Settings() const;
  bool has_chops() const { return !chops_.empty(); }
  Result<std::unique_ptr<Recorder>> FindRecorder() const;  // --recorder, oscope.toml, or what is there

 private:
  std::optional<std::string> granularity_, recorder_, limit_, threads_;
  std::vector<std::string> objects_, include_, exclude_, chops_, values_;
  uint32_t processes_ = kDefaultProcessLimit;
  bool all_ = false, operands_ = false;
};

}  // namespace oscope::cli
