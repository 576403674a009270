// Reads JUnit XML with expat as a stream, so that a large report is never in memory as a tree.
//
// There is no standard for these reports, and every framework writes its own variant: with or without suites, with
// messages as attributes or as text, with properties in between. So elements are recognised wherever they stand, and
// unknown ones are skipped. The file may come from a stranger. A document type declaration is refused, and with it
// every entity that could expand or name a file; depth and size are limited.
#include "tracer/harness/junit.h"

#include <expat.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "base/limits.h"

namespace oscope {
namespace {

constexpr size_t kMaxPieceBytes = size_t{1} << 20;  // expat takes int lengths, and asks back between pieces

class Attributes {
 public:
  explicit Attributes(const XML_Char** list) : list_(list) {}

  std::string_view operator[](std::string_view name) const {
    for (const XML_Char** one = list_; *one != nullptr; one += 2) {
      if (name == one[0]) return one[1];
    }
    return {};
  }

  template <typename T>
  T Number(std::string_view name) const {
    const std::string_view text = (*this)[name];
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? value : T{};
  }

 private:
  const XML_Char** list_;
};

CaseState StateOf(const Attributes& attributes) {
  const std::string_view status = attributes["status"], result = attributes["result"];
  if (status == "notrun" || status == "disabled" || result == "suppressed") return CaseState::kNotRun;
  if (result == "skipped") return CaseState::kSkipped;
  // CTest says so here; its <failure> follows.
  return status == "fail" ? CaseState::kFailed : CaseState::kPassed;
}

class Parser {
 public:
  Parser() : expat_(XML_ParserCreate(nullptr), XML_ParserFree) {
    OSCOPE_CHECK(expat_ != nullptr);
    XML_SetUserData(expat_.get(), this);
    XML_SetElementHandler(expat_.get(), OnStart, OnEnd);
    XML_SetCharacterDataHandler(expat_.get(), OnText);
    XML_SetStartDoctypeDeclHandler(expat_.get(), OnDoctype);
  }

  Result<std::vector<JUnitCase>> Parse(std::string_view xml) {
    for (bool last = false; !last;) {
      const size_t size = std::min(xml.size(), kMaxPieceBytes);
      last = size == xml.size();
      if (XML_Parse(expat_.get(), xml.data(), static_cast<int>(size), last) != XML_STATUS_OK) return Explain();
      xml.remove_prefix(size);
    }
    if (!is_report_) return Invalid("no JUnit report: it has neither <testsuite> nor <testcase>");
    return std::move(cases_);
  }

 private:
  static void OnStart(void* self, const XML_Char* name, const XML_Char** attributes) {
    static_cast<Parser*>(self)->Start(name, Attributes(attributes));
  }
  static void OnEnd(void* self, const XML_Char*) { static_cast<Parser*>(self)->End(); }
  static void OnText(void* self, const XML_Char* text, int length) {
    static_cast<Parser*>(self)->Text({text, static_cast<size_t>(length)});
  }
  static void OnDoctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    static_cast<Parser*>(self)->Stop(Invalid("a document type declaration is not allowed"));
  }

  void Start(std::string_view name, const Attributes& attributes) {
    if (stopped_) return;
    if (open_.size() >= kMaxJUnitDepth) return Stop(Limit("elements are nested more than {} deep", kMaxJUnitDepth));
    open_.push_back(ElementOf(name));
    switch (open_.back()) {
      case Element::kSuite:
        is_report_ = true;
        suites_.emplace_back(attributes["name"]);
        break;
      case Element::kCase: StartCase(attributes); break;
      case Element::kFailure: StartFailure(attributes); break;
      case Element::kSkipped:
        if (in_case_ && cases_.back().state == CaseState::kPassed) cases_.back().state = CaseState::kSkipped;
        if (in_case_ && cases_.back().message.empty()) cases_.back().message = attributes["message"];
        break;
      case Element::kOutput:
      case Element::kOther: break;
    }
    target_ = TargetOf(open_.back());
  }

  void StartCase(const Attributes& attributes) {
    is_report_ = true;
    in_case_ = true;
    has_failure_ = false;
    JUnitCase& one = cases_.emplace_back();
    if (!suites_.empty()) one.suite = suites_.back();
    one.classname = attributes["classname"];
    one.name = attributes["name"];
    one.file = attributes["file"];
    one.line = attributes.Number<uint64_t>("line");
    one.seconds = attributes.Number<double>("time");
    one.state = StateOf(attributes);
  }

  void StartFailure(const Attributes& attributes) {
    if (!in_case_) {
      // A suite that failed as a whole, before any of its cases.
      cases_.emplace_back().name = suites_.empty() ? "" : suites_.back();
      has_failure_ = false;
    }
    JUnitCase& one = cases_.back();
    one.state = CaseState::kFailed;
    first_failure_ = !has_failure_;
    has_failure_ = true;
    if (!first_failure_) return;
    one.message = attributes["message"];
    one.type = attributes["type"];
  }

  void End() {
    if (stopped_) return;
    switch (open_.back()) {
      case Element::kSuite: suites_.pop_back(); break;
      case Element::kCase: in_case_ = false; break;
      default: break;
    }
    open_.pop_back();
    target_ = open_.empty() ? nullptr : TargetOf(open_.back());
  }

  void Text(std::string_view text) {
    if (stopped_ || target_ == nullptr) return;
    target_->append(text.substr(0, limits::kMaxTextBytes - std::min(limits::kMaxTextBytes, target_->size())));
  }

  void Stop(Error why) {
    if (stopped_) return;
    stopped_ = std::move(why);
    XML_StopParser(expat_.get(), XML_FALSE);
  }

  Error Explain() {
    const uint64_t line = XML_GetCurrentLineNumber(expat_.get());
    if (stopped_) return Error{stopped_->code, fmt::format("line {}: {}", line, stopped_->message)};
    return Invalid("line {}: {}", line, XML_ErrorString(XML_GetErrorCode(expat_.get())));
  }

  enum class Element : uint8_t { kSuite, kCase, kFailure, kSkipped, kOutput, kOther };

  static Element ElementOf(std::string_view name) {
    if (name == "testsuite") return Element::kSuite;
    if (name == "testcase") return Element::kCase;
    if (name == "failure" || name == "error") return Element::kFailure;
    if (name == "skipped") return Element::kSkipped;
    if (name == "system-out" || name == "system-err") return Element::kOutput;
    return Element::kOther;
  }

  // Where the text of an element is kept.
  std::string* TargetOf(Element element) {
    if (cases_.empty()) return nullptr;
    if (element == Element::kFailure) return first_failure_ ? &cases_.back().text : nullptr;
    if (element == Element::kOutput) return in_case_ ? &cases_.back().output : nullptr;
    return nullptr;
  }

  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> expat_;
  std::optional<Error> stopped_;
  std::vector<Element> open_;
  std::vector<std::string> suites_;
  std::vector<JUnitCase> cases_;
  bool is_report_ = false, in_case_ = false, has_failure_ = false, first_failure_ = false;
  std::string* target_ = nullptr;
};

}  // namespace

std::string FullName(const JUnitCase& one) {
  if (one.classname.empty() || one.classname == one.name) return one.name;
  if (one.name.empty()) return one.classname;
  return one.classname + "." + one.name;
}

Result<std::vector<JUnitCase>> ParseJUnit(std::string_view xml) {
  if (xml.size() > kMaxJUnitBytes) return Limit("the report is larger than {} MB", kMaxJUnitBytes >> 20);
  return Parser().Parse(xml);
}

}  // namespace oscope
