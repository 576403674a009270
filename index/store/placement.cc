// The first character of what is hashed keeps the kinds apart: 'b' a bug, 't' a test without a bug, 'r' a run (for its
// attachments). A zero byte, which no project's name can contain, ends the project. These bytes are part of the stored
// format: stores on disk depend on them.
#include "index/store/placement.h"

#include "base/checksum.h"

namespace oscope {

namespace {
uint64_t PlacementHash(char kind, const std::string& project, const std::string& name) {
  std::string text;
  text.reserve(project.size() + name.size() + 2);
  text += kind;
  text += project;
  text += '\0';
  text += name;
  return Xxh3(text);
}
}  // namespace

uint64_t PlacementOf(const BugKey& bug) { return PlacementHash('b', bug.project, bug.id); }

uint64_t PlacementOf(const RunHeader& run) {
  return run.bug.empty() ? PlacementHash('t', run.project, run.test) : PlacementHash('b', run.project, run.bug);
}

uint64_t PlacementOf(const AttachmentOwner& owner) {
  return owner.is_run() ? PlacementHash('r', "", ToString(owner.run)) : PlacementOf(owner.bug);
}

}  // namespace oscope
