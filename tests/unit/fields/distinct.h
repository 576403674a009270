// A value for every member of a record that no other member has, made from the rows of the record's list alone, so that
// a row which somebody forgets is missing where it is looked for.
#pragma once

#include "tests/unit/store/store_fixture.h"
#include "tracer/model/bug_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope {

inline void SetDistinct(int nth, TextKind kind, std::string& text) {
  text = fmt::format("{}-{}", kind == TextKind::kId ? "id" : "value <\"é\">", nth);
  if (kind == TextKind::kBlock) text += "\nsecond line";
}
inline void SetDistinct(int nth, TextKind, std::optional<int64_t>& time_ns) {
  time_ns = (1'700'000'000 + nth * int64_t{86'400}) * 1'000'000'000;
}
template <typename Enum>
  requires std::is_enum_v<Enum>
void SetDistinct(int, TextKind, Enum& value) {
  value = static_cast<Enum>(EnumText<Enum>::kCount - 1);
}
inline void SetDistinct(int nth, TextKind, std::vector<Comment>& comments) {
  comments = {{"author", nth, "comment"}, {"", std::nullopt, "another"}};
}
inline void SetDistinct(int nth, TextKind, std::vector<BugKey>& keys) { keys = {{"other", std::to_string(nth)}}; }
inline void SetDistinct(int nth, TextKind, std::map<std::string, std::string>& custom) {
  custom = {{"own", std::to_string(nth)}};
}

template <typename Number>
  requires std::is_integral_v<Number>
void SetDistinct(int nth, TextKind, std::optional<Number>& number) {
  number = static_cast<Number>(nth);
}
inline void SetDistinct(int nth, TextKind, uint32_t& number) { number = static_cast<uint32_t>(nth) + 1; }
inline void SetDistinct(int, TextKind, bool& flag) { flag = true; }
inline void SetDistinct(int, TextKind, RunId& id) { id = RunId{{3, 4}}; }
inline void SetDistinct(int nth, TextKind, std::optional<ThreadRef>& thread) {
  thread = ThreadRef{static_cast<uint32_t>(nth), 0};
}
inline void SetDistinct(int nth, TextKind, std::vector<std::string>& words) { words = {"word", std::to_string(nth)}; }
inline void SetDistinct(int nth, TextKind, std::vector<RunInput>& inputs) {
  inputs = {{std::to_string(nth), std::string("\0\xff", 2)}};
}

template <typename Row, typename Record>
void SetDistinct(int nth, const Row& row, Record& record) {
  std::visit([&](const auto& member) { SetDistinct(nth, row.text, member.change(record)); }, row.member);
}

// A bug that has nothing but its key.
inline Bug BareBug() {
  Bug bug;
  bug.key = {"demo", "7"};
  return bug;
}

// A bare bug with this field, and one with every field, whose key is that of the bare one.
inline Bug BugWith(const BugField& row) {
  Bug bug = BareBug();
  SetDistinct(static_cast<int>(&row - kBugFields.data()), row, bug);
  return bug;
}
inline Bug FullBug() {
  Bug bug = BareBug();
  for (const BugField& row : kBugFields) {
    if (row.text != TextKind::kId) SetDistinct(static_cast<int>(&row - kBugFields.data()), row, bug);
  }
  return bug;
}

// The bugs that a test sends around: one for every row, and all rows in one.
inline std::vector<Bug> BugsOfAllRows() {
  std::vector<Bug> bugs = {BareBug(), FullBug()};
  for (const BugField& row : kBugFields) {
    if (row.text != TextKind::kId) bugs.push_back(BugWith(row));
  }
  return bugs;
}

// A failing run that has nothing but its id and its project.
inline RunHeader BareRun() {
  RunHeader run;
  run.id = RunId{{1, 2}};
  run.project = "demo";
  return run;
}

// One for every row, and one with every field, as BugsOfAllRows.
inline std::vector<RunHeader> RunsOfAllRows() {
  std::vector<RunHeader> runs = {BareRun(), BareRun()};
  for (const RunField& row : kRunFields) {
    const int nth = static_cast<int>(&row - kRunFields.data());
    SetDistinct(nth, row, runs[1]);
    SetDistinct(nth, row, runs.emplace_back(BareRun()));
  }
  for (size_t i = 0; i < runs.size(); ++i) runs[i].id = RunId{{1, i + 1}};
  return runs;
}

}  // namespace oscope
