#include <gtest/gtest.h>

#include "tests/unit/symbols/built_program.h"
#include "tracer/symbols/object_file.h"

namespace oscope {
namespace {

// Each label b<n> stands before a conditional jump, each label i… before another instruction.
constexpr std::string_view kProgram = R"(
  .text
  .globl jumps
  .type jumps,@function
jumps:
ibegin: cmpl $1, %edi
b0: je 1f
iforward: jmp 2f
1: nop
b1: jne 2f
icall: call helper
b2: jrcxz 3f
b3: loop 3f
2: nop
b4: ja . + 0x200
iprefix: .byte 0x2e
b5: jb 3f
3: ret
  .size jumps, . - jumps
  .globl helper
  .type helper,@function
helper:
b6: js 4f
irep: rep movsb
irip: movl data(%rip), %eax
ilock: lock xaddl %eax, (%rdi)
imemory: movq 8(%rsi,%rbx,4), %rax
4: ret
  .size helper, . - helper
  .globl main
  .type main,@function
main: xorl %eax, %eax
  ret
  .size main, . - main
  .data
data: .long 1
  .section .note.GNU-stack,"",@progbits
)";

class Instructions : public testing::Test {
 protected:
  Instructions() {
    build_.Write("jumps.s", kProgram);
    program_ = build_.Compile("jumps", "jumps.s", {});
    auto object = ObjectFile::Open(program_);
    if (object.ok()) object_.emplace(std::move(object).value());
  }
  std::string InstructionAt(std::string_view label) {
    const auto instruction = object_->InstructionAt(AddressOf(program_, label));
    return instruction ? instruction->opcode + "|" + instruction->operands : "(none)";
  }

  BuildDirectory build_;
  std::string program_;
  std::optional<ObjectFile> object_;
};

TEST_F(Instructions, ConditionalJumpsAreNumberedInTheirFunction) {
  ASSERT_TRUE(object_);
  for (uint32_t n = 0; n < 5; ++n)
    EXPECT_EQ(object_->BranchOrdinal(AddressOf(program_, fmt::format("b{}", n))), n) << n;
  EXPECT_EQ(object_->BranchOrdinal(AddressOf(program_, "iprefix")), 5u);  // the prefix belongs to the jump
  EXPECT_FALSE(object_->BranchOrdinal(AddressOf(program_, "b5")));
  EXPECT_EQ(object_->BranchOrdinal(AddressOf(program_, "b6")), 0u);  // another function counts anew
}

TEST_F(Instructions, OtherInstructionsHaveNoOrdinal) {
  ASSERT_TRUE(object_);
  for (const char* label : {"ibegin", "iforward", "icall", "irep", "data"})
    EXPECT_FALSE(object_->BranchOrdinal(AddressOf(program_, label))) << label;
  EXPECT_FALSE(object_->BranchOrdinal(AddressOf(program_, "b0") + 1));
  EXPECT_FALSE(object_->BranchOrdinal(0));
}

TEST_F(Instructions, HaveOpcodesWithoutPrefixesAndOperandsThatDoNotMove) {
  ASSERT_TRUE(object_);
  EXPECT_EQ(InstructionAt("ibegin"), "CMP|edi, 1");
  EXPECT_EQ(InstructionAt("icall"), "CALL|helper");
  EXPECT_EQ(InstructionAt("iforward"), "JMP|+0x13");
  EXPECT_EQ(InstructionAt("irep"), "MOVSB|byte ptr [rdi], byte ptr [rsi]");
  EXPECT_EQ(InstructionAt("irip"), "MOV|eax, dword ptr [rip]");
  EXPECT_EQ(InstructionAt("ilock"), "XADD|dword ptr [rdi], eax");
  EXPECT_EQ(InstructionAt("imemory"), "MOV|rax, qword ptr [rsi + rbx*4 + 8]");
  EXPECT_EQ(InstructionAt("data"), "(none)");
  EXPECT_EQ(object_->InstructionAt(AddressOf(program_, "ibegin"))->size, 3u);
}

// objdump is the oracle: the n-th conditional jump that it shows in a function has the ordinal n.
TEST(BranchOrdinals, OfThisProgramAgreeWithObjdump) {
  BuildDirectory build;
  const std::string program = ThisProgram();
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  int functions = 0;
  int jumps = 0;
  for (const NmSymbol& symbol : Nm(program)) {
    if (!symbol.is_function() || symbol.size < 64 || symbol.name.find("oscope") == std::string::npos) continue;
    const auto function = object->FunctionAt(symbol.address);
    if (!function || function->entry != function->start || function->size != symbol.size) continue;
    const std::string code =
        build.Run({"objdump", "-d", "--no-show-raw-insn", fmt::format("--start-address={:#x}", symbol.address),
                   fmt::format("--stop-address={:#x}", symbol.address + symbol.size), program});
    uint32_t ordinal = 0;
    for (size_t at = code.find("\tj"); at != std::string::npos; at = code.find("\tj", at + 1)) {
      if (code.compare(at, 4, "\tjmp") == 0) continue;
      const size_t line = code.rfind('\n', at) + 1;
      EXPECT_EQ(object->BranchOrdinal(std::stoull(code.substr(line), nullptr, 16)), ordinal) << symbol.name;
      ++ordinal;
      ++jumps;
    }
    if (++functions == 40) break;
  }
  EXPECT_EQ(functions, 40);
  EXPECT_GT(jumps, 100);
}

TEST(BranchOrdinals, OfAColdPartFollowThoseOfItsFunction) {
  BuildDirectory build;
  build.Write("cold.c", R"(
#include <stdio.h>
__attribute__((cold, noinline)) void complain(int x) { printf("%d\n", x); }
__attribute__((noinline)) int worker(int x) {
  for (int i = 0; i < x; ++i) {
    if (__builtin_expect(x > 1000 + i, 0)) { complain(x); if (x & 4) complain(i); if (x & 8) complain(i + 1); }
    x ^= i;
  }
  return x;
}
int main(int argc, char **argv) { return worker(argc); }
)");
  const std::string program = build.Compile("cold", "cold.c", {"-O2"});
  auto object = ObjectFile::Open(program);
  ASSERT_TRUE(object.ok());
  const auto ordinals = [&](uint64_t start, uint64_t size) {
    std::vector<uint32_t> found;
    for (uint64_t at = start; at < start + size; ++at) {
      if (const auto ordinal = object->BranchOrdinal(at)) found.push_back(*ordinal);
    }
    return found;
  };
  const auto hot = object->FunctionAt(AddressOf(program, "worker"));
  const auto cold = object->FunctionAt(AddressOf(program, "worker.cold"));
  ASSERT_TRUE(hot && cold);
  std::vector<uint32_t> all = ordinals(hot->start, hot->size);
  ASSERT_FALSE(all.empty());
  const std::vector<uint32_t> in_cold = ordinals(cold->start, cold->size);
  ASSERT_FALSE(in_cold.empty());
  all.insert(all.end(), in_cold.begin(), in_cold.end());
  for (uint32_t n = 0; n < all.size(); ++n) EXPECT_EQ(all[n], n);
}

}  // namespace
}  // namespace oscope
