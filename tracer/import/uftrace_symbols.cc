// The symbol files and memory maps of uftrace. An address is looked up in the mapped objects first, then in libraries
// that were loaded later, the latest first, since a library may be mapped where another one was.
#include "tracer/import/uftrace_symbols.h"

#include <algorithm>

#include "tracer/import/text_lines.h"
#include "tracer/model/demangle.h"

namespace oscope {
namespace {

std::string_view ConsumeWord(std::string_view& text) {
  text = Trim(text);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

UftraceSymbolFile::UftraceSymbolFile(std::string_view text) {
  for (std::string_view line : SplitLines(text)) {
    if (Consume(line, "# path name: ")) {
      path_ = line;
    } else if (Consume(line, "# build-id: ")) {
      build_id_ = line;
    }
    const auto address = ConsumeHexDigits(line);
    // "ADDRESS T NAME"
    if (!address || line.size() < 4 || line[0] != ' ' || line[2] != ' ') continue;
    symbols_.push_back({*address, line[1], line.substr(3)});
  }
  std::ranges::stable_sort(symbols_, {}, &Symbol::address);
}

const UftraceSymbolFile::Symbol* UftraceSymbolFile::Find(uint64_t address) const {
  const auto after = std::ranges::upper_bound(symbols_, address, {}, &Symbol::address);
  if (after == symbols_.begin()) return nullptr;
  // Markers of an end ('?') and data may share a function's address.
  for (auto at = std::prev(after); at->address == std::prev(after)->address; --at) {
    if (std::string_view("TtWwP").find(at->type) != std::string_view::npos) return &*at;
    if (at == symbols_.begin()) break;
  }
  return nullptr;
}

UftraceSession::UftraceSession(std::string_view map, const std::vector<UftraceSymbolFile>& symbols, bool relative)
    : files_(symbols), relative_(relative) {
  for (std::string_view line : SplitLines(map)) {
    // START-END PROTECTION OFFSET DEVICE INODE PATH [build-id:ID]
    Object object;
    const auto start = ConsumeHexDigits(line);
    if (!start || !Consume(line, "-")) continue;
    const auto end = ConsumeHexDigits(line);
    if (!end) continue;
    for (int i = 0; i < 4; ++i) ConsumeWord(line);
    line = Trim(line);
    if (const size_t id = line.rfind(" build-id:"); id != std::string_view::npos) {
      object.build_id = line.substr(id + 10);
      line = Trim(line.substr(0, id));
    }
    if (line.empty() || line[0] == '[') continue;
    // Symbols count from an object's first mapping.
    if (!objects_.empty() && objects_.back().path == line) {
      objects_.back().end = *end;
      continue;
    }
    object.start = *start;
    object.end = *end;
    object.path = line;
    object.symbols = SymbolsOf(object.path, object.build_id);
    objects_.push_back(std::move(object));
  }
}

void UftraceSession::AddLibrary(uint64_t base, std::string_view path) {
  libraries_.push_back({base, ~uint64_t{0}, std::string(path), "", SymbolsOf(std::string(path), "")});
}

StackFrame UftraceSession::FrameAt(uint64_t address) const {
  StackFrame frame;
  const auto take = [&](const Object& object) {
    if (address < object.start || address >= object.end || object.symbols == nullptr) return false;
    const auto* symbol = object.symbols->Find(relative_ ? address - object.start : address);
    if (symbol == nullptr) return false;
    frame.name = symbol->name;
    std::string signature = Demangled(symbol->name);
    if (signature != symbol->name) frame.attributes.signature = std::move(signature);
    // A stub's function lies in another object.
    if (symbol->type != 'P') {
      frame.attributes.object = object.path;
      frame.attributes.build_id = object.build_id;
    }
    return true;
  };
  if (std::ranges::any_of(objects_, take)) return frame;
  // The one opened last, of those that begin below.
  if (std::any_of(libraries_.rbegin(), libraries_.rend(), take)) return frame;
  for (const Object& object : objects_) {
    if (address >= object.start && address < object.end) frame.attributes.object = object.path;
  }
  return frame;
}

const UftraceSymbolFile* UftraceSession::SymbolsOf(const std::string& path, const std::string& build_id) const {
  const UftraceSymbolFile* found = nullptr;
  for (const UftraceSymbolFile& file : files_) {
    const bool other_build = !build_id.empty() && !file.build_id().empty() && file.build_id() != build_id;
    if (file.path() != path || other_build) continue;
    if (found == nullptr || file.build_id() == build_id) found = &file;
  }
  return found;
}

}  // namespace oscope
