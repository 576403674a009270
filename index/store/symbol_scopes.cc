// Gives each set of attributes a scope. For a program and a text, the k-th distinct set goes into the program's k-th
// scope (variants_ counts them), so that in the usual build, with one set for each text, every event of a trace is in
// the same scope. placed_ finds a set that was seen before; its keys borrow the attributes from rows_, which never
// move.
#include "index/store/symbol_scopes.h"

#include <functional>

namespace oscope {

size_t SymbolScopes::KnownHash::operator()(const Known& known) const {
  size_t hash = (static_cast<size_t>(known.program) << 32) | known.text;
  const auto mix = [&](size_t more) { hash = (hash ^ more) * 0x9e3779b97f4a7c15ull; };
  mix(std::hash<std::string>()(known.attributes->file));
  mix(std::hash<std::string>()(known.attributes->build_id));
  mix(known.attributes->line);
  mix(known.attributes->address);
  return hash;
}

uint32_t SymbolScopes::ProgramOf(const SymbolAttributes& attributes) {
  if (attributes.object.empty() && attributes.build_id.empty()) return 0;
  const auto next = static_cast<uint32_t>(scopes_.size());
  const auto [program, is_new] = programs_.try_emplace(attributes.object + '\0' + attributes.build_id, next);
  if (is_new) scopes_.emplace_back();
  return program->second;
}

uint32_t SymbolScopes::ScopeOf(uint32_t program, uint32_t ordinal) {
  std::vector<uint32_t>& scopes = scopes_[program];
  while (scopes.size() <= ordinal) scopes.push_back(scope_count_++);
  return scopes[ordinal];
}

uint32_t SymbolScopes::Place(uint32_t program, uint32_t text, const SymbolAttributes& attributes) {
  if (attributes.empty()) return 0;
  if (const auto found = placed_.find({program, text, &attributes}); found != placed_.end()) return found->second;
  uint32_t& variants = variants_[(static_cast<uint64_t>(program) << 32) | text];
  const uint32_t scope = ScopeOf(program, variants++);
  rows_.push_back({text, scope, attributes});
  placed_.emplace(Known{program, text, &rows_.back().attributes}, scope);
  return scope;
}

}  // namespace oscope
