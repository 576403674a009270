// Collapsed stacks, the thesis's text and JSON lines: every field, every problem and its line.
#include <gtest/gtest.h>

#include "tests/unit/import/imported_text.h"
#include "tracer/import/json_lines_writer.h"
#include "tracer/import/json_text.h"

namespace oscope {
namespace {

TEST(CollapsedLines, AreStacksWithTheirCounts) {
  const TextCase cases[] = {
      {"the usual", "# a comment\n\nmain;read 3\n",
       "run\n  outcome: failed\n  trace 0.0 stack 'samples: 3'\n    main\n    read\n"},
      {"blanks around and inside", "  main;a name  3 \r\n",
       "run\n  outcome: failed\n  trace 0.0 stack 'samples: 3'\n    main\n    a name\n"},
      {"counts of one stack are added", "a;b 3\nc 1\na;b 4",
       "run\n  outcome: failed\n  trace 0.0 stack 'samples: 7'\n    a\n    b\n  trace 0.1 stack 'samples: 1'\n    c\n"},
      {"marks of flame graphs go", "a_[k];b_[j];c_[i];d_[0];e_[1];_[k] 1\n",
       "run\n  outcome: failed\n  trace 0.0 stack 'samples: 1'\n    a\n    b\n    c\n    d\n    e\n    _[k]\n"},
      {"objects are no methods", "main;[heap](deleted) 1\n",
       "run\n  outcome: failed\n  trace 0.0 stack 'samples: 1'\n    main\n    [heap](deleted)\n"},
      {"no count", "main\n", "1: expected 'frame;frame;frame count'\n"},
      {"a count alone", "12\n", "1: expected 'frame;frame;frame count'\n"},
      {"no frame at the beginning", "a 1\n;main 3\n", "2: expected 'frame;frame;frame count'\n"},
      {"no frame at the end", "main; 3\n", "1: expected 'frame;frame;frame count'\n"},
      {"no frame in the middle", "a;;b 3\n", "1: expected 'frame;frame;frame count'\n"},
      {"too large a sum", "a 18446744073709551615\n\na 1\n", "3: the counts of one stack exceed 64 bits\n"},
      {"a name that is too long", "a 1\nb;" + std::string(65'537, 'x') + " 1\n",
       "2: a name of 65537 bytes; the limit is 65536\n"},
  };
  ExpectTold("collapsed", cases);
}

std::string Java(const std::string& rest) { return "run\n  language: java\n  outcome: failed\n" + rest; }

TEST(ThesisLines, AreEventsAndFields) {
  const TextCase cases[] = {
      {"values stay with their instructions", "M a/B c ()V\nI ALOAD 0\nI POP\nI LDC 7 8\n",
       Java("  trace 0.0 execution\n    a.B.c  -- sig ()V\n    I ALOAD = 0\n    I POP\n    I LDC = 7 8\n")},
      {"lines that continue", "M a/B \\\nc ()V\nM a/B \\\n  d \\\n ( I )V .\n",
       Java("  trace 0.0 execution\n    a.B.c  -- sig ()V\n    a.B.d  -- sig (I)V\n")},
      {"every field",
       "# project: Q\n# bug: 7\n# test: T.t\n# version: v1\n# message: it failed: so\n# outcome: timeout\n# mark: 1\n# "
       "severity: high\nM a/B c ()V\nS a/B d ()V\n",
       "run\n  project: Q\n  bug: 7\n  test: T.t\n  version: v1\n  language: java\n  outcome: timeout\n  message: it "
       "failed: so\n  failing thread: 0.0\n"
       "  custom severity: high\n  trace 0.0 execution\n    a.B.c  -- sig ()V\n    ^ mark\n    a.B.d  -- sig ()V\n"},
      {"comments that are no fields", "# hello\n# see also: x\n# : y\nM a/B c ()V\n",
       Java("  trace 0.0 execution\n    a.B.c  -- sig ()V\n")},
      {"runs end at a blank line, at 'run' and at a field",
       "M a/B c ()V\n\nM a/B d ()V\n# run\nM a/B e ()V\n# bug: 2\nM a/B f ()V\n",
       Java("  trace 0.0 execution\n    a.B.c  -- sig ()V\n") + Java("  trace 0.0 execution\n    a.B.d  -- sig ()V\n") +
           Java("  trace 0.0 execution\n    a.B.e  -- sig ()V\n") +
           "run\n  bug: 2\n  language: java\n  outcome: failed\n  trace 0.0 execution\n    a.B.f  -- sig ()V\n"},
      {"a run without events", "M a/B c ()V\n\n# bug: 1\n\nM a/B d ()V\n", "3: a run without events\n"},
      {"'run' without events", "# run\n", "1: a run without events\n"},
      {"no opcode", "M a/B c ()V\nI\n", "2: expected an opcode, such as 'I ALOAD 0'\n"},
      {"no method", "M a/B\n", "1: expected class, method and signature, such as 'M a/B get (I)V'\n"},
      {"no signature", "M a/B c V\n", "1: expected class, method and signature, such as 'M a/B get (I)V'\n"},
      {"a mark that is none", "# mark: 0\nM a/B c ()V\n", "1: '0': a mark is a number of events\n"},
      {"a mark beyond the end", "# bug: 1\n# mark: 2\nM a/B c ()V\n", "2: the mark lies at event 2 of 1\n"},
      {"a line that does not end", "M a/B c ()V\nM a/B \\\n  d \\\n", "2: the line continues, but the text ends\n"},
      {"another kind", "M a/B c ()V\nQ x\n", "2: expected M, S or I and its words\n"},
  };
  ExpectTold("thesis", cases);
  const ImportedText plain = ImportText("thesis", "M a/B c ()V\nI POP\n");
  EXPECT_FALSE(plain.collected.runs.at(0).traces.at(0).header.has_values);
}

TEST(JsonProblems, NameTheFieldAndWhereItIs) {
  const auto run = [](const std::string& rest) { return "\n{\"type\":\"run\"," + rest + "}\n"; };
  const auto trace = [&](const std::string& rest) { return run("\"traces\":[{\"events\":[\"f\"]," + rest + "}]"); };
  const auto bug = [](const std::string& rest) { return "{\"type\":\"bug\",\"id\":\"1\"," + rest + "}\n"; };
  const TextCase cases[] = {
      {"no object", "7\n", "1: expected a JSON object\n"},
      {"no type", "{}\n", "1: expected \"type\" to be bug, run, trace, events or attachment\n"},
      {"an unknown field of a run", run("\"sginal\":1"), "2: 'sginal': not a field that is known here\n"},
      {"an unknown field of a bug", bug("\"x\":1"), "1: 'x': not a field that is known here\n"},
      {"an unknown field of a trace", trace("\"x\":1"), "2: traces 1, 'x': not a field that is known here\n"},
      {"an unknown field of a trace's line", run("\"bug\":\"1\"") + "{\"type\":\"trace\",\"events\":[\"f\"],\"x\":1}\n",
       "3: 'x': not a field that is known here\n"},
      {"an unknown field of a mark", trace("\"mark\":{\"events\":1,\"x\":1}"),
       "2: traces 1, mark, 'x': not a field that is known here\n"},
      {"an unknown field of a failing thread", run("\"failing_thread\":{\"x\":1}"),
       "2: failing_thread, 'x': not a field that is known here\n"},
      {"an unknown field of an input", run("\"inputs\":[{\"name\":\"a\"},{\"x\":1}]"),
       "2: inputs 2, 'x': not a field that is known here\n"},
      {"an unknown field of a comment", bug("\"comments\":[{\"x\":1}]"),
       "1: comments 1, 'x': not a field that is known here\n"},
      {"an unknown field of a fix", bug("\"fix\":{\"x\":1}"), "1: fix, 'x': not a field that is known here\n"},
      {"an unknown field of a duplicate", bug("\"duplicates\":[{\"id\":\"2\",\"x\":1}]"),
       "1: duplicates 1, 'x': not a field that is known here\n"},
      {"an unknown field of a pair", run("\"custom\":[{\"key\":\"a\",\"x\":1}]"),
       "2: custom 1, 'x': not a field that is known here\n"},
      {"an unknown field of an event", run("\"traces\":[{\"events\":[{\"event\":\"f\",\"x\":1}]}]"),
       "2: events, 'x': not a field that is known here\n"},
      {"a text that is a number", run("\"bug\":1"), "2: 'bug': expected a text, or an object with its base64\n"},
      {"a text of two encodings", run("\"bug\":{\"base64\":\"\",\"x\":1}"),
       "2: 'bug': expected a text, or an object with its base64\n"},
      {"a text of another encoding", run("\"bug\":{\"hex\":\"00\"}"),
       "2: 'bug': expected a text, or an object with its base64\n"},
      {"a text whose base64 is a number", run("\"bug\":{\"base64\":7}"),
       "2: 'bug': expected a text, or an object with its base64\n"},
      {"a text in a list of one", run("\"bug\":[\"x\"]"), "2: 'bug': expected a text, or an object with its base64\n"},
      {"a flag that is none", run("\"incomplete\":\"yes\""), "2: 'incomplete': expected true or false\n"},
      {"a number that is none", run("\"signal\":\"9\""), "2: 'signal': expected a whole number\n"},
      {"a number that is not whole", run("\"signal\":1.5"), "2: 'signal': expected a whole number\n"},
      {"a map that is a text", run("\"custom\":\"x\""), "2: 'custom': expected an object\n"},
      {"a map of numbers", run("\"custom\":{\"a\":1}"), "2: 'custom': expected texts\n"},
      {"a list of numbers", run("\"command\":[\"a\",1]"), "2: 'command': expected texts\n"},
      {"a list that is none", run("\"command\":\"a\""), "2: 'command': expected an array\n"},
      {"an object that is none", run("\"failing_thread\":7"), "2: 'failing_thread': expected an object\n"},
      {"objects that are none", run("\"traces\":[7]"), "2: 'traces': expected objects\n"},
      {"an outcome that is none", run("\"outcome\":\"odd\""),
       "2: 'outcome': 'odd': an outcome is passed, failed, signal or timeout\n"},
      {"an input's base64", run("\"inputs\":[{\"base64\":\"Zm8\"}]"),
       "2: inputs 1, 'base64': base64 of 3 characters, not a multiple of 4\n"},
      {"an event that is a number", run("\"traces\":[{\"events\":[7]}]"),
       "2: an event is a text, or an object with \"event\"\n"},
      {"an event without a name", run("\"traces\":[{\"events\":[\"\"]}]"),
       "2: an event is a text, or an object with \"event\"\n"},
      {"an event of attributes alone", run("\"traces\":[{\"events\":[{\"line\":1}]}]"),
       "2: an event is a text, or an object with \"event\"\n"},
      {"a depth that is negative", trace("\"depths\":[-1]"), "2: traces 1, 'depths': expected whole numbers\n"},
      {"too many depths", trace("\"depths\":[1,2]"), "2: traces 1, 'depths': 2 for 1 events\n"},
      {"too many outcomes", trace("\"outcomes\":[\"none\",\"taken\"]"), "2: traces 1, 'outcomes': 2 for 1 events\n"},
      {"too many values", trace("\"values\":[\"\",\"\"]"), "2: traces 1, 'values': 2 for 1 events\n"},
      {"an event's outcome that is none", trace("\"outcomes\":[\"odd\"]"),
       "2: traces 1, 'outcomes': expected none, taken, not taken, returned or threw\n"},
      {"an event's outcome that is a number", trace("\"outcomes\":[1]"),
       "2: traces 1, 'outcomes': expected none, taken, not taken, returned or threw\n"},
      {"events without a trace", run("\"bug\":\"1\"") + "{\"type\":\"events\",\"events\":[\"f\"]}\n",
       "3: no trace line before it\n"},
      {"two traces of a thread", run("\"traces\":[{\"events\":[\"f\"]},{\"events\":[\"g\"]}]"),
       "0: run 1: two execution traces of thread 0.0\n"},
      {"a mark beyond the end", trace("\"mark\":{\"events\":2}"), "0: run 1: the failure mark lies at event 2 of 1\n"},
      {"a bug without a valid id", "{\"type\":\"bug\",\"id\":\"../1\"}\n",
       "0: bug id: byte 0x2f is not a letter, a digit or one of . _ + # @ : -\n"},
  };
  ExpectTold("jsonl", cases);
  EXPECT_NE(Told("jsonl", run("\"started\":\"yesterday\"")).find("2: 'started': "), std::string::npos);
  const std::string cut = Told("jsonl", "{\"type\":\"run\"\n");
  EXPECT_TRUE(cut.starts_with("1: parse error")) << cut;
}

// A field that holds its default is not written, and attributes are written once in a run.
TEST(JsonLinesText, IsAsShortAsItCanBe) {
  RunCollector collected;
  SymbolAttributes attributes;
  attributes.line = 3;
  oscope::Run run;
  run.header.id.value = {1, 2};
  run.header.failing_thread = ThreadRef{3, 4};
  run.header.recorder = "r";
  Trace trace;
  trace.events = {collected.symbols.Intern("f", attributes), collected.symbols.Intern("g"),
                  collected.symbols.Intern("f", attributes)};
  trace.FinishHeader();
  run.traces = {trace};
  std::string text;
  JsonLinesWriter writer([&](std::string_view line) {
    text += line;
    return Status();
  });
  Bug bug;
  bug.key = {"P", "1"};
  ASSERT_TRUE(writer.AddBug(bug).ok());
  ASSERT_TRUE(SendRun(run, collected.symbols, writer).ok());
  ASSERT_TRUE(SendRun(run, collected.symbols, writer).ok());
  const std::string once =
      "{\"type\":\"run\",\"id\":\"00000000000000010000000000000002\",\"recorder\":\"r\",\"outcome\":\"failed\","
      "\"failing_thread\":{\"process\":3,\"thread\":4}}\n"
      "{\"type\":\"trace\",\"kind\":\"execution\",\"events\":[{\"event\":\"f\",\"line\":3},\"g\",\"f\"]}\n";
  EXPECT_EQ(text, "{\"type\":\"bug\",\"project\":\"P\",\"id\":\"1\",\"status\":\"open\"}\n" + once + once);
}

TEST(JsonTexts, AreEscaped) {
  std::string json;
  AppendJsonText(json, "a \"\\\n\t\r\x01\x1f\x20\x7f\xc3\xa4");
  EXPECT_EQ(json, "\"a \\\"\\\\\\n\\t\\r\\u0001\\u001f \\u007f\xc3\xa4\"");
  json.clear();
  AppendJsonText(json, "\xff");
  EXPECT_EQ(json, "{\"base64\":\"/w==\"}");
  EXPECT_EQ(JsonReason("[json.exception.parse_error.101] parse error"), "parse error");
  EXPECT_EQ(JsonReason("no bracket"), "no bracket");
  EXPECT_EQ(JsonReason(std::string(300, 'x')), std::string(200, 'x'));
}

}  // namespace
}  // namespace oscope
