#include "tracer/raw/recording_directory.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/file_system.h"

namespace oscope::raw {
namespace {

constexpr uint64_t kMaxSitesBytes = uint64_t{1} << 30;

Result<OscRawControl> ReadControl(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(PosixFileSystem(), path + "/control", OSC_RAW_CONTROL_BYTES));
  OscRawControl control = {};
  if (bytes.size() < sizeof control) return Corrupt("{}/control: {} bytes", path, bytes.size());
  std::memcpy(&control, bytes.data(), sizeof control);
  if (control.magic != OSC_RAW_CONTROL_MAGIC) return Corrupt("{}/control: bad magic", path);
  return control;
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

Result<RecordingDirectory> RecordingDirectory::Read(const std::string& path) {
  RecordingDirectory directory;
  OSCOPE_ASSIGN_OR_RETURN(const OscRawControl control, ReadControl(path));
  directory.started = control.processes;
  directory.limit = control.process_limit;
  std::map<uint32_t, const SiteTable*> tables;
  const uint32_t recorded = std::min(control.processes, control.process_limit);
  directory.processes.reserve(recorded);
  for (uint32_t ordinal = 0; ordinal < recorded; ++ordinal) {
    const std::string base = path + "/" + std::to_string(ordinal);
    Result<ProcessRecording> events = ProcessRecording::Open(base + ".events");
    // A process that was killed, or found the disk full, before its first chunk.
    if (!events.ok() && (events.error().code == ErrorCode::kNotFound || events.error().code == ErrorCode::kCorrupt)) continue;
    if (!events.ok()) return std::move(events).error();
    SiteTable sites;
    const OscRawHeader& header = events->header();
    if (const auto parent = tables.find(header.parent); parent != tables.end()) {
      sites = parent->second->Head(header.parent_sites, header.parent_objects);
    }
    const Result<std::string> text = ReadWholeFile(PosixFileSystem(), base + ".sites", kMaxSitesBytes);
    if (text.ok()) {
      if (Status status = sites.Add(*text); !status.ok()) return std::move(status).error().Within(base);
    } else if (text.error().code != ErrorCode::kNotFound) {
      return text.error();
    }
    directory.processes.push_back({ordinal, *std::move(events), std::move(sites)});
    tables[ordinal] = &directory.processes.back().sites;
  }
  return directory;
}

}  // namespace oscope::raw
