// Writes comma-separated values that Reader reads back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quill::csv {

class Writer {
 public:
  explicit Writer(char separator = ',') : separator_(separator) {}

  void AddRecord(const std::vector<std::string>& fields);
  const std::string& text() const { return out_; }

 private:
  bool NeedsQuotes(std::string_view field) const;
  void AddField(std::string_view field);

  char separator_;
  std::string out_;
};

}  // namespace quill::csv
