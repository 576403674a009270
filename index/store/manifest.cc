// Manifests as JSON: readable with any tool when something is wrong, and small enough (about a kilobyte for each
// segment) that a binary form would save little. The last line is a SHA-256 of everything before it, so that a torn or
// edited file is recognised before it is parsed.
//
// The decoder remembers its first error and goes on with defaults, so that the code reads like the list of fields; the
// error is asked for once at the end. Texts that become parts of file names must be hexadecimal, so that a hostile
// manifest cannot name a file outside the store.
//
// A table of an unknown name is an error in a manifest of our own format. In one of a newer format that says this
// release may read it, such tables are passed over.
#include "index/store/manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tracer/model/bug_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope {

using Json = nlohmann::ordered_json;

std::string_view TableName(Table table) {
  switch (table) {
    case Table::kTraces: return "traces";
    case Table::kRuns: return "runs";
    case Table::kSymbols: return "symbols";
    case Table::kBugs: return "bugs";
    case Table::kAttachments: return "attachments";
  }
  return "?";
}

uint32_t TableVersion(Table table) {
  switch (table) {
    case Table::kTraces: return 2;  // scope, scopes
    case Table::kRuns: return TableVersionOf(kRunFields, 1);
    case Table::kSymbols: return 2;                           // scope
    case Table::kBugs: return TableVersionOf(kBugFields, 2);  // by, why, of the revision
    case Table::kAttachments: return 1;
  }
  return 1;
}

bool SegmentEntry::IsOlder() const {
  return std::any_of(tables.begin(), tables.end(),
                     [](const TableFile& file) { return file.version < TableVersion(file.table); });
}

const TableFile* SegmentEntry::Find(Table table) const {
  for (const TableFile& file : tables) {
    if (file.table == table) return &file;
  }
  return nullptr;
}

uint64_t SegmentEntry::bytes() const {
  uint64_t sum = 0;
  for (const TableFile& file : tables) sum += file.size;
  return sum;
}

namespace {
template <typename Member>
uint64_t Sum(const Manifest& manifest, Member member) {
  uint64_t sum = 0;
  for (const SegmentEntry& segment : manifest.segments) sum += member(segment);
  return sum;
}
}  // namespace

std::vector<std::string> IdsOf(const std::vector<SegmentEntry>& segments) {
  std::vector<std::string> ids;
  for (const SegmentEntry& segment : segments) ids.push_back(segment.id);
  return ids;
}

uint64_t BytesOf(const std::vector<SegmentEntry>& segments) {
  uint64_t bytes = 0;
  for (const SegmentEntry& segment : segments) bytes += segment.bytes();
  return bytes;
}

uint64_t Manifest::bytes() const {
  return Sum(*this, [](const SegmentEntry& s) { return s.bytes(); });
}
uint64_t Manifest::runs() const {
  return Sum(*this, [](const SegmentEntry& s) { return s.runs; });
}
uint64_t Manifest::traces() const {
  return Sum(*this, [](const SegmentEntry& s) { return s.traces; });
}
uint64_t Manifest::events() const {
  return Sum(*this, [](const SegmentEntry& s) { return s.events; });
}

namespace {

constexpr std::string_view kDigestPrefix = "sha256 ";

std::string HashText(uint64_t hash) { return fmt::format("{:016x}", hash); }

Json EncodeRange(const HashRange& range) { return {{"first", HashText(range.first)}, {"last", HashText(range.last)}}; }

Json EncodeSegment(const SegmentEntry& segment) {
  Json tables = Json::object();
  for (const TableFile& file : segment.tables) {
    tables[std::string(TableName(file.table))] = {{"version", file.version},
                                                  {"size", file.size},
                                                  {"rows", file.rows},
                                                  {"sha256", file.sha256},
                                                  {"footer_sha256", file.footer_sha256}};
  }
  Json json = {{"id", segment.id},           {"range", EncodeRange(segment.range)},
               {"runs", segment.runs},       {"traces", segment.traces},
               {"events", segment.events},   {"bug_revisions", segment.bug_revisions},
               {"tables", std::move(tables)}};
  if (!segment.quarantined.empty()) json["quarantined"] = segment.quarantined;
  return json;
}

std::string Seal(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return text + std::string(kDigestPrefix) + Sha256Of(text) + "\n";
}

// The first failure sticks, so that a decoder reads like the format.
class Decoder {
 public:
  const Json* Get(const Json& object, const char* name) {
    if (!object.is_object()) {
      Fail(fmt::format("an object with '{}' expected", name));
      return nullptr;
    }
    auto found = object.find(name);
    if (found == object.end()) {
      Fail(fmt::format("'{}' is missing", name));
      return nullptr;
    }
    return &*found;
  }
  uint64_t Number(const Json& object, const char* name) {
    const Json* value = Get(object, name);
    if (value == nullptr) return 0;
    if (!value->is_number_unsigned()) {
      Fail(fmt::format("'{}' must be a whole number", name));
      return 0;
    }
    return value->get<uint64_t>();
  }
  std::string Text(const Json& object, const char* name) {
    const Json* value = Get(object, name);
    if (value == nullptr) return {};
    if (!value->is_string()) {
      Fail(fmt::format("'{}' must be a text", name));
      return {};
    }
    return value->get<std::string>();
  }
  // Lower-case hexadecimal digits: such a text is safe as part of a file's name.
  std::string Hex(const Json& object, const char* name, size_t digits) {
    std::string text = Text(object, name);
    const bool good = text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!good) Fail(fmt::format("'{}' must be {} hexadecimal digits", name, digits));
    return good ? text : std::string(digits, '0');
  }
  HashRange Range(const Json& json) {
    return {std::stoull(Hex(json, "first", 16), nullptr, 16), std::stoull(Hex(json, "last", 16), nullptr, 16)};
  }
  const Json& Array(const Json& object, const char* name) {
    static const Json kEmpty = Json::array();
    const Json* value = Get(object, name);
    if (value == nullptr) return kEmpty;
    if (!value->is_array()) {
      Fail(fmt::format("'{}' must be a list", name));
      return kEmpty;
    }
    return *value;
  }
  void Fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }
  bool ok() const { return error_.empty(); }
  Status status() const {
    if (ok()) return {};
    return Corrupt("{}", error_);
  }

 private:
  std::string error_;
};

std::optional<uint64_t> OptionalNumber(Decoder& in, const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name)) return std::nullopt;
  return in.Number(json, name);
}

// Format 1 did not write it.
uint32_t DecodeTableVersion(Decoder& in, const Json& json) {
  const uint64_t version = OptionalNumber(in, json, "version").value_or(1);
  if (version == 0 || version > UINT32_MAX) in.Fail(fmt::format("a table's version cannot be {}", version));
  return static_cast<uint32_t>(version);
}

// `is_newer`: a release wrote it that has more tables.
SegmentEntry DecodeSegment(Decoder& in, const Json& json, bool is_newer) {
  SegmentEntry segment;
  segment.id = in.Hex(json, "id", 32);
  if (const Json* range = in.Get(json, "range")) segment.range = in.Range(*range);
  if (segment.range.first > segment.range.last) in.Fail("a segment's range is reversed");
  segment.runs = in.Number(json, "runs");
  segment.traces = in.Number(json, "traces");
  segment.events = in.Number(json, "events");
  segment.bug_revisions = in.Number(json, "bug_revisions");
  if (json.is_object() && json.contains("quarantined")) segment.quarantined = in.Text(json, "quarantined");
  const Json* tables = in.Get(json, "tables");
  if (tables == nullptr) return segment;
  if (!tables->is_object()) {
    in.Fail("'tables' must be an object");
    return segment;
  }
  for (int t = 0; t < kTables; ++t) {
    const auto table = static_cast<Table>(t);
    auto found = tables->find(std::string(TableName(table)));
    if (found == tables->end()) continue;
    segment.tables.push_back({table, in.Number(*found, "size"), in.Number(*found, "rows"), in.Hex(*found, "sha256", 64),
                              in.Hex(*found, "footer_sha256", 64), DecodeTableVersion(in, *found)});
  }
  if (segment.tables.size() != tables->size() && !is_newer)
    in.Fail(fmt::format("segment {} has an unknown table", segment.id));
  return segment;
}

// Checks the digest line and parses what precedes it.
Result<Json> Unseal(std::string_view text) {
  const size_t digest_line = kDigestPrefix.size() + 64 + 1;
  if (text.size() <= digest_line) return Corrupt("cut: {} bytes", text.size());
  const std::string_view body = text.substr(0, text.size() - digest_line);
  const std::string_view seal = text.substr(body.size());
  if (body.back() != '\n' || !seal.starts_with(kDigestPrefix) || seal.back() != '\n')
    return Corrupt("cut: no digest line at the end");
  if (seal.substr(kDigestPrefix.size(), 64) != Sha256Of(body)) return Corrupt("its digest does not match");
  // The format is checked first, since everything else may be different in another one.
  size_t depth = 0;
  const auto too_deep = [&depth](int, Json::parse_event_t event, Json&) {
    if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) ++depth;
    if (event == Json::parse_event_t::object_end || event == Json::parse_event_t::array_end) --depth;
    return depth < 16;
  };
  Json json = Json::parse(body, too_deep, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) return Corrupt("not a JSON object");
  return json;
}

// The format of a manifest or a group that this release can read.
Result<uint32_t> ReadableFormat(Decoder& in, const Json& json) {
  const uint64_t format = in.Number(json, "format");
  const uint64_t readable_from = OptionalNumber(in, json, "readable_from").value_or(format);
  OSCOPE_RETURN_IF_ERROR(in.status());
  if (format < kOldestStoreFormat || readable_from > kStoreFormat || format > UINT32_MAX) {
    return Unsupported(
        "store format {}: this release reads formats {} to {}; use the release that wrote it, or export from there",
        format, kOldestStoreFormat, kStoreFormat);
  }
  return static_cast<uint32_t>(format);
}

// A member that may be missing: an object, else an empty one.
const Json& OptionalObject(Decoder& in, const Json& json, const char* name) {
  static const Json kNone = Json::object();
  if (!json.is_object() || !json.contains(name)) return kNone;
  if (json[name].is_object()) return json[name];
  in.Fail(fmt::format("'{}' must be an object", name));
  return kNone;
}

std::map<std::string, std::string> Texts(Decoder& in, const Json& object) {
  std::map<std::string, std::string> texts;
  if (!object.is_object()) in.Fail("an object of texts expected");
  for (const auto& [name, text] : object.items()) {
    if (text.is_string()) {
      texts.emplace(name, text.get<std::string>());
    } else {
      in.Fail(fmt::format("'{}' must be a text", name));
    }
  }
  return texts;
}

// Sorted, disjoint, covering every hash: so each bug and run has exactly one place.
void CheckRanges(Decoder& in, const std::vector<HashRange>& ranges) {
  if (ranges.empty() || ranges.front().first != 0 || ranges.back().last != UINT64_MAX) {
    in.Fail("the ranges do not cover all hashes");
    return;
  }
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].first > ranges[i].last) in.Fail("a range is reversed");
    if (i > 0 && (ranges[i - 1].last == UINT64_MAX || ranges[i].first != ranges[i - 1].last + 1))
      in.Fail("the ranges leave a gap or overlap");
  }
}

}  // namespace

std::string EncodeManifestRoot(const Manifest& manifest) {
  Json ranges = Json::array();
  for (const HashRange& range : manifest.ranges) ranges.push_back(EncodeRange(range));
  Json groups = Json::array();
  for (const GroupEntry& group : manifest.groups) {
    groups.push_back({{"file", group.file}, {"size", group.size}, {"sha256", group.sha256}});
  }
  size_t in_groups = 0;
  for (uint32_t size : manifest.group_sizes) in_groups += size;
  Json segments = Json::array();
  for (size_t i = in_groups; i < manifest.segments.size(); ++i) segments.push_back(EncodeSegment(manifest.segments[i]));
  Json settings = Json::object();
  if (manifest.settings.max_bytes) settings["max_bytes"] = *manifest.settings.max_bytes;
  if (manifest.settings.max_runs) settings["max_runs"] = *manifest.settings.max_runs;
  if (!manifest.settings.queries.empty()) settings["queries"] = manifest.settings.queries;
  if (!manifest.settings.remembered.empty()) settings["remembered"] = manifest.settings.remembered;
  if (!manifest.settings.next_numbers.empty()) settings["next_numbers"] = manifest.settings.next_numbers;
  return Seal({{"format", kStoreFormat},
               {"readable_from", kReadableFrom},
               {"version", manifest.version},
               {"store", manifest.store_id},
               {"settings", std::move(settings)},
               {"ranges", std::move(ranges)},
               {"groups", std::move(groups)},
               {"segments", std::move(segments)}});
}

Result<Manifest> DecodeManifestRoot(std::string_view text) {
  OSCOPE_ASSIGN_OR_RETURN(const Json json, Unseal(text));
  Decoder in;
  Manifest manifest;
  OSCOPE_ASSIGN_OR_RETURN(manifest.format, ReadableFormat(in, json));
  const bool is_newer = manifest.format > kStoreFormat;
  manifest.version = in.Number(json, "version");
  manifest.store_id = in.Hex(json, "store", 32);
  if (const Json* settings = in.Get(json, "settings")) {
    manifest.settings.max_bytes = OptionalNumber(in, *settings, "max_bytes");
    manifest.settings.max_runs = OptionalNumber(in, *settings, "max_runs");
    manifest.settings.queries = Texts(in, OptionalObject(in, *settings, "queries"));
    for (const auto& [project, tests] : OptionalObject(in, *settings, "remembered").items()) {
      manifest.settings.remembered.emplace(project, Texts(in, tests));
    }
    const Json& numbers = OptionalObject(in, *settings, "next_numbers");
    for (const auto& [project, number] : numbers.items())
      manifest.settings.next_numbers.emplace(project, in.Number(numbers, project.c_str()));
  }
  for (const Json& range : in.Array(json, "ranges")) manifest.ranges.push_back(in.Range(range));
  if (in.ok()) CheckRanges(in, manifest.ranges);
  for (const Json& group : in.Array(json, "groups")) {
    manifest.groups.push_back({in.Hex(group, "file", 32), in.Number(group, "size"), in.Hex(group, "sha256", 64)});
  }
  for (const Json& segment : in.Array(json, "segments"))
    manifest.segments.push_back(DecodeSegment(in, segment, is_newer));
  OSCOPE_RETURN_IF_ERROR(in.status());
  return manifest;
}

std::string EncodeGroup(const std::vector<SegmentEntry>& segments) {
  Json list = Json::array();
  for (const SegmentEntry& segment : segments) list.push_back(EncodeSegment(segment));
  return Seal({{"format", kStoreFormat}, {"readable_from", kReadableFrom}, {"segments", std::move(list)}});
}

Result<std::vector<SegmentEntry>> DecodeGroup(std::string_view text) {
  OSCOPE_ASSIGN_OR_RETURN(const Json json, Unseal(text));
  Decoder in;
  OSCOPE_ASSIGN_OR_RETURN(const uint32_t format, ReadableFormat(in, json));
  std::vector<SegmentEntry> segments;
  for (const Json& segment : in.Array(json, "segments"))
    segments.push_back(DecodeSegment(in, segment, format > kStoreFormat));
  OSCOPE_RETURN_IF_ERROR(in.status());
  return segments;
}

}  // namespace oscope
