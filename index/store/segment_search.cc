// Puts together what a search reads of a segment. Tails and sketch must be there and whole, or the caller makes the
// index anew. Postings only save time; they are large and needed by few queries, so they are checked when they are
// first asked for, and a fault in them is the same as having none.
#include "index/store/segment_search.h"

#include <span>

namespace oscope {

Result<std::shared_ptr<const SegmentSearch>> SegmentSearch::Make(std::shared_ptr<const IndexFile> file,
                                                                 uint64_t traces) {
  auto search = std::make_shared<SegmentSearch>();
  // A segment without traces has no sections for them.
  if (traces == 0) return std::shared_ptr<const SegmentSearch>(std::move(search));
  TailSections sections;
  OSCOPE_ASSIGN_OR_RETURN(sections.rows, file->Section(kTailRowsTag, kTailsVersion));
  OSCOPE_ASSIGN_OR_RETURN(sections.column, file->Section(kTailColumnTag, kTailsVersion));
  OSCOPE_ASSIGN_OR_RETURN(sections.names, file->Section(kTailNamesTag, kTailsVersion));
  OSCOPE_ASSIGN_OR_RETURN(sections.bugs, file->Section(kTailBugsTag, kTailsVersion));
  OSCOPE_ASSIGN_OR_RETURN(search->tails_, TailTable::Make(sections, file));
  if (search->tails_.size() != traces)
    return Corrupt("the index has {} traces, the segment {}", search->tails_.size(), traces);
  if (traces >= kSketchMinTraces) {
    OSCOPE_ASSIGN_OR_RETURN(const std::string_view bytes, file->Section(kSketchTag, kSketchVersion));
    OSCOPE_ASSIGN_OR_RETURN(search->sketch_, SketchView::Make(std::as_bytes(std::span(bytes)), traces));
  }
  search->file_ = std::move(file);
  return std::shared_ptr<const SegmentSearch>(std::move(search));
}

const Postings* SegmentSearch::postings() const {
  std::call_once(postings_checked_, [&] {
    if (file_ == nullptr) return;
    const auto bytes = file_->Section(kPostingsTag, kPostingsVersion);
    if (!bytes.ok()) return;
    auto postings = Postings::Make(*bytes, tails_.size(), tails_.names(), file_);
    if (postings.ok()) postings_ = std::move(postings).value();
  });
  return postings_ ? &*postings_ : nullptr;
}

}  // namespace oscope
