#include "quill/config/loader.h"

#include <algorithm>

#include "quill/text/strings.h"

namespace quill::config {
namespace {

// `path` as seen from the text at `from`: "a/b.conf" and "c.conf" give "a/c.conf".
std::string RelativeTo(const std::string& from, const std::string& path) {
  if (!path.empty() && path.front() == '/') return path.substr(1);
  const size_t slash = from.rfind('/');
  return slash == std::string::npos ? path : from.substr(0, slash + 1) + path;
}

bool IsNamePart(char c) { return text::IsNameCharacter(c) || c == '.' || c == '-'; }

}  // namespace

Config Loader::Load(const std::string& path) {
  Config config;
  open_.clear();
  LoadInto(config, path);
  return config;
}

void Loader::LoadInto(Config& config, const std::string& path) {
  if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
    throw Error(path + " includes itself");
  }
  const std::optional<std::string> text = source_.Read(path);
  if (!text) throw Error("no settings at " + path);
  open_.push_back(path);
  text::Cursor cursor(*text);
  std::string section;
  while (!cursor.AtEnd()) LoadLine(config, cursor, section);
  open_.pop_back();
}

void Loader::LoadLine(Config& config, text::Cursor& cursor, std::string& section) {
  cursor.SkipBlanks(true);
  if (cursor.AtEnd()) return;
  if (cursor.Consume('#')) {
    cursor.TakeLine();
  } else if (cursor.Consume('[')) {
    section = ReadName(cursor);
    cursor.Expect(']');
  } else {
    const std::string name = ReadName(cursor);
    cursor.SkipBlanks(false);
    if (name == "include" && cursor.Peek() == '"') return LoadInclude(config, cursor);
    const std::string full = section.empty() ? name : section + "." + name;
    const bool append = cursor.Consume('+');
    cursor.Expect('=');
    cursor.SkipBlanks(false);
    const std::string value = ReadValue(cursor);
    if (append) {
      config.Append(full, value);
    } else {
      config.Set(full, value);
    }
  }
}

void Loader::LoadInclude(Config& config, text::Cursor& cursor) {
  const std::string path = ReadQuoted(cursor);
  LoadInto(config, RelativeTo(open_.back(), path));
}

std::string Loader::ReadName(text::Cursor& cursor) {
  const std::string name(cursor.TakeWhile(IsNamePart));
  if (name.empty()) cursor.Fail("expected a name");
  return name;
}

std::string Loader::ReadValue(text::Cursor& cursor) {
  if (cursor.Peek() == '"') return ReadQuoted(cursor);
  return std::string(text::Trim(cursor.TakeWhile([](char c) { return c != '\n' && c != '#'; })));
}

std::string Loader::ReadQuoted(text::Cursor& cursor) {
  cursor.Expect('"');
  std::string value;
  while (!cursor.Consume('"')) {
    char c = cursor.Next();
    if (c == '\\') {
      c = cursor.Next();
      if (c == 'n') c = '\n';
      if (c == 't') c = '\t';
    }
    value += c;
  }
  return value;
}

}  // namespace quill::config
