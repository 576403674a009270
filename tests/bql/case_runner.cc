#include "tests/bql/case_runner.h"

#include <fmt/core.h>

#include <chrono>

#include "tests/bql/answer_text.h"

namespace oscope {
namespace {

std::string Text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

Result<uint64_t> Number(const CaseBlock& block, const std::string& word) {
  if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos) {
    return Invalid("line {}: '{}' is no number", block.line, word);
  }
  return std::stoull(word);
}

}  // namespace

Result<CaseRunner::Outcome> CaseRunner::Run(const CaseBlock& block) {
  if (block.directive() == "load") {
    OSCOPE_RETURN_IF_ERROR(Load(block));
    return Outcome{};
  }
  if (engines_.empty()) return Invalid("line {}: nothing is loaded yet", block.line);
  if (block.directive() == "param") {
    OSCOPE_RETURN_IF_ERROR(SetParameter(block));
    return Outcome{};
  }
  if (block.directive() == "set") {
    OSCOPE_RETURN_IF_ERROR(SetOption(block));
    return Outcome{};
  }
  return Ask(block);
}

Status CaseRunner::Load(const CaseBlock& block) {
  engines_.clear();
  limited_ = false;
  OSCOPE_ASSIGN_OR_RETURN(CaseStore store, CaseStore::Make(root_, {block.words.begin() + 1, block.words.end()}));
  store_ = std::move(store);
  for (const EngineSetting& setting : AllEngines()) {
    OSCOPE_ASSIGN_OR_RETURN(Session session, OpenSession(*store_, setting));
    engines_.push_back({setting.name, std::move(session)});
  }
  return {};
}

Status CaseRunner::SetParameter(const CaseBlock& block) {
  if (block.words.size() < 2) return Invalid("line {}: param NAME [VALUE]", block.line);
  std::string value;
  for (size_t i = 2; i < block.words.size(); ++i) value += (i == 2 ? "" : " ") + block.words[i];
  for (Engine& engine : engines_) {
    if (block.words.size() == 2) {
      engine.session.ClearParameter(block.words[1]);
    } else {
      engine.session.SetParameter(block.words[1], value);
    }
  }
  return {};
}

Status CaseRunner::SetOption(const CaseBlock& block) {
  if (block.words.size() != 3) return Invalid("line {}: set rows|memory|time|project VALUE", block.line);
  const std::string& name = block.words[1];
  for (Engine& engine : engines_) {
    SessionOptions& options = engine.session.options();
    if (name == "project") {
      options.default_project = block.words[2];
      continue;
    }
    limited_ = true;
    OSCOPE_ASSIGN_OR_RETURN(const uint64_t number, Number(block, block.words[2]));
    if (name == "rows") {
      options.limits.rows = number;
    } else if (name == "memory") {
      options.limits.memory_bytes = number;
    } else if (name == "time") {
      options.limits.time = std::chrono::milliseconds(number);
    } else {
      return Invalid("line {}: no option '{}'", block.line, name);
    }
  }
  return {};
}

CaseRunner::Outcome CaseRunner::Ask(const CaseBlock& block) {
  Outcome outcome;
  const StatementResult first = engines_[0].session.Execute(block.statement);
  outcome.lines =
      AnswerText(block.statement, first, {.all_columns = block.HasWord("all"), .pairs = block.HasWord("pairs")});
  // A statement changes the store; a plan is one engine's.
  if (block.directive() == "statement" || block.directive() == "explain") return outcome;
  const std::vector<std::string> agreed = FullAnswerText(block.statement, first);
  for (size_t i = 1; i < engines_.size(); ++i) {
    // The literal evaluator knows no limits.
    if (limited_ && engines_[i].session.options().engine == EngineKind::kNaive) continue;
    const StatementResult other = engines_[i].session.Execute(block.statement);
    const std::vector<std::string> lines = FullAnswerText(block.statement, other);
    if (lines == agreed) continue;
    outcome.disagreement +=
        fmt::format("  {}:\n{}  {}:\n{}", engines_[0].name, Text(agreed), engines_[i].name, Text(lines));
  }
  return outcome;
}

}  // namespace oscope
