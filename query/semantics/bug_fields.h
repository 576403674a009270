// The fields of bugs, wherever they come from: of whole reports, or of columns.
//
// Threads: const functions may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bql/check/query.h"
#include "query/semantics/bug_record.h"

namespace oscope {

class BugFields {
 public:
  virtual ~BugFields() = default;
  virtual const BugKey& KeyOf(uint32_t bug) const = 0;
  // None when the bug does not say. Only `test` and `signal` can have several.
  virtual std::vector<std::string> ValuesOf(uint32_t bug, const std::string& field) const = 0;
  // Whether one of the field's values satisfies the predicate; IS NULL when there is none.
  virtual bool Satisfies(uint32_t bug, const bql::FieldPredicate& predicate) const;
};

// Of reports that are at hand.
class RecordFields : public BugFields {
 public:
  using RecordOf = std::function<const BugRecord&(uint32_t bug)>;
  explicit RecordFields(RecordOf record) : record_(std::move(record)) {}

  const BugKey& KeyOf(uint32_t bug) const override { return record_(bug).bug.key; }
  std::vector<std::string> ValuesOf(uint32_t bug, const std::string& field) const override {
    return FieldValues(record_(bug), field);
  }

 private:
  RecordOf record_;
};

}  // namespace oscope
