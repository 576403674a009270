// What store_writer tells on its standard output, a line for each step, so that whoever kills it knows what must be in
// the store:
//   ready                  the store is open
//   try ID...              these runs are about to be committed, together
//   ack ID...              they are
//   purge ID, purged ID    the same of a purge
//   error MESSAGE          nothing of this may happen; the writer ends
// A line is one write of less than PIPE_BUF bytes, so a kill does not cut it.
#pragma once

#include <cstdint>
#include <string>

namespace oscope {

// The events of a run, a letter each: told by its id alone, so that a reader can see that a run is whole.
inline std::string WordOfRun(uint64_t id) {
  std::string word;
  for (uint64_t i = 0; i < 3 + id % 40; ++i) word += static_cast<char>('a' + (id * 31 + i * i) % 26);
  return word;
}

// One of a few, so that writers tell of the same at once.
inline std::string FailureOfRun(uint64_t id) { return std::to_string(id / 5 % 4); }

}  // namespace oscope
