// Disassembler: x86 code through capstone.
#pragma once

#include <capstone/capstone.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oscope {

struct DecodedInstruction {
  std::string opcode;    // upper case, without prefixes
  std::string operands;  // without the distance in a "rip + 0x…"
  uint32_t size = 0;
  std::optional<uint64_t> target;  // of a direct call or jump, whose operand this is
};

class Disassembler {
 public:
  // nullptr when there is no disassembler for the machine (e_machine).
  static std::unique_ptr<Disassembler> Create(uint16_t machine);
  ~Disassembler();
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  // The addresses of the conditional jumps in code that lies at `address`: Jcc, JRCXZ, LOOP. Bytes that are no
  // instruction are skipped.
  std::vector<uint64_t> ConditionalJumps(std::string_view code, uint64_t address);

  // The instruction that `code` begins with.
  std::optional<DecodedInstruction> Decode(std::string_view code, uint64_t address);

 private:
  Disassembler() = default;
  csh sweep_ = 0;   // without details, over bytes that are no code too
  csh single_ = 0;  // with details
};

}  // namespace oscope
