// Numbers the names of two traces with a table of their own and aligns the numbers; the names need not be a corpus's.
#include "query/similar/alignment.h"

#include <algorithm>
#include <map>
#include <utility>

namespace oscope {
namespace {

std::vector<uint32_t> Number(const std::vector<std::string>& names, std::map<std::string, uint32_t>& ids) {
  std::vector<uint32_t> numbers;
  for (const std::string& name : names) {
    numbers.push_back(ids.try_emplace(name, static_cast<uint32_t>(ids.size())).first->second);
  }
  return numbers;
}

}  // namespace

Result<Alignment> Alignment::Of(std::vector<std::string> ours, std::vector<std::string> theirs) {
  Alignment made;
  made.ours = std::move(ours);
  made.theirs = std::move(theirs);
  std::map<std::string, uint32_t> ids;
  const std::vector<uint32_t> a = Number(made.ours, ids), b = Number(made.theirs, ids);
  OSCOPE_ASSIGN_OR_RETURN(made.edits, Align(a, b));
  return made;
}

size_t Alignment::Count(EditKind kind) const {
  return static_cast<size_t>(
      std::count_if(edits.begin(), edits.end(), [&](const Edit& edit) { return edit.kind == kind; }));
}

size_t Alignment::length() const { return std::max(ours.size(), theirs.size()); }

}  // namespace oscope
