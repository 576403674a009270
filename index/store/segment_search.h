// What a search reads of one segment: the tails of its traces, their sketches, and postings, in place from the
// segment's index file.
//
// Threads: immutable; may be read from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "index/postings/postings.h"
#include "index/sketch/sketch.h"
#include "index/store/index_file.h"
#include "index/tails/tail_table.h"

namespace oscope {

inline constexpr uint32_t kTailRowsTag = SectionTag("TROW"), kTailColumnTag = SectionTag("TCOL"),
                          kTailNamesTag = SectionTag("TNAM"), kTailBugsTag = SectionTag("TBUG"),
                          kSketchTag = SectionTag("SKET"), kPostingsTag = SectionTag("POST");
inline constexpr uint32_t kTailsVersion = 1, kSketchVersion = 1, kPostingsVersion = 1;

// Below this many traces a segment has no sketch: it would be larger than the tails.
inline constexpr uint64_t kSketchMinTraces = 256;

class SegmentSearch {
 public:
  // Of a segment with `traces` traces. kNotFound when the file lacks a section (another release wrote it), kCorrupt
  // when one is damaged.
  static Result<std::shared_ptr<const SegmentSearch>> Make(std::shared_ptr<const IndexFile> file, uint64_t traces);

  const TailTable& tails() const { return tails_; }
  // Null when the segment has fewer than kSketchMinTraces traces: then every row may be near.
  const SketchView* sketch() const { return sketch_ ? &*sketch_ : nullptr; }

  // Null when the segment has none: it is small, or they are damaged. They only ever save time. Checked when first
  // asked for.
  const Postings* postings() const;

 private:
  std::shared_ptr<const IndexFile> file_;
  TailTable tails_;
  std::optional<SketchView> sketch_;
  mutable std::once_flag postings_checked_;
  mutable std::optional<Postings> postings_;
};

}  // namespace oscope
