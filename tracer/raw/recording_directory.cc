// Reads the processes of a recording in the order in which they began. A forked process knows the sites of its parent
// up to the fork, so a parent's table is kept even if the parent itself is still running and left out.
//
// A process without its closing record either runs or was killed. After we have seen that it does not run, its file is
// opened once more: it may have written between our first look and its end.
#include "tracer/raw/recording_directory.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>

#include "base/file_system.h"

namespace oscope::raw {
namespace {

constexpr uint64_t kMaxSitesBytes = uint64_t{1} << 30;

Result<OscRawControl> ReadControl(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(const std::string bytes,
                          ReadWholeFile(PosixFileSystem(), path + "/control", OSC_RAW_CONTROL_BYTES));
  OscRawControl control = {};
  if (bytes.size() < sizeof control) return Corrupt("{}/control: {} bytes", path, bytes.size());
  std::memcpy(&control, bytes.data(), sizeof control);
  if (control.magic != OSC_RAW_CONTROL_MAGIC) return Corrupt("{}/control: bad magic", path);
  return control;
}

// One that has ended and waits for its parent to ask does not run.
bool IsRunning(uint32_t pid) {
  const auto is_there = [&] { return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno != ESRCH; };
  if (!is_there()) return false;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  if (!std::getline(file, stat)) return is_there();
  // "PID (NAME) STATE …", where the name may be anything.
  const size_t state = stat.rfind(") ") + 2;
  return state < 2 || state >= stat.size() || (stat[state] != 'Z' && stat[state] != 'X');
}

struct OpenedProcess {
  ProcessRecording events;
  bool running = false;
};

Result<OpenedProcess> OpenProcess(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(ProcessRecording events, ProcessRecording::Open(path));
  if (events.finished()) return OpenedProcess{std::move(events)};
  if (IsRunning(events.header().pid)) return OpenedProcess{std::move(events), true};
  // It may have written more before it ended.
  OSCOPE_ASSIGN_OR_RETURN(events, ProcessRecording::Open(path));
  return OpenedProcess{std::move(events)};
}

}  // namespace

Status RecordingDirectory::Prepare(const std::string& path, uint32_t process_limit) {
  std::string bytes(OSC_RAW_CONTROL_BYTES, '\0');
  OscRawControl control = {};
  control.magic = OSC_RAW_CONTROL_MAGIC;
  control.process_limit = process_limit;
  std::memcpy(bytes.data(), &control, sizeof control);
  OSCOPE_ASSIGN_OR_RETURN(const auto file, PosixFileSystem().Create(path + "/control"));
  OSCOPE_RETURN_IF_ERROR(file->Append(bytes));
  return file->Close();
}

std::vector<uint32_t> RecordingDirectory::ProcessIds(const std::string& path) {
  const Result<OscRawControl> control = ReadControl(path);
  if (!control.ok()) return {};
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < std::min<uint32_t>(control->processes, OSC_RAW_CONTROL_PIDS); ++i) {
    if (control->pids[i] != 0) ids.push_back(control->pids[i]);
  }
  return ids;
}

std::vector<uint32_t> RecordingDirectory::RunningProcesses(const std::string& path) {
  std::vector<uint32_t> ids = ProcessIds(path);
  std::erase_if(ids, [](uint32_t id) { return !IsRunning(id); });
  return ids;
}

Result<RecordingDirectory> RecordingDirectory::Read(const std::string& path) {
  RecordingDirectory directory;
  OSCOPE_ASSIGN_OR_RETURN(const OscRawControl control, ReadControl(path));
  directory.started = control.processes;
  directory.limit = control.process_limit;
  std::map<uint32_t, const SiteTable*> tables;
  std::deque<SiteTable> of_running;  // their children begin with them
  const uint32_t recorded = std::min(control.processes, control.process_limit);
  directory.processes.reserve(recorded);
  for (uint32_t ordinal = 0; ordinal < recorded; ++ordinal) {
    const std::string base = path + "/" + std::to_string(ordinal);
    Result<OpenedProcess> process = OpenProcess(base + ".events");
    // A process that was killed, or found the disk full, before its first chunk.
    if (!process.ok() && (process.error().code == ErrorCode::kNotFound || process.error().code == ErrorCode::kCorrupt))
      continue;
    if (!process.ok()) return std::move(process).error();
    SiteTable sites;
    const OscRawHeader& header = process->events.header();
    if (const auto parent = tables.find(header.parent); parent != tables.end()) {
      sites = parent->second->Head(header.parent_sites, header.parent_objects);
    }
    const Result<std::string> text = ReadWholeFile(PosixFileSystem(), base + ".sites", kMaxSitesBytes);
    if (text.ok()) {
      if (Status status = sites.Add(*text); !status.ok()) return std::move(status).error().Within(base);
    } else if (text.error().code != ErrorCode::kNotFound) {
      return text.error();
    }
    if (process->running) {
      ++directory.running;
      tables[ordinal] = &of_running.emplace_back(std::move(sites));
      continue;
    }
    directory.processes.push_back({ordinal, std::move(process->events), std::move(sites)});
    tables[ordinal] = &directory.processes.back().sites;
  }
  return directory;
}

}  // namespace oscope::raw
