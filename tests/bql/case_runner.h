// Runs the blocks of a .test file: every query by every engine, which must agree to the byte, then against what is
// expected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/run/session.h"
#include "tests/bql/case_file.h"
#include "tests/bql/case_store.h"

namespace oscope {

class CaseRunner {
 public:
  explicit CaseRunner(std::string root) : root_(std::move(root)) {}

  struct Outcome {
    std::vector<std::string> lines;  // what came out, as an expectation is written
    std::string disagreement;        // between engines; empty: none
  };
  // An error is one of the test itself: a directive it does not know, data that cannot be read.
  Result<Outcome> Run(const CaseBlock& block);

 private:
  struct Engine {
    std::string name;
    Session session;
  };
  Status Load(const CaseBlock& block);
  Status SetOption(const CaseBlock& block);
  Status SetParameter(const CaseBlock& block);
  Outcome Ask(const CaseBlock& block);

  std::string root_;
  bool limited_ = false;  // a limit is set
  std::optional<CaseStore> store_;
  std::vector<Engine> engines_;
};

}  // namespace oscope
