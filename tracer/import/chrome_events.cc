// Reads events from the JSON parser's stream of tokens. A document tree of a trace with millions of events would take
// many times the memory of its text. The handler keeps the depth at which the list of events lies, and looks only at
// fields of objects directly inside it; everything deeper is skipped, except the name in `args`, which names threads.
//
// The file may be cut off, because programs write it until they die. Events before the cut are used if the rest is only
// missing and not malformed.
#include "tracer/import/chrome_events.h"

#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "tracer/import/import_batch.h"
#include "tracer/import/json_text.h"

namespace oscope {
namespace {

using Json = nlohmann::json;

// Walks the text and counts its lines, which the parser's events do not tell.
class LineCounter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounter(const char* at, uint64_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  LineCounter& operator++() {
    if (*at_ == '\n') ++*line_;
    ++at_;
    return *this;
  }
  bool operator==(const LineCounter& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  uint64_t* line_;
};

enum class Field { kNone, kName, kPhase, kProcess, kThread, kTime, kDuration, kArguments, kArgumentName };

Field FieldOf(std::string_view key) {
  if (key == "name") return Field::kName;
  if (key == "ph") return Field::kPhase;
  if (key == "pid") return Field::kProcess;
  if (key == "tid") return Field::kThread;
  if (key == "ts") return Field::kTime;
  if (key == "dur") return Field::kDuration;
  return key == "args" ? Field::kArguments : Field::kNone;
}

class EventHandler : public nlohmann::json_sax<Json> {
 public:
  EventHandler(std::string_view bytes, const uint64_t& line, ImportBatch& batch)
      : size_(bytes.size()), line_(line), batch_(batch) {
    out.names.emplace_back();
  }

  bool null() override { return Scalar("null"); }
  bool boolean(bool /*value*/) override { return Scalar("a boolean"); }
  bool number_integer(number_integer_t value) override {
    return Number(static_cast<double>(value), std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return Number(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(number_float_t value, const string_t& text) override { return Number(value, text); }
  bool binary(binary_t& /*value*/) override { return false; }

  bool string(string_t& value) override {
    switch (field_) {
      case Field::kName: event_.name = NameId(value); break;
      case Field::kPhase: event_.phase = value.size() == 1 ? value[0] : 0; break;
      case Field::kProcess: event_.process = value; break;
      case Field::kThread: event_.thread = value; break;
      case Field::kArgumentName: event_.argument = value; break;
      case Field::kTime:
      case Field::kDuration: Wrong("a text"); break;
      case Field::kNone:
      case Field::kArguments: return Scalar("a text");
    }
    field_ = Field::kNone;
    return true;
  }

  bool key(string_t& value) override {
    field_ = Field::kNone;
    if (depth_ == 1 && array_depth_ == 0) at_events_ = value == "traceEvents";
    if (array_depth_ == 0) return true;
    if (depth_ == array_depth_ + 1) field_ = FieldOf(value);
    if (depth_ == array_depth_ + 2 && in_arguments_ && value == "name") field_ = Field::kArgumentName;
    return true;
  }

  bool start_object(size_t /*size*/) override {
    if (array_depth_ != 0 && depth_ == array_depth_) {
      event_ = {};
      event_.line = line_;
    } else if (array_depth_ != 0 && depth_ == array_depth_ + 1) {
      in_arguments_ = field_ == Field::kArguments;
      if (!in_arguments_ && field_ != Field::kNone) Wrong("an object");
    }
    field_ = Field::kNone;
    ++depth_;
    return true;
  }

  bool end_object() override {
    --depth_;
    if (array_depth_ == 0) return true;
    if (depth_ == array_depth_ + 1) in_arguments_ = false;
    if (depth_ == array_depth_) EndEvent();
    return true;
  }

  bool start_array(size_t /*size*/) override {
    const bool is_list = array_depth_ == 0 && (depth_ == 0 || (depth_ == 1 && at_events_));
    if (array_depth_ != 0 && depth_ == array_depth_) batch_.AddProblem(line_, "an event is an object");
    if (field_ != Field::kNone && field_ != Field::kArguments) Wrong("an array");
    field_ = Field::kNone;
    ++depth_;
    if (is_list) array_depth_ = depth_;
    found_list_ = found_list_ || is_list;
    return true;
  }

  bool end_array() override {
    if (depth_ == array_depth_) array_depth_ = 0;
    --depth_;
    return true;
  }

  bool parse_error(size_t position, const std::string& /*token*/, const nlohmann::detail::exception& error) override {
    const bool at_end = position >= size_;
    if (at_end && depth_ == 1 && array_depth_ == 1) {
      out.unclosed = true;
    } else {
      batch_.AddProblem(line_, JsonReason(error.what()));
    }
    return false;
  }

  bool found_list() const { return found_list_; }
  ChromeEvents out;

 private:
  bool Number(double value, const std::string& text) {
    switch (field_) {
      case Field::kTime: event_.time_us = value; break;
      case Field::kDuration: event_.duration_us = value; break;
      case Field::kProcess: event_.process = text; break;
      case Field::kThread: event_.thread = text; break;
      case Field::kName:
      case Field::kPhase: Wrong("a number"); break;
      case Field::kNone:
      case Field::kArguments:
      case Field::kArgumentName: return Scalar("a number");
    }
    field_ = Field::kNone;
    return true;
  }

  bool Scalar(std::string_view what) {
    const bool is_event = array_depth_ != 0 && depth_ == array_depth_;
    if (is_event) batch_.AddProblem(line_, "an event is an object");
    const bool may_be_anything =
        field_ == Field::kNone || field_ == Field::kArguments || field_ == Field::kArgumentName;
    if (!may_be_anything) Wrong(what);
    field_ = Field::kNone;
    return true;
  }

  void Wrong(std::string_view what) {
    batch_.AddProblem(line_, fmt::format("{} where name, ph, pid, tid, ts or dur has another type", what));
    field_ = Field::kNone;
    broken_ = true;
  }

  uint32_t NameId(const std::string& name) {
    const auto [at, is_new] = name_ids_.emplace(name, static_cast<uint32_t>(out.names.size()));
    if (is_new) out.names.push_back(name);
    return at->second;
  }

  void EndEvent() {
    const char phase = event_.phase;
    if (std::exchange(broken_, false)) return;  // told already
    if (phase == 'B' || phase == 'E' || phase == 'X' || phase == 'M') out.events.push_back(std::move(event_));
    if (phase == 0) batch_.AddProblem(event_.line, "an event without its phase, 'ph'");
    event_ = {};
  }

  size_t size_;
  const uint64_t& line_;
  ImportBatch& batch_;
  std::unordered_map<std::string, uint32_t> name_ids_;
  int depth_ = 0;
  int array_depth_ = 0;  // of the list of events while within it, else 0
  bool at_events_ = false;
  bool found_list_ = false;
  bool in_arguments_ = false;
  bool broken_ = false;         // the event at hand
  Field field_ = Field::kNone;  // whose value comes next
  ChromeEvent event_;
};

}  // namespace

ChromeEvents ReadChromeEvents(std::string_view bytes, ImportBatch& batch) {
  if (const uint64_t line = FindTooDeepNesting(bytes); line != 0) {
    batch.AddLimit(line, fmt::format("more than {} levels of brackets", kMaxJsonNesting));
    return {};
  }
  uint64_t line = 1;
  EventHandler handler(bytes, line, batch);
  const char* begin = bytes.data();
  const bool parsed = Json::sax_parse(LineCounter(begin, &line), LineCounter(begin + bytes.size(), &line), &handler);
  if (parsed && !handler.found_list())
    batch.AddProblem(1, "expected an array of events or an object with \"traceEvents\"");
  return std::move(handler.out);
}

}  // namespace oscope
