// The ring is read back with the reader that oscope itself uses.
#include "tracer/pin/sink.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <thread>

#include "tests/unit/pin_tool/scratch_recording.h"
#include "tracer/pin/kernel.h"
#include "tracer/pin/record.h"
#include "tracer/raw/process_recording.h"

namespace oscope::pin {
namespace {

void StartIn(const ScratchRecording& recording, Sink& sink) {
  std::string error;
  ASSERT_EQ(sink.Start(recording.path(), recording.ring_chunks(), &error), Sink::Started::kRecording) << error;
}

OscRawHeader HeaderOf(const ScratchRecording& recording, uint32_t process) {
  return raw::ProcessRecording::Open(fmt::format("{}/{}.events", recording.path(), process))->header();
}

// What the child of a fork does and how it ends.
template <typename Work>
int InChild(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

TEST(PinSink, WritesTheHeaderAndRecords) {
  const ScratchRecording recording(4, 8);
  Sink sink;
  StartIn(recording, sink);
  Chunk chunk = sink.Take(5, Chunk());
  chunk.begin[0] = OSC_RAW_WORD(OSC_RAW_ENTRY, 3);
  chunk.begin[1] = 4096;
  chunk.begin[2] = OSC_RAW_WORD(OSC_RAW_BRANCH, (7 << 1) | 1);
  chunk.begin[3] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 8);
  chunk.begin[4] = OSC_RAW_WORD(OSC_RAW_INSTR, 9);
  Record record(OSC_RAW_EXIT);
  record.Word(1);
  std::copy(record.Finish().begin(), record.Finish().end(), chunk.begin + 5);
  sink.SetFlag(OSC_RAW_FINISHED);

  EXPECT_EQ(recording.Events(0), "5 entry 3 4096\n5 branch 7 true\n5 statement 8\n5 instruction 9\n5 extended 5\n");
  const OscRawHeader header = HeaderOf(recording, 0);
  EXPECT_EQ(header.ring_chunks, 8u);
  EXPECT_EQ(header.chunks, 1u);
  EXPECT_EQ(header.flags, static_cast<unsigned>(OSC_RAW_FINISHED));
  EXPECT_EQ(header.process, 0u);
  EXPECT_EQ(header.parent, OSC_RAW_NO_PROCESS);
  EXPECT_EQ(header.origin, static_cast<unsigned>(OSC_RAW_STARTED));
  EXPECT_EQ(header.pid, static_cast<unsigned>(::getpid()));
  EXPECT_EQ(std::filesystem::file_size(recording.path() + "/0.events"),
            size_t{OSC_RAW_HEADER_BYTES} + OSC_RAW_CHUNK_BYTES);
}

TEST(PinSink, AProcessBeyondTheLimitHasNoFile) {
  const ScratchRecording recording(1, 8);
  Sink first, second;
  StartIn(recording, first);
  std::string error;
  EXPECT_EQ(second.Start(recording.path(), 8, &error), Sink::Started::kOverLimit);
  EXPECT_FALSE(std::filesystem::exists(recording.path() + "/1.events"));
  Chunk chunk = second.Take(0, Chunk());
  EXPECT_EQ(chunk.slot, UINT32_MAX);
  chunk.begin[0] = chunk.end[-1] = 1;  // it may be written to
  second.SetFlag(OSC_RAW_FINISHED);
}

TEST(PinSink, ADirectoryThatIsNoRecordingIsAnError) {
  Sink sink;
  std::string error;
  EXPECT_EQ(sink.Start("/nowhere/at/all", 8, &error), Sink::Started::kFailed);
  EXPECT_NE(error.find("/nowhere/at/all/control"), std::string::npos);
}

TEST(PinSink, TheRingKeepsTheNewest) {
  const ScratchRecording recording(1, 3);
  Sink sink;
  StartIn(recording, sink);
  Chunk chunk;
  for (uint32_t i = 0; i < 10; ++i) {
    chunk = sink.Take(0, chunk);
    chunk.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, i);
    chunk.begin[1] = i < 7 ? OSC_RAW_WORD(OSC_RAW_STATEMENT, 99) : 0;  // the next in the slot must not see it
  }
  EXPECT_EQ(recording.Events(0), "0 statement 7\n0 statement 8\n0 statement 9\n");
  EXPECT_EQ(HeaderOf(recording, 0).chunks, 10u);
}

TEST(PinSink, AChunkThatIsBeingFilledIsPassedOver) {
  const ScratchRecording recording(1, 3);
  Sink sink;
  StartIn(recording, sink);
  const Chunk slow = sink.Take(0, Chunk());
  slow.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 1000);
  Chunk quick;
  for (uint32_t i = 0; i < 10; ++i) {
    quick = sink.Take(1, quick);
    ASSERT_NE(quick.slot, slow.slot);
    quick.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, i);
  }
  slow.begin[1] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 1001);
  EXPECT_EQ(recording.Events(0), "0 statement 1000\n0 statement 1001\n1 statement 8\n1 statement 9\n");

  // Given back, it is the oldest.
  sink.GiveBack(slow);
  for (uint32_t i = 10; i < 13; ++i) {
    quick = sink.Take(1, quick);
    quick.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, i);
  }
  EXPECT_EQ(recording.Events(0), "1 statement 10\n1 statement 11\n1 statement 12\n");
}

TEST(PinSink, MoreThreadsThanSlotsWriteNowhere) {
  const ScratchRecording recording(1, 2);
  Sink sink;
  StartIn(recording, sink);
  const Chunk first = sink.Take(0, Chunk()), second = sink.Take(1, Chunk()), third = sink.Take(2, Chunk());
  EXPECT_EQ(third.slot, UINT32_MAX);
  third.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 3);
  sink.GiveBack(second);
  const Chunk again = sink.Take(2, third);
  EXPECT_EQ(again.slot, second.slot);
  again.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 4);
  first.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 1);
  EXPECT_EQ(recording.Events(0), "0 statement 1\n2 statement 4\n");
}

TEST(PinSink, ThreadsSideBySideLoseNothing) {
  constexpr uint32_t kThreads = 6, kRecords = 200'000;
  const ScratchRecording recording(1, 64);
  Sink sink;
  StartIn(recording, sink);
  std::mutex lock;
  std::vector<std::thread> threads;
  for (uint32_t number = 0; number < kThreads; ++number) {
    threads.emplace_back([&, number] {
      Chunk chunk;
      uint32_t* next = nullptr;
      for (uint32_t i = 0; i < kRecords; ++i) {
        if (next == chunk.end) {
          const std::lock_guard guard(lock);
          chunk = sink.Take(number, chunk);
          next = chunk.begin;
        }
        *next++ = OSC_RAW_WORD(OSC_RAW_STATEMENT, i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  struct Checker {
    std::vector<uint32_t> next = std::vector<uint32_t>(kThreads);
    uint32_t thread = 0;
    uint32_t wrong = 0;
    void OnThread(uint32_t now) { thread = now; }
    void OnEntry(uint32_t, uint32_t) { ++wrong; }
    void OnBranch(uint32_t, bool) { ++wrong; }
    void OnStatement(uint32_t site) { wrong += site != next[thread]++; }
    void OnInstruction(uint32_t) { ++wrong; }
    void OnExtended(raw::ExtendedRecord&) { ++wrong; }
  } checker;
  const Result<raw::ProcessRecording> events = raw::ProcessRecording::Open(recording.path() + "/0.events");
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(events->Visit(checker), 0u);
  EXPECT_EQ(checker.wrong, 0u);
  EXPECT_EQ(checker.next, std::vector<uint32_t>(kThreads, kRecords));
}

TEST(PinSink, AForkedProcessHasItsOwnFile) {
  const ScratchRecording recording(4, 4);
  Sink sink;
  StartIn(recording, sink);
  const Chunk chunk = sink.Take(0, Chunk());
  chunk.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 1);
  const int status = InChild([&] {
    std::string error;
    ASSERT_EQ(sink.StartForked(11, 2, &error), Sink::Started::kRecording) << error;
    const Chunk own = sink.Take(0, Chunk());
    own.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 2);
    sink.SetFlag(OSC_RAW_FINISHED);
  });
  EXPECT_EQ(status, 0);
  chunk.begin[1] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 3);
  EXPECT_EQ(recording.Events(0), "0 statement 1\n0 statement 3\n");
  EXPECT_EQ(recording.Events(1), "0 statement 2\n");
  EXPECT_EQ(HeaderOf(recording, 0).flags, 0u);
  const OscRawHeader header = HeaderOf(recording, 1);
  EXPECT_EQ(header.parent, 0u);
  EXPECT_EQ(header.parent_sites, 11u);
  EXPECT_EQ(header.parent_objects, 2u);
  EXPECT_EQ(header.origin, static_cast<unsigned>(OSC_RAW_FORKED));
}

TEST(PinSink, AKillLosesNothing) {
  const ScratchRecording recording(1, 4);
  const int status = InChild([&] {
    Sink sink;
    StartIn(recording, sink);
    const Chunk chunk = sink.Take(0, Chunk());
    chunk.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, 1);
    ::kill(::getpid(), SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(recording.Events(0), "0 statement 1\n");
  EXPECT_EQ(HeaderOf(recording, 0).flags, 0u);
}

// A limit of the program's on the size of files stands in for a full disk, and must not become a signal of the
// program's.
TEST(PinSink, WhereThereIsNoMoreSpaceTheSlotsBecomeTheRing) {
  const ScratchRecording recording(1, 8);
  const int status = InChild([&] {
    Sink sink;
    StartIn(recording, sink);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = OSC_RAW_HEADER_BYTES + 3 * size_t{OSC_RAW_CHUNK_BYTES} + 100;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    Chunk chunk;
    for (uint32_t i = 0; i < 10; ++i) {
      chunk = sink.Take(0, chunk);
      ASSERT_LT(chunk.slot, 3u);
      chunk.begin[0] = OSC_RAW_WORD(OSC_RAW_STATEMENT, i);
    }
  });
  ASSERT_EQ(status, 0);
  EXPECT_EQ(recording.Events(0), "0 statement 7\n0 statement 8\n0 statement 9\n");
  const OscRawHeader header = HeaderOf(recording, 0);
  EXPECT_EQ(header.ring_chunks, 3u);
  EXPECT_EQ(header.chunks, 10u);
  EXPECT_EQ(header.flags, static_cast<unsigned>(OSC_RAW_DISK_FULL));
}

TEST(PinSink, WithoutAnySpaceNothingIsRecorded) {
  const ScratchRecording recording(1, 8);
  const int status = InChild([&] {
    Sink sink;
    StartIn(recording, sink);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = OSC_RAW_HEADER_BYTES;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    EXPECT_EQ(sink.Take(0, Chunk()).slot, UINT32_MAX);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(recording.Events(0), "");
  EXPECT_EQ(HeaderOf(recording, 0).ring_chunks, 0u);
}

TEST(PinSink, NoDescriptorStaysOpen) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const ScratchRecording recording(1, 4);
  const auto before = count();
  Sink sink;
  StartIn(recording, sink);
  sink.Take(0, Chunk());
  EXPECT_EQ(count(), before);
}

}  // namespace
}  // namespace oscope::pin
