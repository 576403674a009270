// Two handles of capstone: a fast one without details that sweeps over a function (and over bytes that are no code),
// and one with details for a single instruction. Distances relative to the instruction pointer are removed from
// operands, because they differ in every build and would make each instruction an event of its own.
#include "tracer/symbols/disassembler.h"

#include <elf.h>

#include <cctype>

namespace oscope {
namespace {

constexpr size_t kMaxInstructionBytes = 15;

bool IsConditionalJump(unsigned id) {
  switch (id) {
    case X86_INS_JAE:
    case X86_INS_JA:
    case X86_INS_JBE:
    case X86_INS_JB:
    case X86_INS_JCXZ:
    case X86_INS_JECXZ:
    case X86_INS_JE:
    case X86_INS_JGE:
    case X86_INS_JG:
    case X86_INS_JLE:
    case X86_INS_JL:
    case X86_INS_JNE:
    case X86_INS_JNO:
    case X86_INS_JNP:
    case X86_INS_JNS:
    case X86_INS_JO:
    case X86_INS_JP:
    case X86_INS_JRCXZ:
    case X86_INS_JS:
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE: return true;
    default: return false;
  }
}

// "rep movsb" -> "MOVSB"
std::string OpcodeOf(std::string_view mnemonic) {
  std::string opcode(mnemonic.substr(mnemonic.rfind(' ') + 1));
  for (char& c : opcode) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return opcode;
}

// "rax, qword ptr [rip + 0x2fe4]" -> "rax, qword ptr [rip]": the distance changes whenever something moves.
std::string WithoutDistance(std::string operands) {
  for (const std::string_view base : {"[rip", "[eip"}) {
    const size_t begin = operands.find(base);
    if (begin == std::string::npos) continue;
    const size_t from = begin + base.size();
    const size_t end = operands.find(']', from);
    if (end != std::string::npos) operands.erase(from, end - from);
  }
  return operands;
}

std::optional<uint64_t> DirectTarget(csh handle, const cs_insn& instruction) {
  const bool branches =
      cs_insn_group(handle, &instruction, CS_GRP_JUMP) || cs_insn_group(handle, &instruction, CS_GRP_CALL);
  const cs_x86& x86 = instruction.detail->x86;
  if (!branches || x86.op_count != 1 || x86.operands[0].type != X86_OP_IMM) return std::nullopt;
  return static_cast<uint64_t>(x86.operands[0].imm);
}

// An instruction's storage, to be used again and again.
class Scratch {
 public:
  explicit Scratch(csh handle) : instruction_(cs_malloc(handle)) {}
  ~Scratch() {
    if (instruction_ != nullptr) cs_free(instruction_, 1);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  cs_insn* get() const { return instruction_; }

 private:
  cs_insn* instruction_;
};

}  // namespace

std::unique_ptr<Disassembler> Disassembler::Create(uint16_t machine) {
  if (machine != EM_X86_64 && machine != EM_386) return nullptr;
  const cs_mode mode = machine == EM_X86_64 ? CS_MODE_64 : CS_MODE_32;
  std::unique_ptr<Disassembler> disassembler(new Disassembler);
  if (cs_open(CS_ARCH_X86, mode, &disassembler->sweep_) != CS_ERR_OK) return nullptr;
  if (cs_open(CS_ARCH_X86, mode, &disassembler->single_) != CS_ERR_OK) return nullptr;
  cs_option(disassembler->sweep_, CS_OPT_SKIPDATA, CS_OPT_ON);
  cs_option(disassembler->single_, CS_OPT_DETAIL, CS_OPT_ON);
  return disassembler;
}

Disassembler::~Disassembler() {
  if (sweep_ != 0) cs_close(&sweep_);
  if (single_ != 0) cs_close(&single_);
}

std::vector<uint64_t> Disassembler::ConditionalJumps(std::string_view code, uint64_t address) {
  std::vector<uint64_t> jumps;
  const Scratch scratch(sweep_);
  if (scratch.get() == nullptr) return jumps;
  const auto* bytes = reinterpret_cast<const uint8_t*>(code.data());
  size_t left = code.size();
  uint64_t next = address;
  while (left > 0 && cs_disasm_iter(sweep_, &bytes, &left, &next, scratch.get())) {
    if (IsConditionalJump(scratch.get()->id)) jumps.push_back(scratch.get()->address);
  }
  return jumps;
}

std::optional<DecodedInstruction> Disassembler::Decode(std::string_view code, uint64_t address) {
  const Scratch scratch(single_);
  if (scratch.get() == nullptr) return std::nullopt;
  const auto* bytes = reinterpret_cast<const uint8_t*>(code.data());
  size_t left = std::min(code.size(), kMaxInstructionBytes);
  if (left == 0 || !cs_disasm_iter(single_, &bytes, &left, &address, scratch.get())) return std::nullopt;
  const cs_insn& instruction = *scratch.get();
  return DecodedInstruction{OpcodeOf(instruction.mnemonic), WithoutDistance(instruction.op_str), instruction.size,
                            DirectTarget(single_, instruction)};
}

}  // namespace oscope
