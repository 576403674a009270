#include "tracer/pin/app_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

namespace oscope::pin {
namespace {

// The kernel copies, so that what is not mapped is an answer and no crash.
size_t ReadOwn(void* to, uint64_t from, size_t count) {
  iovec local{to, count}, remote{reinterpret_cast<void*>(from), count};
  const ssize_t copied = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
  return copied < 0 ? 0 : static_cast<size_t>(copied);
}

uint64_t AddressOf(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

TEST(PinAppMemory, ReadsAndCutsCStrings) {
  std::string text;
  EXPECT_TRUE(ReadCString(ReadOwn, AddressOf("hello"), 100, true, &text));
  EXPECT_EQ(text, "hello");
  EXPECT_TRUE(ReadCString(ReadOwn, AddressOf("hello"), 3, true, &text));
  EXPECT_EQ(text, "hel");
  EXPECT_TRUE(ReadCString(ReadOwn, AddressOf(""), 3, true, &text));
  EXPECT_EQ(text, "");
  EXPECT_TRUE(ReadCString(ReadOwn, AddressOf("tab\there, \xc3\xa4"), 100, true, &text));
  EXPECT_FALSE(ReadCString(ReadOwn, AddressOf("bell\a"), 100, true, &text));
  EXPECT_TRUE(ReadCString(ReadOwn, AddressOf("bell\a"), 100, false, &text));
  const std::string long_text(5000, 'x');
  EXPECT_TRUE(ReadCString(ReadOwn, AddressOf(long_text.c_str()), 10000, true, &text));
  EXPECT_EQ(text, long_text);
}

TEST(PinAppMemory, TextIsUtf8WithoutControlBytes) {
  EXPECT_TRUE(IsPrintable("a\tb\r\n \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"));
  EXPECT_TRUE(IsPrintable("cut \xe2\x82"));
  EXPECT_FALSE(IsPrintable("\xa4"));
  EXPECT_FALSE(IsPrintable("\xc3x"));
  EXPECT_FALSE(IsPrintable("\xff"));
  EXPECT_FALSE(IsPrintable("\x7f"));
  EXPECT_FALSE(IsPrintable("\x1b[0m"));
}

TEST(PinAppMemory, SmallNumbersAndUnmappedPlacesHaveNoText) {
  std::string text;
  EXPECT_FALSE(ReadCString(ReadOwn, 0, 100, false, &text));
  EXPECT_FALSE(ReadCString(ReadOwn, 42, 100, false, &text));
  EXPECT_FALSE(ReadCString(ReadOwn, 0x7fffffffffff0000, 100, false, &text));
  uint64_t word = 0;
  EXPECT_FALSE(ReadWord(ReadOwn, 0x7fffffffffff0000, &word));
}

TEST(PinAppMemory, AStringMayEndWhereMemoryEnds) {
  const size_t page = 4096;
  char* pages =
      static_cast<char*>(::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(::munmap(pages + page, page), 0);
  std::memcpy(pages + page - 4, "end", 4);
  std::string text;
  EXPECT_TRUE(ReadCString(ReadOwn, AddressOf(pages + page - 4), 100, true, &text));
  EXPECT_EQ(text, "end");
  std::memcpy(pages + page - 4, "open", 4);
  EXPECT_FALSE(ReadCString(ReadOwn, AddressOf(pages + page - 4), 100, false, &text));
  EXPECT_TRUE(ReadCString(ReadOwn, AddressOf(pages + page - 4), 4, false, &text));
  EXPECT_EQ(text, "open");
  ::munmap(pages, page);
}

TEST(PinAppMemory, ReadsStdStrings) {
  std::string text;
  for (const std::string& one :
       {std::string("short"), std::string(), std::string("with\0nul", 8), std::string(1000, 'y')}) {
    EXPECT_TRUE(ReadStdString(ReadOwn, AddressOf(&one), 10000, &text));
    EXPECT_EQ(text, one);
  }
  const std::string cut = "longer than that";
  EXPECT_TRUE(ReadStdString(ReadOwn, AddressOf(&cut), 6, &text));
  EXPECT_EQ(text, "longer");
  const uint64_t wild[2] = {0x7fffffffffff0000, 10};
  EXPECT_FALSE(ReadStdString(ReadOwn, AddressOf(wild), 100, &text));
}

}  // namespace
}  // namespace oscope::pin
