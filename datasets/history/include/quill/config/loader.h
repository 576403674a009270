// Reads settings from texts:
//
//   # a comment
//   include "other.conf"         relative to this text's own path
//   [server]                     names below are "server.name"
//   name = value                 up to the end of the line or a '#'
//   name += value                adds to a list
//   name = "a # and \"quotes\""  a quoted value, with \" \\ \n and \t
//
// A later line wins over an earlier one, and a line over what was included before it.
#pragma once

#include <string>
#include <vector>

#include "quill/config/config.h"
#include "quill/config/source.h"
#include "quill/text/cursor.h"

namespace quill::config {

class Loader {
 public:
  explicit Loader(const Source& source) : source_(source) {}
  // Fails with ParseError, or with Error for a text that is missing or includes itself.
  Config Load(const std::string& path);

 private:
  void LoadInto(Config& config, const std::string& path);
  void LoadLine(Config& config, text::Cursor& cursor, std::string& section);
  void LoadInclude(Config& config, text::Cursor& cursor);
  std::string ReadName(text::Cursor& cursor);
  std::string ReadValue(text::Cursor& cursor);
  std::string ReadQuoted(text::Cursor& cursor);

  const Source& source_;
  std::vector<std::string> open_;  // the texts being read, outermost first
};

}  // namespace quill::config
