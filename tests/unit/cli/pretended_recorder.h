// A recorder that runs the command as it is, and leaves a recording that was written beforehand: main and work::f(), if
// not said otherwise.
#pragma once

#include <cstring>
#include <fstream>
#include <functional>

#include "tests/unit/raw/raw_bytes.h"
#include "tracer/record/recorder.h"

namespace oscope {

class PretendedRecorder : public Recorder {
 public:
  std::string_view name() const override { return "pretended"; }
  std::vector<std::string> CommandLine(const std::string& directory,
                                       const std::vector<std::string>& command) const override {
    raw::RawBytes bytes;
    record(bytes);
    const std::span<const std::byte> file = bytes.File(OSC_RAW_FINISHED);
    std::string events(reinterpret_cast<const char*>(file.data()), file.size());
    OscRawHeader header;
    std::memcpy(&header, events.data(), sizeof header);
    header.process = 0;
    header.pid = 100'000'000;  // above what any system gives
    header.parent = OSC_RAW_NO_PROCESS;
    header.origin = OSC_RAW_STARTED;
    std::memcpy(events.data(), &header, sizeof header);
    Write(directory + "/0.events", events);
    Write(directory + "/0.sites",
          "site 0 m - 1000 main\nsite 1 m - 2000 _ZN4work1fEv\nsite 2 c - 2001 _ZN4work1fEv\nsite 3 c - 1001 main\n");
    OscRawControl control{};
    control.magic = OSC_RAW_CONTROL_MAGIC;
    control.process_limit = 8;
    control.processes = 1;
    std::string text(OSC_RAW_CONTROL_BYTES, '\0');
    std::memcpy(text.data(), &control, sizeof control);
    Write(directory + "/control", text);
    return command;
  }
  std::vector<std::string> Environment() const override { return {}; }
  std::string Complaint(const std::string&) const override { return complaint; }

  std::string complaint;
  std::function<void(raw::RawBytes&)> record = [](raw::RawBytes& bytes) { bytes.Entry(0, 900).Entry(1, 800); };

 private:
  static void Write(const std::string& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }
};

}  // namespace oscope
