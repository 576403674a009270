// ProcessRecording: the events file of one process, mapped, and its records in the order in which they were written.
//
// Trust:   a kill, a full disk or a bad recorder may have left anything in it. What is not whole is skipped and counted
//          in `damaged`.
// Threads: immutable once opened.
//
// Example:
//   struct Counter {
//     uint64_t entries = 0;
//     void OnThread(uint32_t) {}
//     void OnEntry(uint32_t, uint32_t) { ++entries; }
//     …
//   } counter;
//   process.Visit(counter);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tracer/raw/raw_format.h"
#include "tracer/raw/site_table.h"

namespace oscope::raw {

// A record of kind EXTENDED; the words are read one after another. A read past the end gives zeros and sets `bad`.
class ExtendedRecord {
 public:
  ExtendedRecord(uint32_t type, std::span<const uint32_t> words) : type_(type), words_(words) {}
  uint32_t type() const { return type_; }  // an OscRawExtended, or what a damaged recording has there

  uint32_t Word();
  uint64_t Wide();
  std::optional<std::string> Text();  // nullopt: there is none
  bool bad() const { return bad_; }

 private:
  uint32_t type_;
  std::span<const uint32_t> words_;
  bool bad_ = false;
};

class ProcessRecording {
 public:
  // `bytes` of an events file. kCorrupt when its header is not one.
  static Result<ProcessRecording> Parse(std::span<const std::byte> bytes);
  // Maps a file; kNotFound when there is none.
  static Result<ProcessRecording> Open(const std::string& path);

  const OscRawHeader& header() const { return header_; }
  bool finished() const { return (header_.flags & OSC_RAW_FINISHED) != 0; }
  bool overwritten() const { return first_sequence_ > 0; }  // the ring gave up its oldest chunks
  uint64_t damaged() const { return damaged_; }             // chunks that are not whole

  // Calls OnThread(thread), OnEntry(site, sp), OnBranch(site, taken), OnStatement(site), OnInstruction(site),
  // OnExtended(ExtendedRecord&) in order. Every chunk begins with OnThread. Returns how many chunks broke off in the
  // middle.
  template <typename Visitor>
  uint64_t Visit(Visitor&& visitor) const {
    uint64_t broken = 0;
    for (const Chunk& chunk : chunks_) {
      visitor.OnThread(chunk.thread);
      if (!VisitChunk(chunk.words, visitor)) ++broken;
    }
    return broken;
  }

 private:
  struct Chunk {
    uint64_t sequence = 0;
    uint32_t thread = 0;
    std::span<const uint32_t> words;
  };

  template <typename Visitor>
  static bool VisitChunk(std::span<const uint32_t> words, Visitor& visitor) {
    const uint32_t* at = words.data();
    const uint32_t* const end = at + words.size();
    while (at < end && *at != 0) {
      const uint32_t word = *at++;
      const uint32_t payload = word & ((1u << 29) - 1);
      switch (word >> 29) {
        case OSC_RAW_ENTRY:
          if (at == end) return false;
          visitor.OnEntry(payload, *at++);
          break;
        case OSC_RAW_BRANCH: visitor.OnBranch(payload >> 1, (payload & 1) != 0); break;
        case OSC_RAW_STATEMENT: visitor.OnStatement(payload); break;
        case OSC_RAW_INSTR: visitor.OnInstruction(payload); break;
        case OSC_RAW_THREAD: visitor.OnThread(payload); break;
        case OSC_RAW_EXTENDED: {
          const uint32_t count = payload & 0xffffff;
          if (count > static_cast<size_t>(end - at)) return false;
          ExtendedRecord record(payload >> 24, std::span(at, count));
          visitor.OnExtended(record);
          at += count;
          break;
        }
        default: return false;
      }
    }
    return true;
  }

  // keeps the file mapped for as long as a chunk is read; null for bytes of the caller's
  std::shared_ptr<const void> mapping_;
  OscRawHeader header_ = {};
  std::vector<Chunk> chunks_;  // by sequence
  uint64_t first_sequence_ = 0;
  uint64_t damaged_ = 0;
};

}  // namespace oscope::raw
