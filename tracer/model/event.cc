// Events are texts, and this is their grammar. A letter and a space ("S ", "B ") open every event except methods, which
// are the common case and stay plain; a method that itself looks like such an opening gets the letter M.
#include "tracer/model/event.h"

#include <fmt/core.h>

#include <array>

namespace oscope {
namespace {

// The letter that opens an event's text; the order is Granularity's.
constexpr std::string_view kTags = "ISBMCP";

bool HasTag(std::string_view text) {
  return text.size() >= 2 && text[1] == ' ' && kTags.find(text[0]) != std::string_view::npos;
}

// Indentation and line breaks are not what a statement says.
std::string WithSingleSpaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool pending = false;
  for (const char c : text) {
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      pending = !out.empty();
      continue;
    }
    if (pending) out += ' ';
    pending = false;
    out += c;
  }
  return out;
}

std::string_view BaseNameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Statement text may contain ": " and a block's ordinal cannot, so each splits from its own end.
EventParts SplitOwner(Granularity granularity, std::string_view rest) {
  const size_t colon = granularity == Granularity::kBlock ? rest.rfind(": ") : rest.find(": ");
  if (colon == std::string_view::npos) return {granularity, rest, {}};
  return {granularity, rest.substr(0, colon), rest.substr(colon + 2)};
}

}  // namespace

std::string MethodEvent(std::string_view method) {
  return HasTag(method) ? fmt::format("M {}", method) : std::string(method);
}

std::string StatementEvent(std::string_view method, std::string_view source_text) {
  return fmt::format("S {}: {}", method, WithSingleSpaces(source_text));
}

std::string BlockEvent(std::string_view method, uint64_t ordinal, BranchOutcome outcome) {
  constexpr std::array<std::string_view, 3> kOutcomes = {"", " taken", " not taken"};
  return fmt::format("B {}: {}{}", method, ordinal, kOutcomes[static_cast<size_t>(outcome)]);
}

std::string InstructionEvent(std::string_view opcode, std::string_view operands) {
  return operands.empty() ? fmt::format("I {}", opcode) : fmt::format("I {} {}", opcode, operands);
}

std::string ClassEvent(std::string_view scope) { return fmt::format("C {}", scope); }
std::string PackageEvent(std::string_view scope) { return fmt::format("P {}", scope); }

EventParts ParseEvent(std::string_view text) {
  if (!HasTag(text)) return {Granularity::kMethod, text, {}};
  const auto granularity = static_cast<Granularity>(kTags.find(text[0]));
  const std::string_view rest = text.substr(2);
  switch (granularity) {
    case Granularity::kInstruction: return {granularity, {}, rest};
    case Granularity::kStatement:
    case Granularity::kBlock: return SplitOwner(granularity, rest);
    case Granularity::kMethod:
    case Granularity::kClass:
    case Granularity::kPackage: break;
  }
  return {granularity, rest, {}};
}

std::string Coarsen(std::string_view text, Granularity to, std::string_view object) {
  const EventParts parts = ParseEvent(text);
  const bool has_owner = parts.granularity != Granularity::kInstruction;
  if (parts.granularity >= to || !has_owner || to == Granularity::kBlock) return std::string(text);
  if (to == Granularity::kMethod) return MethodEvent(parts.owner);

  const bool from_class = parts.granularity == Granularity::kClass;
  std::string_view scope = to == Granularity::kClass || from_class ? ClassOf(parts.owner) : PackageOf(parts.owner);
  if (scope.empty()) scope = BaseNameOf(object);
  if (scope.empty()) return std::string(text);
  return to == Granularity::kClass ? ClassEvent(scope) : PackageEvent(scope);
}

}  // namespace oscope
