// Reads comma-separated values (RFC 4180): fields may be quoted, a quote inside is doubled, lines
// end with LF or CRLF, a quoted field may hold line ends.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quill/error.h"

namespace quill::csv {

struct ReadOptions {
  char separator = ',';
  bool header = true;  // the first record names the columns
  bool trim = false;   // blanks around fields without quotes do not count
};

class Header {
 public:
  explicit Header(const std::vector<std::string>& names);
  std::optional<size_t> Find(std::string_view name) const;

 private:
  std::map<std::string, size_t, std::less<>> columns_;
};

class Record {
 public:
  Record(std::shared_ptr<const Header> header, std::vector<std::string> fields)
      : header_(std::move(header)), fields_(std::move(fields)) {}

  const std::vector<std::string>& fields() const { return fields_; }
  // The field of a column; empty in a record that is too short; fails for a column that is not.
  const std::string& Get(std::string_view column) const;
  // Nothing if the field is empty; fails if it is no integer.
  std::optional<int64_t> GetInteger(std::string_view column) const;

 private:
  std::shared_ptr<const Header> header_;
  std::vector<std::string> fields_;
};

class Reader {
 public:
  explicit Reader(std::string_view text, const ReadOptions& options = {});
  // The next record, or nothing at the end. Empty lines are passed over. Fails with ParseError.
  std::optional<Record> Next();
  std::vector<Record> All();
  // The line at which the next record begins, from 1.
  size_t line() const { return line_; }

 private:
  bool ReadFields(std::vector<std::string>& fields);
  std::string ReadField();
  std::string ReadQuoted();
  std::string ReadPlain();
  bool AtLineEnd() const;
  void PassLineEnd();

  std::string_view text_;
  ReadOptions options_;
  size_t at_ = 0;
  size_t line_ = 1;
  std::shared_ptr<const Header> header_;
};

}  // namespace quill::csv
