// Names are looked up when a site is first asked for, and then remembered in arrays by the site's number: a recording
// has millions of events and a few thousand sites. The sites that share a function share one RecordedFunction, found by
// object and entry address, so that the rules about what is kept are asked once for each function.
//
// The recorder knows the name of some functions too. The object's own name is preferred, because it is the same for all
// recorders; but a C library has several names for one function (close, __close), and the one that the user asked
// values of wins.
#include "tracer/record/site_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/glob.h"
#include "base/limits.h"
#include "tracer/model/event.h"
#include "tracer/record/default_rules.h"
#include "tracer/symbols/linkage_name.h"

namespace oscope {
namespace {

constexpr uint32_t kNoObject = UINT32_MAX;

std::string PlaceName(const std::string& object, uint64_t address) {
  const std::string base = object.substr(object.rfind('/') + 1);
  return fmt::format("{}+{:#x}", base.empty() ? "[generated]" : base, address);
}

std::string Bounded(std::string text) {
  if (text.size() > limits::kMaxNameBytes) text.resize(limits::kMaxNameBytes);
  return text;
}

}  // namespace

ObjectFile* ObjectCache::Find(const std::string& path) {
  const auto known = objects_.find(path);
  if (known != objects_.end()) return known->second.get();
  Result<ObjectFile> opened = ObjectFile::Open(path);
  std::unique_ptr<ObjectFile> object;
  if (opened.ok()) object = std::make_unique<ObjectFile>(*std::move(opened));
  return objects_.emplace(path, std::move(object)).first->second.get();
}

SiteNames::SiteNames(const raw::SiteTable& sites, const TraceSettings& settings, std::span<const KeepRule> rules,
                     ObjectCache& objects, SymbolTable& symbols)
    : sites_(sites),
      settings_(settings),
      rules_(rules),
      objects_(objects),
      symbols_(symbols),
      events_(sites.sites.size(), kUnnamed) {}

ObjectFile* SiteNames::ObjectOf(const raw::Site& site) {
  return site.object ? objects_.Find(sites_.objects[*site.object].path) : nullptr;
}

uint32_t SiteNames::FunctionAt(const raw::Site& site) {
  RecordedFunction function;
  std::string linkage_name;
  function.entry = site.address;
  if (site.object) function.object = sites_.objects[*site.object].path;
  ObjectFile* object = ObjectOf(site);
  if (const std::optional<FunctionSymbol> symbol =
          object != nullptr ? object->FunctionAt(site.address) : std::nullopt) {
    linkage_name = symbol->linkage_name;
    function.entry = symbol->entry;
  }
  const std::pair key(site.object.value_or(kNoObject), function.entry);
  if (const auto known = function_numbers_.find(key); known != function_numbers_.end()) return known->second;
  if (linkage_name.empty()) linkage_name = site.name;
  if (linkage_name.empty()) {
    function.method = PlaceName(function.object, function.entry);
  } else {
    MethodName name = NameOf(linkage_name);
    function.method = Bounded(std::move(name.method));
    if (name.signature != function.method) function.signature = Bounded(std::move(name.signature));
  }
  // A function has several names in a library; the recorder knows the one that was asked for (close, __close).
  if (!site.name.empty() && !IsValued(function.method)) {
    if (MethodName asked = NameOf(site.name); IsValued(asked.method))
      function.method = Bounded(std::move(asked.method));
  }
  function.kept = IsKept(rules_, function.object, function.method) || IsValued(function.method);
  const auto number = static_cast<uint32_t>(functions_.size());
  functions_.push_back(std::move(function));
  function_numbers_.emplace(key, number);
  return number;
}

bool SiteNames::IsValued(const std::string& method) const {
  return std::ranges::any_of(settings_.values, [&](const std::string& glob) { return GlobFits(glob, method); });
}

uint32_t SiteNames::FunctionNumber(uint32_t site) {
  if (const auto known = function_of_site_.find(site); known != function_of_site_.end()) return known->second;
  const uint32_t number = FunctionAt(sites_.sites[site]);
  function_of_site_.emplace(site, number);
  return number;
}

const RecordedFunction* SiteNames::FunctionOf(uint32_t site) {
  if (site >= sites_.sites.size() || sites_.sites[site].kind == raw::SiteKind::kNone) return nullptr;
  return &functions_[FunctionNumber(site)];
}

SymbolAttributes SiteNames::AttributesOf(const raw::Site& site, const RecordedFunction& function) {
  SymbolAttributes attributes;
  attributes.signature = function.signature;
  attributes.object = Bounded(function.object);
  attributes.address = site.address;
  ObjectFile* object = ObjectOf(site);
  if (object == nullptr) return attributes;
  attributes.build_id = object->build_id();
  if (const std::optional<SourceLine> line = object->LineAt(site.address)) {
    attributes.file = Bounded(line->file);
    attributes.line = line->line;
  }
  return attributes;
}

std::string SiteNames::StatementText(const raw::Site& site, const RecordedFunction& function) {
  ObjectFile* object = ObjectOf(site);
  const std::optional<SourceLine> line = object != nullptr ? object->LineAt(site.address) : std::nullopt;
  if (!line) return fmt::format("+{:#x}", site.address - function.entry);
  if (const std::optional<std::string> text = objects_.sources().Line(line->file, line->line, object->modified_ns()))
    return *text;
  const uint32_t first = object->DeclaredAt(function.entry).value_or(0);
  return fmt::format("+{}", line->line >= first ? line->line - first : line->line);
}

uint32_t SiteNames::NameEvent(uint32_t number) {
  if (number >= sites_.sites.size() || sites_.sites[number].kind == raw::SiteKind::kNone) return kLeftOut;
  const raw::Site& site = sites_.sites[number];
  const RecordedFunction& function = functions_[FunctionNumber(number)];
  events_[number] = kLeftOut;
  if (!function.kept) return kLeftOut;
  std::string event;
  switch (site.kind) {
    case raw::SiteKind::kMethod: event = MethodEvent(function.method); break;
    case raw::SiteKind::kStatement: event = StatementEvent(function.method, StatementText(site, function)); break;
    case raw::SiteKind::kInstruction: {
      ObjectFile* object = ObjectOf(site);
      const std::optional<Instruction> instruction =
          object != nullptr ? object->InstructionAt(site.address) : std::nullopt;
      if (!instruction) {
        event = InstructionEvent("UNKNOWN");
      } else {
        event = InstructionEvent(instruction->opcode, settings_.operands ? instruction->operands : std::string());
      }
      break;
    }
    case raw::SiteKind::kBranch: {
      ObjectFile* object = ObjectOf(site);
      const std::optional<uint32_t> ordinal = object != nullptr ? object->BranchOrdinal(site.address) : std::nullopt;
      const uint64_t place = ordinal ? *ordinal : site.address - function.entry;
      const SymbolAttributes attributes = AttributesOf(site, function);
      taken_[number] = static_cast<uint32_t>(
          symbols_.Intern(Bounded(BlockEvent(function.method, place, BranchOutcome::kTaken)), attributes));
      event = BlockEvent(function.method, place, BranchOutcome::kNotTaken);
      break;
    }
    default: return kLeftOut;
  }
  events_[number] = static_cast<uint32_t>(symbols_.Intern(Bounded(std::move(event)), AttributesOf(site, function)));
  return events_[number];
}

std::vector<NamedFrame> SiteNames::FramesAt(uint32_t number) {
  std::vector<NamedFrame> frames;
  const RecordedFunction* function = FunctionOf(number);
  if (function == nullptr) return frames;
  const raw::Site& site = sites_.sites[number];
  const SymbolAttributes attributes = AttributesOf(site, *function);
  SourceLine at{attributes.file, attributes.line};
  if (ObjectFile* object = ObjectOf(site)) {
    for (const InlinedFunction& inlined : object->InlinedAt(site.address)) {
      MethodName name = NameOf(inlined.linkage_name);
      SymbolAttributes inner = attributes;
      inner.signature = name.signature == name.method ? std::string() : Bounded(name.signature);
      inner.file = at.file;
      inner.line = at.line;
      const bool kept = IsKept(rules_, function->object, name.method);
      frames.push_back({Bounded(std::move(name.method)), std::move(inner), kept});
      at = inlined.call;
    }
  }
  NamedFrame& outer = frames.emplace_back(NamedFrame{function->method, attributes, function->kept});
  outer.attributes.file = at.file;
  outer.attributes.line = at.line;
  return frames;
}

}  // namespace oscope
