// Chrome traces: which fields count and what they may hold, how B, E and X nest, and which thread is which.
#include <gtest/gtest.h>

#include "tests/unit/import/imported_text.h"

namespace oscope {
namespace {

std::string Thread(const std::string& name, const std::string& events) {
  return "  trace " + name + " execution" + events;
}
std::string OneThread(const std::string& events) { return "run\n  outcome: failed\n" + Thread("0.0", "\n" + events); }

std::string WrongType(int line, const std::string& what) {
  return fmt::format("{}: {} where name, ph, pid, tid, ts or dur has another type\n", line, what);
}

TEST(ChromeFields, OfAnotherTypeAreProblems) {
  const TextCase cases[] = {
      {"a name that is a number", "[\n{\"ph\":\"B\",\"ts\":1,\"name\":5}]", WrongType(2, "a number")},
      {"a phase that is a number", "[{\"ph\":5,\"ts\":1,\"name\":\"a\"}]", WrongType(1, "a number")},
      {"a time that is a text", "[{\"ph\":\"B\",\"ts\":\"1\",\"name\":\"a\"}]", WrongType(1, "a text")},
      {"a duration that is a text", "[{\"ph\":\"X\",\"ts\":1,\"dur\":\"1\",\"name\":\"a\"}]", WrongType(1, "a text")},
      {"a name that is null", "[{\"ph\":\"B\",\"ts\":1,\"name\":null}]", WrongType(1, "null")},
      {"a phase that is true", "[{\"ph\":true,\"ts\":1,\"name\":\"a\"}]", WrongType(1, "a boolean")},
      {"a name that is an object", "[{\"ph\":\"B\",\"ts\":1,\"name\":{\"a\":\"b\"}}]", WrongType(1, "an object")},
      {"a name that is an array", "[{\"ph\":\"B\",\"ts\":1,\"name\":[\"a\"]}]", WrongType(1, "an array")},
      {"a process that is an array", "[{\"ph\":\"B\",\"ts\":1,\"pid\":[1],\"name\":\"a\"}]", WrongType(1, "an array")},
      {"two events of which each has its own", "[{\"ph\":\"B\",\"ts\":1,\"name\":5},\n{\"name\":\"b\"}]",
       WrongType(1, "a number") + "2: an event without its phase, 'ph'\n"},
      {"an event that is wrong twice",
       "[{\"ph\":\"B\",\"ts\":true,\n\"name\":5},\n{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"}]",
       WrongType(1, "a boolean") + WrongType(2, "a number")},
  };
  ExpectTold("chrome", cases);
}

TEST(ChromeFields, ThatAreMissingAreProblems) {
  const TextCase cases[] = {
      {"no phase", "[{\"ts\":1,\"name\":\"a\"}]", "1: an event without its phase, 'ph'\n"},
      {"a phase of two letters", "[{\"ph\":\"BB\",\"ts\":1,\"name\":\"a\"}]", "1: an event without its phase, 'ph'\n"},
      {"no name at a beginning", "[\n\n{\"ph\":\"B\",\"ts\":1}]", "3: an event without its name\n"},
      {"no name at an interval", "[{\"ph\":\"X\",\"ts\":1}]", "1: an event without its name\n"},
      {"no time", "[{\"ph\":\"B\",\"name\":\"a\"}]", "1: an event without its time, 'ts'\n"},
      {"no time at an end", "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},\n{\"ph\":\"E\"}]",
       "2: an event without its time, 'ts'\n"},
  };
  ExpectTold("chrome", cases);
}

TEST(ChromeFields, EventsAreObjects) {
  const TextCase cases[] = {
      {"a number", "[7]", "1: an event is an object\n"},
      {"a text", "[\n\"a\"]", "2: an event is an object\n"},
      {"null", "[null]", "1: an event is an object\n"},
      {"an array", "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},\n[1]]", "2: an event is an object\n"},
  };
  ExpectTold("chrome", cases);
}

// What other tools add is not ours to judge.
TEST(ChromeFields, OtherFieldsMayHoldAnything) {
  const std::string told = OneThread("    0 a\n    1 b\n");
  const TextCase cases[] = {
      {"beside the list",
       "{\"name\":5,\"ts\":\"x\",\"ph\":[],\"pid\":{},\"traceEvents\":[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},{\"ph\":"
       "\"B\",\"ts\":2,\"name\":\"b\"}],\"dur\":\"x\"}",
       told},
      {"in the arguments",
       "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\",\"args\":{\"ts\":\"x\",\"name\":5,\"deep\":{\"ph\":[[1]],\"name\":\"x\"}"
       "}},{\"ph\":\"B\",\"ts\":2,\"name\":\"b\"}]",
       told},
      {"as the arguments",
       "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\",\"args\":[\"x\",{\"name\":\"y\"}]},{\"ph\":\"B\",\"ts\":2,\"name\":"
       "\"b\",\"args\":null}]",
       told},
      {"in fields of other names",
       "[{\"cat\":[[],{}],\"ph\":\"B\",\"id\":{\"name\":\"x\",\"ph\":\"E\"},\"ts\":1,\"name\":\"a\"},{\"ph\":\"B\","
       "\"s\":true,\"ts\":2,\"name\":\"b\"}]",
       told},
      {"in lists beside the list",
       "{\"stackFrames\":[{\"ph\":\"B\",\"ts\":0,\"name\":\"x\"},7],\"traceEvents\":[{\"ph\":\"B\",\"ts\":1,\"name\":"
       "\"a\"},{\"ph\":\"B\",\"ts\":2,\"name\":\"b\"}],"
       "\"samples\":[{\"ph\":\"B\",\"ts\":3,\"name\":\"y\"},7]}",
       told},
      {"in a list of the name that lies deeper",
       "{\"otherData\":{\"traceEvents\":[{\"ph\":\"B\",\"ts\":0,\"name\":\"x\"}]},\"traceEvents\":[{\"ph\":\"B\","
       "\"ts\":1,\"name\":\"a\"},{\"ph\":\"B\",\"ts\":2,\"name\":\"b\"}]}",
       told},
      {"events of other phases",
       "[{\"ph\":\"i\",\"name\":\"x\"},{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},{\"ph\":\"C\",\"ts\":1},{\"ph\":\"B\","
       "\"ts\":2,\"name\":\"b\"}]",
       told},
  };
  ExpectTold("chrome", cases);
  EXPECT_EQ(Told("chrome", "{\"otherData\":{\"traceEvents\":[{\"ph\":\"B\",\"ts\":0,\"name\":\"x\"}]}}"),
            "1: expected an array of events or an object with \"traceEvents\"\n");
}

TEST(ChromeCalls, NestByBeginningsEndsAndIntervals) {
  const TextCase cases[] = {
      {"an end may leave out its name",
       "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},{\"ph\":\"E\",\"ts\":2},{\"ph\":\"B\",\"ts\":3,\"name\":\"b\"}]",
       OneThread("    0 a\n    0 b\n")},
      {"an end of another call",
       "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},\n{\"ph\":\"B\",\"ts\":2,\"name\":\"b\"},\n{\"ph\":\"E\",\"ts\":3,"
       "\"name\":\"a\"}]",
       "3: E of 'a' at 3 without its B\n"},
      {"an end without a beginning", "[{\"ph\":\"E\",\"ts\":3}]", "1: E of '' at 3 without its B\n"},
      {"an end within an interval",
       "[{\"ph\":\"X\",\"ts\":1,\"dur\":5,\"name\":\"a\"},{\"ph\":\"E\",\"ts\":2,\"name\":\"a\"}]",
       "1: E of 'a' at 2 without its B\n"},
      {"beginnings at one time, as written",
       "[{\"ph\":\"B\",\"ts\":1,\"name\":\"b\"},{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},{\"ph\":\"B\",\"ts\":1,\"name\":"
       "\"c\"}]",
       OneThread("    0 b\n    1 a\n    2 c\n")},
      {"intervals at one time, the longer one outside",
       "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"a\"},{\"ph\":\"X\",\"ts\":1,\"dur\":3,\"name\":\"b\"}]",
       OneThread("    0 b\n    1 a\n")},
      {"intervals of one length at one time, as written",
       "[{\"ph\":\"X\",\"ts\":1,\"dur\":3,\"name\":\"b\"},{\"ph\":\"X\",\"ts\":1,\"dur\":3,\"name\":\"a\"}]",
       OneThread("    0 b\n    1 a\n")},
      {"an interval that begins where another ends",
       "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"a\"},{\"ph\":\"X\",\"ts\":3,\"dur\":1,\"name\":\"b\"}]",
       OneThread("    0 a\n    0 b\n")},
      {"an interval that reaches beyond another",
       "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"a\"},{\"ph\":\"X\",\"ts\":2.5,\"dur\":9,\"name\":\"b\"}]",
       OneThread("    0 a\n    1 b\n")},
      {"times out of order",
       "[{\"ph\":\"B\",\"ts\":3,\"name\":\"b\"},{\"ph\":\"E\",\"ts\":4},{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},{\"ph\":"
       "\"E\",\"ts\":2}]",
       OneThread("    0 a\n    0 b\n")},
      {"an interval in a call, and the call's end at its end",
       "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},{\"ph\":\"X\",\"ts\":2,\"dur\":1,\"name\":\"b\"},{\"ph\":\"E\",\"ts\":"
       "3,\"name\":\"a\"},{\"ph\":\"B\",\"ts\":4,\"name\":\"c\"}]",
       OneThread("    0 a\n    1 b\n    0 c\n")},
      {"a name with a signature",
       "[{\"ph\":\"B\",\"ts\":1,\"name\":\"net::read(int)\"},{\"ph\":\"B\",\"ts\":2,\"name\":\"_ZN3net4readEi\"}]",
       OneThread("    0 net::read\n    1 net::read\n")},
  };
  ExpectTold("chrome", cases);
}

TEST(ChromeThreads, AreNumberedByTheirFirstEventAndTheMainOneIsZero) {
  const auto event = [](const std::string& process, const std::string& thread, int time, const std::string& name) {
    return fmt::format("{{\"ph\":\"B\",\"pid\":{},\"tid\":{},\"ts\":{},\"name\":\"{}\"}}", process, thread, time, name);
  };
  const auto named = [](const std::string& what, const std::string& process, const std::string& thread,
                        const std::string& name) {
    return fmt::format(
        "{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"x\":{{\"name\":\"no\"}},\"name\":\"{}\"}}}}",
        process, thread, what, name);
  };
  const TextCase cases[] = {
      {"the main thread begins last",
       "[" + event("7", "9", 1, "a") + "," + event("7", "8", 2, "b") + "," + event("7", "7", 3, "c") + "]",
       "run\n  outcome: failed\n" + Thread("0.1", "\n    0 a\n") + Thread("0.2", "\n    0 b\n") +
           Thread("0.0", "\n    0 c\n")},
      {"texts name processes and threads",
       "[" + event("\"p\"", "\"t\"", 2, "a") + "," + event("\"q\"", "\"t\"", 1, "b") + "," +
           event("\"p\"", "\"u\"", 3, "c") + "]",
       "run\n  outcome: failed\n" + Thread("0.0", "\n    0 b\n") + Thread("1.0", "\n    0 a\n") +
           Thread("1.1", "\n    0 c\n")},
      {"a thread has its own name, the main one its process's",
       "[" + event("7", "7", 1, "a") + "," + event("7", "8", 2, "b") + "," + event("9", "9", 3, "c") + "," +
           event("9", "10", 4, "d") + "," + named("process_name", "7", "7", "server") + "," +
           named("thread_name", "7", "7", "listener") + "," + named("process_name", "9", "9", "child") + "," +
           named("other_name", "7", "8", "no") + "]",
       "run\n  outcome: failed\n" + Thread("0.0", " 'listener'\n    0 a\n") + Thread("0.1", "\n    0 b\n") +
           Thread("1.0", " 'child'\n    0 c\n") + Thread("1.1", "\n    0 d\n")},
      {"a list that is not closed", "[" + event("7", "7", 1, "a") + ",\n" + event("7", "7", 2, "b"),
       "run\n  outcome: failed\n" + Thread("0.0", " partial: the list of events is not closed\n    0 a\n    1 b\n")},
  };
  ExpectTold("chrome", cases);
}

TEST(ChromeText, ThatIsNoTraceIsRefused) {
  const std::string expected =
      "expected a JSON array of events, or an object with \"traceEvents\", that has B or X events\n";
  EXPECT_EQ(Told("chrome", " \n"), "0: no trace in 2 bytes: " + expected);
  EXPECT_EQ(Told("chrome", "[]"), "0: no trace in 2 bytes: " + expected);
  EXPECT_EQ(Told("chrome", "{\"traceEvents\":[]}"), "0: no trace in 18 bytes: " + expected);
  EXPECT_EQ(Told("chrome", "[{\"ph\":\"M\",\"name\":\"process_name\"}]"), "0: no trace in 34 bytes: " + expected);
  EXPECT_EQ(Told("chrome", "7"), "1: expected an array of events or an object with \"traceEvents\"\n");
  // An object that is cut is not an array that lacks its end.
  EXPECT_NE(Told("chrome", "{\"traceEvents\":[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"}\n").find("2: parse error"),
            std::string::npos);
  EXPECT_NE(Told("chrome", "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"},\n]x").find("2: parse error"), std::string::npos);
}

}  // namespace
}  // namespace oscope
