// Compared with the symbols of this program, which was not stripped.
#include "tracer/pin/function_starts.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "tracer/pin/method_name.h"

namespace oscope::pin {
namespace {

size_t ReadOwn(void* to, uint64_t from, size_t count) {
  iovec local{to, count}, remote{reinterpret_cast<void*>(from), count};
  const ssize_t copied = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
  return copied < 0 ? 0 : static_cast<size_t>(copied);
}

struct Place {
  uint64_t bias = 0;
  uint64_t table = 0;
};

Place OwnTable() {
  Place place;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* found = static_cast<Place*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            *found = {info->dlpi_addr, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr};
        }
        return 1;  // the first object is the program
      },
      &place);
  return place;
}

std::map<uint64_t, std::string> OwnFunctions(uint64_t bias) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::map<uint64_t, std::string> functions;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes.data() + header->e_shoff);
  for (size_t i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const char* strings = bytes.data() + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(bytes.data() + sections[i].sh_offset);
    for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      const bool is_function = ELF64_ST_TYPE(symbols[s].st_info) == STT_FUNC && symbols[s].st_size > 0;
      if (is_function) functions[bias + symbols[s].st_value] = strings + symbols[s].st_name;
    }
  }
  return functions;
}

TEST(PinFunctionStarts, AreTheFunctionsThatTheSymbolsName) {
  const Place place = OwnTable();
  const std::vector<FunctionRange> ranges = ReadFunctionStarts(ReadOwn, place.table);
  std::vector<uint64_t> starts;
  for (const FunctionRange& range : ranges) starts.push_back(range.start);
  const std::map<uint64_t, std::string> functions = OwnFunctions(place.bias);
  ASSERT_GT(functions.size(), 100u);
  size_t whole = 0, missing = 0, parts = 0, parts_taken = 0;
  for (const auto& [address, name] : functions) {
    const bool found = std::binary_search(starts.begin(), starts.end(), address);
    if (name.find(".cold") != std::string::npos) {
      ++parts;
      parts_taken += found;
    } else {
      ++whole;
      missing += !found;
    }
  }
  // What the start-up files bring was written in assembly, partly without such information.
  EXPECT_LE(missing, 6u) << "of " << whole;
  // A part that was moved out of a function without a frame looks like a function.
  EXPECT_LE(parts_taken, parts / 10) << "of " << parts;
  // .plt.got has stubs without a frame; who asks must know the section.
  const auto unnamed =
      std::count_if(starts.begin(), starts.end(), [&](uint64_t start) { return functions.count(start) == 0; });
  EXPECT_LE(unnamed, 1);
  for (size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_LT(ranges[i].start, ranges[i].end);
    if (i > 0) {
      EXPECT_LE(ranges[i - 1].end, ranges[i].start);
    }
  }
}

TEST(PinFunctionStarts, AnotherFormOfTableHasNone) {
  const unsigned char wrong[16] = {2, 0x1b, 0x03, 0x3b};
  EXPECT_TRUE(ReadFunctionStarts(ReadOwn, reinterpret_cast<uint64_t>(wrong)).empty());
  EXPECT_TRUE(ReadFunctionStarts(ReadOwn, 0x7fffffffffff0000).empty());
}

}  // namespace
}  // namespace oscope::pin
