#include "quill/csv/writer.h"

namespace quill::csv {

void Writer::AddRecord(const std::vector<std::string>& fields) {
  // One empty field would be an empty line, which is no record.
  if (fields.size() == 1 && fields[0].empty()) {
    out_ += "\"\"\n";
    return;
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out_ += separator_;
    AddField(fields[i]);
  }
  out_ += '\n';
}

bool Writer::NeedsQuotes(std::string_view field) const {
  for (const char c : field) {
    if (c == separator_ || c == '"' || c == '\n' || c == '\r') return true;
  }
  return !field.empty() && (field.front() == ' ' || field.back() == ' ');
}

void Writer::AddField(std::string_view field) {
  if (!NeedsQuotes(field)) {
    out_ += field;
    return;
  }
  out_ += '"';
  for (const char c : field) {
    if (c == '"') out_ += '"';
    out_ += c;
  }
  out_ += '"';
}

}  // namespace quill::csv
