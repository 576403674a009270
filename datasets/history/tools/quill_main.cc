// The command `quill`: what the library can do, for scripts.
//
//   quill test EXPRESSION [NAME=VALUE...]    0 if it is true, 1 if it is false
//   quill check FILE...                      0 if each .json, .csv and .conf file can be read
//   quill patch FILE PATCH                   prints FILE with the patch applied
//   quill date DATE STEP...                  prints the date after the steps ("+1m", "-3d")
//
// Exits with 2 when something is wrong; says what on stderr.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "quill/config/loader.h"
#include "quill/csv/reader.h"
#include "quill/date/format.h"
#include "quill/diff/patch.h"
#include "quill/expr/engine.h"
#include "quill/json/parser.h"
#include "quill/text/strings.h"

namespace {

using Words = std::vector<std::string>;

std::string ReadFile(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  std::optional<std::string> text = quill::config::FileSource(folder).Read(name);
  if (!text) throw quill::Error("cannot read " + path);
  return *std::move(text);
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

int Test(const Words& words) {
  quill::expr::Engine engine;
  for (size_t i = 1; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (equals == std::string::npos) throw quill::Error("expected NAME=VALUE: " + words[i]);
    engine.Define(words[i].substr(0, equals), std::strtod(words[i].c_str() + equals + 1, nullptr));
  }
  return engine.Evaluate(words.at(0)).AsTruth() ? 0 : 1;
}

void CheckFile(const std::string& path) {
  if (EndsWith(path, ".json")) {
    quill::json::ParseOptions options;
    options.comments = true;
    quill::json::Parse(ReadFile(path), options);
  } else if (EndsWith(path, ".csv")) {
    const std::string text = ReadFile(path);
    quill::csv::Reader(text).All();
  } else if (EndsWith(path, ".conf")) {
    const quill::config::FileSource source(".");
    const quill::config::Config config = quill::config::Loader(source).Load(path);
    for (const std::string& name : config.Names()) config.Get(name);
  } else {
    throw quill::Error("unknown kind of file: " + path);
  }
}

int Check(const Words& words) {
  for (const std::string& path : words) CheckFile(path);
  return 0;
}

int Patch(const Words& words) {
  const quill::diff::Lines lines = quill::text::SplitLines(ReadFile(words.at(0)));
  const auto patch = quill::diff::Patch::FromText(ReadFile(words.at(1)));
  for (const std::string& line : patch.Apply(lines)) std::cout << line << '\n';
  return 0;
}

int ShowDate(const Words& words) {
  quill::date::Date date = quill::date::Parse(words.at(0));
  for (size_t i = 1; i < words.size(); ++i) date = quill::date::ApplyStep(date, words[i]);
  std::cout << quill::date::Format(date, "%a %Y-%m-%d") << '\n';
  return 0;
}

int Run(const std::string& command, const Words& words) {
  if (words.empty()) throw quill::Error("too few words after " + command);
  if (command == "test") return Test(words);
  if (command == "check") return Check(words);
  if (command == "patch") return Patch(words);
  if (command == "date") return ShowDate(words);
  throw quill::Error("unknown command: " + command);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: quill test|check|patch|date WORD...\n";
    return 2;
  }
  try {
    return Run(argv[1], Words(argv + 2, argv + argc));
  } catch (const quill::Error& error) {
    std::cerr << "quill: " << error.what() << '\n';
    return 2;
  }
}
