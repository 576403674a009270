#include "quill/csv/reader.h"

#include <charconv>

#include "quill/text/strings.h"

namespace quill::csv {

Header::Header(const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i) columns_.emplace(names[i], i);
}

std::optional<size_t> Header::Find(std::string_view name) const {
  const auto found = columns_.find(name);
  if (found == columns_.end()) return std::nullopt;
  return found->second;
}

const std::string& Record::Get(std::string_view column) const {
  static const std::string kMissing;
  const std::optional<size_t> place = header_ ? header_->Find(column) : std::nullopt;
  if (!place) throw Error("no column '" + std::string(column) + "'");
  if (*place >= fields_.size()) return kMissing;
  return fields_[*place];
}

std::optional<int64_t> Record::GetInteger(std::string_view column) const {
  const std::string& field = Get(column);
  if (field.empty()) return std::nullopt;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc() || end != field.data() + field.size()) {
    throw Error("'" + field + "' is no integer");
  }
  return number;
}

Reader::Reader(std::string_view text, const ReadOptions& options) : text_(text), options_(options) {
  std::vector<std::string> names;
  if (options_.header && ReadFields(names)) header_ = std::make_shared<Header>(names);
}

std::optional<Record> Reader::Next() {
  std::vector<std::string> fields;
  if (!ReadFields(fields)) return std::nullopt;
  return Record(header_, std::move(fields));
}

std::vector<Record> Reader::All() {
  std::vector<Record> records;
  while (std::optional<Record> record = Next()) records.push_back(*std::move(record));
  return records;
}

bool Reader::ReadFields(std::vector<std::string>& fields) {
  while (at_ < text_.size() && AtLineEnd()) PassLineEnd();
  if (at_ == text_.size()) return false;
  fields.push_back(ReadField());
  while (!AtLineEnd()) {
    ++at_;  // the separator
    fields.push_back(ReadField());
  }
  PassLineEnd();
  return true;
}

std::string Reader::ReadField() {
  if (at_ < text_.size() && text_[at_] == '"') return ReadQuoted();
  std::string field = ReadPlain();
  return options_.trim ? std::string(text::Trim(field)) : field;
}

std::string Reader::ReadQuoted() {
  const Position begin{line_, 1};
  std::string field;
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] == '"') {
      ++at_;
      const bool doubled = at_ < text_.size() && text_[at_] == '"';
      if (!doubled) {
        if (!AtLineEnd() && text_[at_] != options_.separator) {
          throw ParseError("text after a quoted field", {line_, 1});
        }
        return field;
      }
    }
    if (text_[at_] == '\n') ++line_;
    field += text_[at_];
  }
  throw ParseError("quoted field without an end", begin);
}

std::string Reader::ReadPlain() {
  const size_t begin = at_;
  while (!AtLineEnd() && text_[at_] != options_.separator) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

bool Reader::AtLineEnd() const {
  if (at_ == text_.size() || text_[at_] == '\n') return true;
  return text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
}

void Reader::PassLineEnd() {
  if (at_ == text_.size()) return;
  at_ += text_[at_] == '\r' ? 2 : 1;
  ++line_;
}

}  // namespace quill::csv
