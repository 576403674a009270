#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "quill/pool/string_pool.h"

namespace quill::pool {
namespace {

TEST(Arena, PiecesAreAligned) {
  Arena arena(256);
  for (const size_t align : {1u, 2u, 8u, 16u, 64u}) {
    arena.Allocate(3, 1);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.Allocate(8, align)) % align, 0u);
  }
}

TEST(Arena, TakesBlocksAsNeeded) {
  Arena arena(128);
  for (int i = 0; i < 10; ++i) arena.Allocate(60, 4);
  EXPECT_EQ(arena.blocks(), 5u);
  EXPECT_EQ(arena.used(), 600u);
  arena.Reset();
  EXPECT_EQ(arena.blocks(), 1u);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(Arena, APieceMayBeLargerThanABlock) {
  Arena arena(64);
  for (size_t size = 1; size <= 32; ++size) std::memset(arena.Allocate(size), 0x11, size);
  void* const piece = arena.Allocate(1000);
  std::memset(piece, 0x5a, 1000);
  EXPECT_EQ(static_cast<char*>(piece)[999], 0x5a);
}

TEST(Arena, SomePiecesMayBeLargerThanABlock) {
  Arena arena(512);
  for (const size_t size : {24u, 100u, 8u, 300u, 2000u, 16u, 777u}) {
    char* const piece = static_cast<char*>(arena.Allocate(size));
    std::memset(piece, 0x33, size);
    EXPECT_EQ(piece[size - 1], 0x33);
  }
}

TEST(StringPool, TellsTextsApart) {
  StringPool pool;
  const Symbol a = pool.Intern("a");
  const Symbol b = pool.Intern("b");
  EXPECT_NE(a, b);
  EXPECT_EQ(pool.Intern("a"), a);
  EXPECT_EQ(pool.Name(b), "b");
  EXPECT_EQ(pool.Find("c"), std::nullopt);
  EXPECT_EQ(pool.size(), 2u);
}

TEST(StringPool, NamesStayWhereTheyAre) {
  StringPool pool;
  const std::string_view first = pool.Name(pool.Intern("first"));
  for (int i = 0; i < 2000; ++i) pool.Intern("name " + std::to_string(i));
  EXPECT_EQ(first.data(), pool.Name(pool.Intern("first")).data());
}

TEST(StringPool, KeepsLongTexts) {
  StringPool pool;
  for (size_t length = 1; length < 10000; length *= 2) {
    const std::string text(length, 't');
    for (const char last : {'a', 'b', 'c'}) {
      const Symbol symbol = pool.Intern(text + last);
      EXPECT_EQ(pool.Name(symbol).size(), length + 1);
    }
  }
  EXPECT_EQ(pool.size(), 42u);
}

TEST(StringPool, ClearForgetsTheNames) {
  StringPool pool;
  for (int i = 0; i < 40; ++i) pool.Intern("name " + std::to_string(i % 25));
  EXPECT_EQ(pool.size(), 25u);
  pool.Clear();
  EXPECT_EQ(pool.size(), 0u);
  EXPECT_EQ(pool.Find("name 7"), std::nullopt);
}

TEST(StringPool, ClearForgetsColours) {
  StringPool pool;
  for (const char* const colour : {"red", "green", "blue", "green", "red", "black"}) {
    pool.Intern(colour);
  }
  EXPECT_EQ(pool.size(), 4u);
  pool.Clear();
  EXPECT_EQ(pool.size(), 0u);
  for (const char* const colour : {"white", "black", "green"}) {
    EXPECT_EQ(pool.Find(colour), std::nullopt);
  }
}

TEST(StringPool, CanBeFilledAgain) {
  StringPool pool;
  for (int round = 0; round < 3; ++round) {
    for (const char* const name :
         {"north", "east", "south", "west", "up", "down", "in", "out", "left", "right"}) {
      EXPECT_EQ(pool.Name(pool.Intern(name)), name);
    }
  }
  pool.Clear();
  const Symbol south = pool.Intern("south");
  EXPECT_EQ(pool.Name(south), "south");
}

}  // namespace
}  // namespace quill::pool
