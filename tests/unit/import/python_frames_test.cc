// The frame lines of a Python traceback, and the modules that files stand for.
#include <gtest/gtest.h>

#include "tracer/import/python_frame.h"

namespace oscope {
namespace {

std::string ToldFrame(std::string_view text) {
  const auto frame = ParsePythonFrame(text);
  if (!frame) return "(none)";
  return fmt::format("{}|{}:{}", FrameEvent(*frame), frame->attributes.file, frame->attributes.line);
}

TEST(PythonFrame, IsNamedByItsModule) {
  const std::pair<std::string_view, std::string_view> frames[] = {
      {"  File \"/src/app.py\", line 9, in f", "app.f|/src/app.py:9"},
      {"  File \"/src/app.py\", line 9 in f", "app.f|/src/app.py:9"},
      {"  File \"/src/app.py\", line 9", "[app.py]|/src/app.py:9"},
      {"  File \"app.pyc\", line 9, in f", "app.f|app.pyc:9"},
      {"  File \"app.pyx\", line 9, in f", "app.f|app.pyx:9"},
      {"  File \"/src/script\", line 9, in f", "script.f|/src/script:9"},
      {"  File \"/src/pkg/__init__.py\", line 9, in f", "pkg.f|/src/pkg/__init__.py:9"},
      {"  File \"__init__.py\", line 9, in f", "__init__.f|__init__.py:9"},
      {"  File \"/__init__.py\", line 9, in f", "__init__.f|/__init__.py:9"},
      {"  File \"<frozen importlib._bootstrap>\", line 9, in f",
       "importlib._bootstrap.f|<frozen importlib._bootstrap>:9"},
      {"  File \"<frozen zip\", line 9, in f", "<frozen zip.f|<frozen zip:9"},
      {"  File \"<stdin>\", line 9, in f", "<stdin>.f|<stdin>:9"},
      {"  File \"my app.py\", line 9, in <module>", "my app.<module>|my app.py:9"},
      {"  File \"a.py\", line 9, in A.f.<locals>.<lambda>", "a.A.f.<locals>.<lambda>|a.py:9"},
      {"  File \"odd\", line 3.py\", line 9, in f", "odd\", line 3.f|odd\", line 3.py:9"},
      {"  File \"a.py\", line 4294967295, in f", "a.f|a.py:4294967295"},
  };
  for (const auto& [text, told] : frames) EXPECT_EQ(ToldFrame(text), told) << text;
}

TEST(PythonFrame, OtherTextsAreNone) {
  for (const std::string_view text :
       {"", "File", "File \"a.py\"", "File \"a.py\", line x, in f", "File \"a.py\", line 4294967296, in f",
        "File \"a.py\", line 9, in ", "File \"a.py\", line 9, at f", "Fil \"a.py\", line 9, in f"}) {
    EXPECT_EQ(ToldFrame(text), "(none)") << text;
  }
  EXPECT_TRUE(IsPythonFrameLine("  File \"a.py\", li"));
  EXPECT_FALSE(IsPythonFrameLine("  file \"a.py\", line 1, in f"));
}

}  // namespace
}  // namespace oscope
