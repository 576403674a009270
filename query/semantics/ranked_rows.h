// From the rows that satisfy a condition to the answer: order, offset and limit, columns.
//
// Rows come by distance (none last), then by bug, project and id as bytes; ORDER BY puts a field before these.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "bql/check/query.h"
#include "query/semantics/answer.h"
#include "query/semantics/bug_fields.h"
#include "query/semantics/judgement.h"

namespace oscope {

// Bugs are numbered in the order of their keys, so that numbers compare as keys do.
struct FoundRow {
  std::vector<uint32_t> bugs;  // one a variable
  Judgement judgement;
};

// The columns of an answer: what the query asks for, and for a query that asks for bugs alone also what a reader wants
// beside them.
struct AnswerColumns {
  std::vector<bql::OutputColumn> columns;
  std::vector<std::string> names;
  size_t asked = 0;  // the number of columns, from the first, that are the query's own
};
AnswerColumns ColumnsOf(const bql::Select& select);

// Sorts, cuts to OFFSET and LIMIT.
void RankRows(const bql::Select& select, const BugFields& fields, std::vector<FoundRow>& rows);

// SELECT COUNT(b)
bool CountsOnly(const bql::Select& select);

// Whether the order depends on the reports, not on distances and keys alone.
bool OrdersByField(const bql::Select& select);

// `found` is the number of rows before OFFSET and LIMIT: COUNT's answer.
Answer MakeAnswer(const bql::Select& select, const BugFields& fields, const std::vector<FoundRow>& rows,
                  uint64_t found);

}  // namespace oscope
