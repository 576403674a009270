// From a statement about the bug at hand to similar bugs: its rows with their reports, and why each is similar.
// What the searches of this folder are made of.
//
// Threads: those of the session.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "query/run/session.h"
#include "query/similar/similar_answer.h"

namespace oscope {

// The subject of a search as the value of `tbug`: "Rhino-217951", "run/1f2e3d…".
std::string SubjectName(const BugKey& bug);
std::string SubjectName(RunId run);

// The bugs of a statement's rows, at most `limit` (0: all), with their reports; neither aligned nor with methods. A
// statement of which a row is not a single bug has its rows instead. `subject` is `tbug` in the statement; the
// session's own parameters and LIMIT are as before afterwards.
// Fails as the statement does (ExecuteOwnStatement), or when a report cannot be read.
Result<SimilarAnswer> AskForBugs(Session& session, const std::string& subject, std::string_view statement,
                                 size_t limit);

// The answer with the alignment of the first hundred of its bugs that come from two traces, by their last `suffix`
// events; stacks are aligned whole. What is too long to align stays without. Fails when a trace cannot be read.
Result<SimilarAnswer> WithAlignments(Session& session, uint32_t suffix, SimilarAnswer answer);

// The answer, of a search by methods, with the methods that its bugs have in common with the subject, by their last
// `events` events. Every row of such a search comes from two traces. Fails when a trace cannot be read.
Result<SimilarAnswer> WithCommonMethods(Session& session, uint32_t events, SimilarAnswer answer);

}  // namespace oscope
