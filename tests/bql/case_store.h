// A store for test cases, in a temporary directory that goes with it, and sessions on it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "index/store/store.h"
#include "query/run/session.h"

namespace oscope {

class CaseStore {
 public:
  // `sources` are folders (their *.jsonl and traces.txt) or files, below `root`. Each file is a commit, so there are
  // several segments.
  static Result<CaseStore> Make(const std::string& root, const std::vector<std::string>& sources);
  // Each text, JSON lines, is a commit.
  static Result<CaseStore> FromTexts(const std::vector<std::string>& texts);

  CaseStore(CaseStore&& other) noexcept : directory_(std::exchange(other.directory_, {})) {}
  CaseStore& operator=(CaseStore&& other) noexcept;
  ~CaseStore();

  Result<Store> Open() const;
  // One more commit.
  Status Add(const std::string& text) const { return Import(text, "text.jsonl"); }

 private:
  explicit CaseStore(std::string directory) : directory_(std::move(directory)) {}
  static Result<CaseStore> MakeEmpty();
  Status Import(const std::string& bytes, const std::string& name) const;

  std::string directory_;
};

// A way to answer a query, and its name in messages.
struct EngineSetting {
  std::string name;
  EngineKind kind = EngineKind::kThreads;
  bool use_index = true;
  unsigned threads = 1;
};

// All that must agree. The first is the one that users have.
std::vector<EngineSetting> AllEngines();

Result<Session> OpenSession(const CaseStore& store, const EngineSetting& engine);

}  // namespace oscope
