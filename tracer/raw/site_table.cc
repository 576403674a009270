// Parses the text file of sites line by line. A process that was killed may have written half a line, so a last line
// without an end is ignored; any other line that is not understood is an error.
#include "tracer/raw/site_table.h"

#include <algorithm>
#include <charconv>

#include "tracer/raw/raw_format.h"

namespace oscope::raw {
namespace {

// Numbers may have gaps, but none that would make us allocate for a lie.
constexpr uint64_t kMaxGap = 1 << 16;

class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  std::optional<std::string_view> Next() {
    if (ended_) return std::nullopt;
    const size_t space = rest_.find(' ');
    const std::string_view word = rest_.substr(0, space);
    ended_ = space == std::string_view::npos;
    if (!ended_) rest_.remove_prefix(space + 1);
    return word;
  }

  std::optional<uint64_t> Number(int base) {
    const std::optional<std::string_view> word = Next();
    if (!word) return std::nullopt;
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(word->data(), word->data() + word->size(), value, base);
    if (error != std::errc() || end != word->data() + word->size()) return std::nullopt;
    return value;
  }

  std::string_view rest() const { return ended_ ? std::string_view() : rest_; }
  bool ended() const { return ended_; }

 private:
  std::string_view rest_;
  bool ended_ = false;
};

std::optional<std::string> Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
    if (error != std::errc() || end != text.data() + i + 3) return std::nullopt;
    plain += static_cast<char>(value);
    i += 2;
  }
  return plain;
}

std::optional<SiteKind> KindOf(std::string_view word) {
  if (word.size() != 1) return std::nullopt;
  switch (word[0]) {
    case 'm': return SiteKind::kMethod;
    case 'b': return SiteKind::kBranch;
    case 's': return SiteKind::kStatement;
    case 'i': return SiteKind::kInstruction;
    case 'c': return SiteKind::kCode;
    default: return std::nullopt;
  }
}

bool AddObject(SiteTable& table, Words& words) {
  const std::optional<uint64_t> id = words.Number(10), bias = words.Number(16);
  const std::optional<std::string_view> word = words.Next();
  if (!id || !bias || !word || *id != table.objects.size()) return false;
  const std::optional<std::string> path = Unescape(*word);
  if (!path) return false;
  table.objects.push_back({*bias, *path});
  return words.ended();
}

bool AddSite(SiteTable& table, Words& words) {
  const std::optional<uint64_t> id = words.Number(10);
  const std::optional<std::string_view> kind_word = words.Next(), object_word = words.Next();
  const std::optional<uint64_t> address = words.Number(16);
  if (!id || !kind_word || !object_word || !address) return false;
  const std::optional<SiteKind> kind = KindOf(*kind_word);
  if (!kind || *id >= OSC_RAW_MAX_SITES || *id > table.sites.size() + kMaxGap) return false;
  Site site{.kind = *kind, .object = {}, .address = *address, .name = {}};
  if (*object_word != "-") {
    uint32_t object = 0;
    const auto [end, error] = std::from_chars(object_word->data(), object_word->data() + object_word->size(), object);
    if (error != std::errc() || end != object_word->data() + object_word->size() || object >= table.objects.size())
      return false;
    site.object = object;
  }
  if (const std::optional<std::string_view> name = words.Next()) {
    const std::optional<std::string> plain = Unescape(*name);
    if (!plain) return false;
    site.name = *plain;
  }
  if (!words.ended()) return false;
  if (*id >= table.sites.size()) table.sites.resize(*id + 1);
  table.sites[*id] = std::move(site);
  return true;
}

bool AddLine(SiteTable& table, std::string_view line) {
  Words words(line);
  const std::string_view kind = words.Next().value_or("");
  if (kind == "object") return AddObject(table, words);
  if (kind == "site") return AddSite(table, words);
  if (kind == "thread") return words.Number(10) && words.Number(10) && words.ended();
  if (kind != "note") return false;
  table.notes.emplace_back(words.rest());
  return true;
}

}  // namespace

SiteTable SiteTable::Head(uint32_t site_count, uint32_t object_count) const {
  SiteTable head;
  head.objects.assign(objects.begin(), objects.begin() + std::min<ptrdiff_t>(object_count, std::ssize(objects)));
  head.sites.assign(sites.begin(), sites.begin() + std::min<ptrdiff_t>(site_count, std::ssize(sites)));
  // A site whose object the child does not know would be read out of bounds.
  for (Site& site : head.sites) {
    if (site.object && *site.object >= head.objects.size()) site = {};
  }
  return head;
}

Status SiteTable::Add(std::string_view text) {
  for (uint64_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    if (!AddLine(*this, text.substr(0, end))) return Corrupt("sites, line {}: not understood", number);
    text.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace oscope::raw
