// How a run was made, read and written side by side.
#include "tracer/import/json_repeat.h"

#include "tracer/import/json_object_writer.h"

namespace oscope {
namespace {

TestSelection ReadSelection(JsonFields& fields) {
  TestSelection selection;
  fields.Text("runner", selection.runner);
  fields.Text("framework", selection.framework);
  fields.Text("filter", selection.filter);
  fields.Finish();
  return selection;
}

Expectation ReadExpectation(JsonFields& fields) {
  Expectation expected;
  fields.Number("exit_code", expected.exit_code);
  fields.Flag("fails", expected.fails);
  fields.Texts("output", expected.output);
  fields.Texts("forbidden_output", expected.forbidden_output);
  fields.Finish();
  return expected;
}

BuiltObject ReadBuiltObject(JsonFields& fields) {
  BuiltObject object;
  fields.Text("path", object.path);
  fields.Text("build_id", object.build_id);
  fields.Texts("compilers", object.compilers);
  fields.Finish();
  return object;
}

NotKept ReadNotKept(JsonFields& fields) {
  NotKept missing;
  fields.Text("kind", missing.kind);
  fields.Text("name", missing.name);
  fields.Finish();
  return missing;
}

std::string JsonOf(const TestSelection& selection) {
  ObjectWriter out;
  out.Text("runner", selection.runner);
  out.Text("framework", selection.framework);
  out.Text("filter", selection.filter);
  return out.Take();
}

std::string JsonOf(const Expectation& expected) {
  ObjectWriter out;
  out.Number("exit_code", expected.exit_code);
  out.Flag("fails", expected.fails);
  out.Texts("output", expected.output);
  out.Texts("forbidden_output", expected.forbidden_output);
  return out.Take();
}

std::string JsonOf(const BuiltObject& object) {
  ObjectWriter out;
  out.Text("path", object.path);
  out.Text("build_id", object.build_id);
  out.Texts("compilers", object.compilers);
  return out.Take();
}

std::string JsonOf(const NotKept& missing) {
  ObjectWriter out;
  out.Text("kind", missing.kind);
  out.Text("name", missing.name);
  return out.Take();
}

}  // namespace

Repeat ReadRepeat(JsonFields& fields) {
  Repeat repeat;
  fields.Text("directory", repeat.directory);
  fields.Text("revision", repeat.revision);
  fields.Text("changes", repeat.changes);
  if (auto inner = fields.Inner("selection")) repeat.selection = ReadSelection(*inner);
  if (auto inner = fields.Inner("expected")) repeat.expected = ReadExpectation(*inner);
  for (JsonFields& inner : fields.Objects("builds")) repeat.builds.push_back(ReadBuiltObject(inner));
  for (JsonFields& inner : fields.Objects("not_kept")) repeat.not_kept.push_back(ReadNotKept(inner));
  fields.Finish();
  return repeat;
}

std::string JsonOf(const Repeat& repeat) {
  ObjectWriter out;
  out.Text("directory", repeat.directory);
  out.Text("revision", repeat.revision);
  out.Text("changes", repeat.changes);
  if (!repeat.selection.empty()) out.Raw("selection", JsonOf(repeat.selection));
  if (!repeat.expected.empty()) out.Raw("expected", JsonOf(repeat.expected));
  const auto append = [](std::string& json, const auto& one) { json += JsonOf(one); };
  out.Array("builds", repeat.builds, append);
  out.Array("not_kept", repeat.not_kept, append);
  return out.Take();
}

}  // namespace oscope
