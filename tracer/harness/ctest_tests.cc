// Reads what `ctest --show-only=json-v1` prints. Properties that are not known here are passed over; CTest has added
// some in every release.
#include "tracer/harness/ctest_tests.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace oscope {
namespace {

using Json = nlohmann::json;

// CTest has printed truth values as booleans and as CMake's words.
bool IsTrue(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (!value.is_string()) return false;
  const std::string& word = value.get_ref<const std::string&>();
  return word == "ON" || word == "TRUE" || word == "YES" || word == "1" || word == "Y";
}

std::vector<std::string> Texts(const Json& value) {
  std::vector<std::string> texts;
  if (value.is_string()) texts.push_back(value.get<std::string>());
  if (!value.is_array()) return texts;
  for (const Json& one : value) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

void Take(const std::string& name, const Json& value, CTestTest& test) {
  if (name == "WORKING_DIRECTORY" && value.is_string()) test.working_directory = value.get<std::string>();
  if (name == "ENVIRONMENT") test.environment = Texts(value);
  if (name == "ENVIRONMENT_MODIFICATION") test.environment_modification = Texts(value);
  if (name == "TIMEOUT" && value.is_number()) test.timeout_s = value.get<double>();
  if (name == "WILL_FAIL") test.will_fail = IsTrue(value);
  if (name == "RUN_SERIAL") test.alone = test.alone || IsTrue(value);
  if (name == "RESOURCE_LOCK") test.alone = test.alone || !Texts(value).empty();
  if (name == "PASS_REGULAR_EXPRESSION") test.pass_regexes = Texts(value);
  if (name == "FAIL_REGULAR_EXPRESSION") test.fail_regexes = Texts(value);
  if (name == "SKIP_REGULAR_EXPRESSION") test.skip_regexes = Texts(value);
  if (name == "SKIP_RETURN_CODE" && value.is_number_integer()) test.skip_return_code = value.get<int>();
  if (name == "FIXTURES_SETUP") test.fixtures_setup = Texts(value);
  if (name == "FIXTURES_CLEANUP") test.fixtures_cleanup = Texts(value);
  if (name == "FIXTURES_REQUIRED") test.fixtures_required = Texts(value);
}

Result<CTestTest> ReadTest(const Json& json) {
  CTestTest test;
  if (!json.is_object() || !json.contains("name") || !json["name"].is_string()) return Invalid("a test without a name");
  test.name = json["name"].get<std::string>();
  if (json.contains("command")) test.command = Texts(json["command"]);
  if (!json.contains("properties")) return test;
  const Json& properties = json["properties"];
  if (!properties.is_array()) return Invalid("test {}: its properties are no list", test.name);
  for (const Json& property : properties) {
    if (!property.is_object() || !property.contains("name") || !property["name"].is_string() ||
        !property.contains("value")) {
      return Invalid("test {}: a property without name and value", test.name);
    }
    Take(property["name"].get<std::string>(), property["value"], test);
  }
  return test;
}

bool Share(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& one) { return std::find(b.begin(), b.end(), one) != b.end(); });
}

// Depth first: what a set-up needs comes before it.
void AddSetups(const CTestTest& test, const std::vector<CTestTest>& all, std::vector<const CTestTest*>& seen,
               std::vector<const CTestTest*>& setups) {
  for (const CTestTest& other : all) {
    if (!Share(test.fixtures_required, other.fixtures_setup)) continue;
    if (std::find(seen.begin(), seen.end(), &other) != seen.end()) continue;
    seen.push_back(&other);
    AddSetups(other, all, seen, setups);
    setups.push_back(&other);
  }
}

}  // namespace

Result<std::vector<CTestTest>> ParseCTestTests(std::string_view json) {
  // CTest puts complaints about a project's files before it, on the same stream.
  if (const size_t begin = json.find("\n{"); !json.starts_with('{') && begin != std::string_view::npos)
    json.remove_prefix(begin + 1);
  const Json root = Json::parse(json, nullptr, false);
  if (!root.is_object() || root.value("kind", Json()) != "ctestInfo" || !root.contains("tests")) {
    return Invalid("not what ctest --show-only=json-v1 prints");
  }
  const Json& version = root.contains("version") ? root["version"] : Json();
  if (version.is_object() && version.contains("major") && version["major"] != 1) {
    return Unsupported("ctest prints version {} of its list of tests; version 1 is known", version["major"].dump());
  }
  if (!root["tests"].is_array()) return Invalid("not what ctest --show-only=json-v1 prints");
  std::vector<CTestTest> tests;
  for (const Json& one : root["tests"]) {
    OSCOPE_ASSIGN_OR_RETURN(tests.emplace_back(), ReadTest(one));
  }
  return tests;
}

std::vector<const CTestTest*> SetupsOf(const CTestTest& test, const std::vector<CTestTest>& all) {
  std::vector<const CTestTest*> seen = {&test}, setups;
  AddSetups(test, all, seen, setups);
  return setups;
}

std::vector<const CTestTest*> CleanupsOf(const CTestTest& test, const std::vector<CTestTest>& all) {
  std::vector<std::string> fixtures = test.fixtures_required;
  for (const CTestTest* setup : SetupsOf(test, all)) {
    fixtures.insert(fixtures.end(), setup->fixtures_setup.begin(), setup->fixtures_setup.end());
  }
  std::vector<const CTestTest*> cleanups;
  for (const CTestTest& other : all) {
    if (&other != &test && Share(fixtures, other.fixtures_cleanup)) cleanups.push_back(&other);
  }
  return cleanups;
}

}  // namespace oscope
