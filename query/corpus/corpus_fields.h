// The fields of a corpus's bugs, from its columns.
//
// Threads: Load by one; const functions may be called from any thread.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bql/check/fields.h"
#include "query/corpus/corpus.h"
#include "query/semantics/bug_fields.h"

namespace oscope {

class CorpusFields : public BugFields {
 public:
  explicit CorpusFields(const Corpus& corpus) : corpus_(corpus) {}

  // Before anything asks for the field. `test` and `signal` need a corpus with runs. Errors as of Corpus::Field.
  Status Load(const std::string& field, const std::function<Status()>& ask);

  // The same for a predicate that stays where it is; what it was written with is read once.
  Status Load(const bql::FieldPredicate& predicate, const std::function<Status()>& ask);

  const BugKey& KeyOf(uint32_t bug) const override { return corpus_.key(bug); }
  std::vector<std::string> ValuesOf(uint32_t bug, const std::string& field) const override;
  bool Satisfies(uint32_t bug, const bql::FieldPredicate& predicate) const override;

 private:
  const FieldColumn* ColumnOf(std::string_view field) const;  // null: the field is none of a report

  const Corpus& corpus_;
  std::vector<std::pair<std::string, std::shared_ptr<const FieldColumn>>> columns_;  // a query has a few
  std::unordered_map<const bql::FieldPredicate*, bql::DatePredicate> dates_;
};

}  // namespace oscope
