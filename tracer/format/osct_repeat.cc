// How a run was made, as bytes inside the run's record. Lists are bounded by the bytes that are left and by the
// model's limit before they are read.
#include "tracer/format/osct_repeat.h"

#include "base/bytes.h"
#include "base/limits.h"

namespace oscope::osct {
namespace {

constexpr uint64_t kExitCode = 1;
constexpr uint64_t kFails = 2;
constexpr uint64_t kAllFlags = 3;

void EncodeTexts(const std::vector<std::string>& texts, ByteWriter& out) {
  out.Varint(texts.size());
  for (const std::string& text : texts) out.String(text);
}

// A ByteReader that tells a list over its limit from bytes that make no sense.
class Reader : public ByteReader {
 public:
  using ByteReader::ByteReader;

  std::string Text() { return std::string(String(limits::kMaxTextBytes)); }

  // How many items follow. Each takes a byte at least, so a count beyond what is left is a lie.
  uint64_t Items(std::string_view list) {
    const uint64_t count = Varint();
    if (count > remaining()) Fail(fmt::format("{}: {} announced, {} bytes left", list, count, remaining()));
    if (!ok()) return 0;
    if (count <= limits::kMaxFields) return count;
    limit_ = Limit("{}: {} is over the limit of {}", list, count, limits::kMaxFields);
    Fail("over a limit");
    return 0;
  }

  std::vector<std::string> Texts(std::string_view list) {
    std::vector<std::string> texts;
    const uint64_t count = Items(list);
    for (uint64_t i = 0; i < count && ok(); ++i) texts.push_back(Text());
    return texts;
  }

  Status End() const { return limit_ ? Status(*limit_) : ExpectEnd(); }

 private:
  std::optional<Error> limit_;
};

void EncodeExpectation(const Expectation& expected, ByteWriter& out) {
  out.Varint((expected.exit_code ? kExitCode : 0) | (expected.fails ? kFails : 0));
  if (expected.exit_code) out.ZigZag(*expected.exit_code);
  EncodeTexts(expected.output, out);
  EncodeTexts(expected.forbidden_output, out);
}

Expectation DecodeExpectation(Reader& in) {
  Expectation expected;
  const uint64_t flags = in.Varint();
  if ((flags & ~kAllFlags) != 0) in.Fail(fmt::format("flags 0x{:x} are unknown", flags & ~kAllFlags));
  if (flags & kExitCode) {
    const int64_t code = in.ZigZag();
    if (code != static_cast<int32_t>(code)) in.Fail(fmt::format("expected exit code: {} exceeds 32 bits", code));
    expected.exit_code = static_cast<int32_t>(code);
  }
  expected.fails = (flags & kFails) != 0;
  expected.output = in.Texts("expected outputs");
  expected.forbidden_output = in.Texts("forbidden outputs");
  return expected;
}

}  // namespace

std::string EncodeRepeat(const Repeat& repeat) {
  ByteWriter out;
  for (const std::string* text : {&repeat.directory, &repeat.revision, &repeat.changes, &repeat.selection.runner,
                                  &repeat.selection.framework, &repeat.selection.filter}) {
    out.String(*text);
  }
  EncodeExpectation(repeat.expected, out);
  out.Varint(repeat.builds.size());
  for (const BuiltObject& object : repeat.builds) {
    out.String(object.path);
    out.String(object.build_id);
    EncodeTexts(object.compilers, out);
  }
  out.Varint(repeat.not_kept.size());
  for (const NotKept& missing : repeat.not_kept) {
    out.String(missing.kind);
    out.String(missing.name);
  }
  return out.Take();
}

Result<Repeat> DecodeRepeat(std::string_view bytes) {
  Reader in(bytes);
  Repeat repeat;
  for (std::string* text : {&repeat.directory, &repeat.revision, &repeat.changes, &repeat.selection.runner,
                            &repeat.selection.framework, &repeat.selection.filter}) {
    *text = in.Text();
  }
  repeat.expected = DecodeExpectation(in);
  const uint64_t builds = in.Items("built objects");
  for (uint64_t i = 0; i < builds && in.ok(); ++i) {
    BuiltObject& object = repeat.builds.emplace_back();
    object.path = in.Text();
    object.build_id = in.Text();
    object.compilers = in.Texts("compilers");
  }
  const uint64_t missing = in.Items("things not kept");
  for (uint64_t i = 0; i < missing && in.ok(); ++i) {
    NotKept& one = repeat.not_kept.emplace_back();
    one.kind = in.Text();
    one.name = in.Text();
  }
  OSCOPE_RETURN_IF_ERROR(in.End());
  return repeat;
}

}  // namespace oscope::osct
