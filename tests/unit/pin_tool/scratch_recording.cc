#include "tests/unit/pin_tool/scratch_recording.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "tracer/raw/process_recording.h"

namespace oscope::pin {
namespace {

struct Printer {
  std::string text;
  uint32_t thread = 0;
  void OnThread(uint32_t now) { thread = now; }
  void OnEntry(uint32_t site, uint32_t sp) { text += fmt::format("{} entry {} {}\n", thread, site, sp); }
  void OnBranch(uint32_t site, bool taken) { text += fmt::format("{} branch {} {}\n", thread, site, taken); }
  void OnStatement(uint32_t site) { text += fmt::format("{} statement {}\n", thread, site); }
  void OnInstruction(uint32_t site) { text += fmt::format("{} instruction {}\n", thread, site); }
  void OnExtended(raw::ExtendedRecord& record) {
    text += fmt::format("{} extended {}\n", thread, static_cast<int>(record.type()));
  }
};

}  // namespace

ScratchRecording::ScratchRecording(uint32_t process_limit, uint32_t ring_chunks)
    : path_((std::filesystem::temp_directory_path() / "oscope_pin_XXXXXX").string()), ring_chunks_(ring_chunks) {
  EXPECT_NE(::mkdtemp(path_.data()), nullptr);
  std::string control(OSC_RAW_CONTROL_BYTES, '\0');
  const OscRawControl head = {
      .magic = OSC_RAW_CONTROL_MAGIC, .process_limit = process_limit, .processes = 0, .pids = {}};
  control.replace(0, sizeof head, reinterpret_cast<const char*>(&head), sizeof head);
  std::ofstream(path_ + "/control", std::ios::binary) << control;
}

ScratchRecording::~ScratchRecording() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchRecording::Events(uint32_t process) const {
  const Result<raw::ProcessRecording> recording =
      raw::ProcessRecording::Open(fmt::format("{}/{}.events", path_, process));
  if (!recording.ok()) return recording.error().message;
  Printer printer;
  const uint64_t broken = recording->Visit(printer);
  EXPECT_EQ(broken, 0u);
  EXPECT_EQ(recording->damaged(), 0u);
  return printer.text;
}

}  // namespace oscope::pin
