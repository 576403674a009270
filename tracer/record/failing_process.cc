// Builds the tree of processes from the images of a recording, then walks down from the program to the process whose
// failure it passed on. failing_process.h has the rules.
//
// An image is one execution of a program: a process that calls exec has several, which share a process id. Numbers may
// be used again during a long run, so an image belongs to the process that had its number before only if it was not
// forked. Children always have higher ordinals than their parents, and so the walk ends.
#include "tracer/record/failing_process.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace oscope {
namespace {

class ProcessTree {
 public:
  explicit ProcessTree(std::span<const ProcessFate> images) : last_(images.size()), children_(images.size()) {
    std::map<uint32_t, size_t> by_pid, by_ordinal;
    std::vector<size_t> first(images.size());  // image of the same process
    size_t program = 0;                        // its image of the time
    for (size_t i = 0; i < images.size(); ++i) {
      const ProcessFate& image = images[i];
      const auto before = by_pid.find(image.pid);
      const bool executed = !image.forked && before != by_pid.end();
      first[i] = executed ? first[before->second] : i;
      last_[first[i]] = i;
      if (first[i] == 0) program = i;
      if (first[i] == i && i > 0) {
        // Of whom nothing is known (the parent was not recorded, or is one that vfork stopped) the program is the
        // ancestor.
        const auto parent = by_ordinal.find(image.parent);
        children_[image.forked && parent != by_ordinal.end() ? parent->second : program].push_back(i);
      }
      by_pid[image.pid] = i;
      by_ordinal[image.ordinal] = i;
    }
  }

  // `process` is the first image of one.
  size_t LastImage(size_t process) const { return last_[process]; }
  // The processes that an image started.
  const std::vector<size_t>& Children(size_t image) const { return children_[image]; }

 private:
  std::vector<size_t> last_;  // by first image
  std::vector<std::vector<size_t>> children_;
};

// The last image of the process, of those that an image started, whose fate fits. Nearer generations first, of one
// generation who was started last.
template <typename Fits>
std::optional<size_t> LastDescendant(const ProcessTree& tree, std::span<const ProcessFate> images, size_t image,
                                     const Fits& fits) {
  std::vector<size_t> generation = tree.Children(image);
  while (!generation.empty()) {
    std::ranges::sort(generation, std::greater<>());
    std::vector<size_t> next;
    for (const size_t process : generation) {
      const size_t last = tree.LastImage(process);
      if (fits(images[last])) return last;
      next.insert(next.end(), tree.Children(last).begin(), tree.Children(last).end());
    }
    generation = std::move(next);
  }
  return std::nullopt;
}

}  // namespace

size_t LastImageOfProgram(std::span<const ProcessFate> images) { return ProcessTree(images).LastImage(0); }

size_t FailingProcess(std::span<const ProcessFate> images, int code) {
  const ProcessTree tree(images);
  size_t failing = tree.LastImage(0);
  // Children come after their parents, so this ends.
  while (code != 0 && images[failing].only_exit) {
    const auto origin =
        LastDescendant(tree, images, failing, [&](const ProcessFate& fate) { return fate.code == code; });
    if (!origin) break;
    failing = *origin;
  }
  if (code == 0 || !images[failing].only_exit) return failing;
  return LastDescendant(tree, images, failing,
                        [](const ProcessFate& fate) { return fate.code != 0 && !fate.only_exit; })
      .value_or(failing);
}

}  // namespace oscope
