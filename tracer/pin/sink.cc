// The ring of chunks in a mapped file. Whatever is written is in the file at once, even if the process is killed. A
// reader may look at any moment, so a number that announces data is stored after the data (Publish).
#include "tracer/pin/sink.h"

#include <cstring>

#include "tracer/pin/kernel.h"

namespace oscope::pin {
namespace {

constexpr size_t kHeaderBytes = OSC_RAW_HEADER_BYTES;
constexpr size_t kChunkBytes = OSC_RAW_CHUNK_BYTES;
constexpr size_t kChunkWords = (OSC_RAW_CHUNK_BYTES - OSC_RAW_CHUNK_HEADER_BYTES) / sizeof(uint32_t);

char* SlotAddress(OscRawHeader* header, uint32_t slot) {
  return reinterpret_cast<char*>(header) + kHeaderBytes + slot * kChunkBytes;
}

// A reader may look at any time, also after a kill. So what announces data is stored after the data.
template <typename Number>
void Publish(Number* place, Number value) {
  __atomic_store_n(place, value, __ATOMIC_RELEASE);
}

}  // namespace

std::string Sink::PathOf(const char* suffix) const {
  return directory_ + "/" + std::to_string(process_) + "." + suffix;
}

Sink::Started Sink::Start(const std::string& directory, uint32_t ring_chunks, std::string* error) {
  directory_ = directory;
  asked_chunks_ = ring_chunks;
  return Begin(OSC_RAW_STARTED, OSC_RAW_NO_PROCESS, 0, 0, error);
}

Sink::Started Sink::StartForked(uint32_t parent_sites, uint32_t parent_objects, std::string* error) {
  const uint32_t parent = recording() ? process_ : OSC_RAW_NO_PROCESS;
  if (header_ != nullptr) kernel::Unmap(header_, mapped_bytes_);
  header_ = nullptr;
  return Begin(OSC_RAW_FORKED, parent, parent_sites, parent_objects, error);
}

Sink::Started Sink::Begin(OscRawOrigin origin, uint32_t parent, uint32_t parent_sites, uint32_t parent_objects,
                          std::string* error) {
  held_.clear();
  uint32_t limit = 0;
  if (!TakeOrdinal(&limit, error)) return Started::kFailed;
  if (process_ >= limit) return Started::kOverLimit;
  if (!MakeFile(error)) return Started::kFailed;
  header_->version = OSC_RAW_VERSION;
  header_->chunk_bytes = OSC_RAW_CHUNK_BYTES;
  header_->ring_chunks = asked_chunks_;
  header_->process = process_;
  header_->parent = parent;
  header_->parent_sites = parent_sites;
  header_->parent_objects = parent_objects;
  header_->origin = origin;
  header_->pid = kernel::ProcessId();
  Publish(&header_->magic, OSC_RAW_EVENTS_MAGIC);
  return Started::kRecording;
}

bool Sink::TakeOrdinal(uint32_t* limit, std::string* error) {
  const std::string path = directory_ + "/control";
  const int64_t file = kernel::Open(path, kernel::kReadWrite);
  auto* control = file < 0 ? nullptr : static_cast<OscRawControl*>(kernel::MapShared(file, OSC_RAW_CONTROL_BYTES));
  if (file >= 0) kernel::Close(file);
  if (control == nullptr || control->magic != OSC_RAW_CONTROL_MAGIC) {
    if (control != nullptr) kernel::Unmap(control, OSC_RAW_CONTROL_BYTES);
    *error = path + ": not the control file of a recording";
    return false;
  }
  process_ = __atomic_fetch_add(&control->processes, 1, __ATOMIC_ACQ_REL);
  *limit = control->process_limit;
  if (process_ < *limit && process_ < OSC_RAW_CONTROL_PIDS) Publish(&control->pids[process_], kernel::ProcessId());
  kernel::Unmap(control, OSC_RAW_CONTROL_BYTES);
  return true;
}

bool Sink::MakeFile(std::string* error) {
  const std::string path = PathOf("events");
  const std::string zeros(kHeaderBytes, '\0');
  const int64_t file = kernel::Open(path, kernel::kCreate);
  void* mapped = nullptr;
  mapped_bytes_ = kHeaderBytes + asked_chunks_ * kChunkBytes;
  // Mapped at its full length at once; the file grows into it slot by slot.
  if (file >= 0 && kernel::WriteAllAt(file, zeros.data(), zeros.size(), 0))
    mapped = kernel::MapShared(file, mapped_bytes_);
  if (file >= 0) kernel::Close(file);
  if (mapped == nullptr) {
    *error = path + ": cannot be made";
    return false;
  }
  header_ = static_cast<OscRawHeader*>(mapped);
  return true;
}

bool Sink::Zero(uint32_t slot) const {
  if (kHeaderBytes + (slot + 1) * kChunkBytes > kernel::FileSizeLimit()) return false;
  const int64_t file = kernel::Open(PathOf("events"), kernel::kReadWrite);
  if (file < 0) return false;
  static const char zeros[4096] = {};
  bool done = true;
  for (size_t at = 0; at < kChunkBytes && done; at += sizeof zeros) {
    done = kernel::WriteAllAt(file, zeros, sizeof zeros, kHeaderBytes + slot * kChunkBytes + at);
  }
  kernel::Close(file);
  return done;
}

// The next one whose slot is free.
bool Sink::NextSequence(uint64_t* sequence) const {
  for (uint32_t passed = 0; passed < header_->ring_chunks; ++passed) {
    *sequence = header_->chunks + passed;
    const uint64_t slot = *sequence % header_->ring_chunks;
    if (slot >= held_.size() || !held_[slot]) return true;
  }
  return false;
}

Chunk Sink::Nowhere() {
  nowhere_.resize(kChunkWords);
  Chunk chunk;
  chunk.begin = nowhere_.data();
  chunk.end = chunk.begin + kChunkWords;
  return chunk;
}

Chunk Sink::Take(uint32_t thread, const Chunk& old) {
  GiveBack(old);
  uint64_t sequence = 0;
  while (recording() && header_->ring_chunks > 0 && NextSequence(&sequence)) {
    const auto slot = static_cast<uint32_t>(sequence % header_->ring_chunks);
    Publish(&header_->chunks, static_cast<unsigned long long>(sequence + 1));
    if (slot < held_.size()) {
      // Its space is ours already.
      std::memset(SlotAddress(header_, slot), 0, kChunkBytes);
    } else if (Zero(slot)) {
      held_.resize(slot + 1, false);
    } else {
      // The slots that there are become the ring, in which this sequence has another slot.
      Publish(&header_->ring_chunks, slot);
      SetFlag(OSC_RAW_DISK_FULL);
      header_->chunks = sequence;
      continue;
    }
    held_[slot] = true;
    auto* head = reinterpret_cast<OscRawChunk*>(SlotAddress(header_, slot));
    head->thread = thread;
    head->sequence = sequence;
    Publish(&head->magic, OSC_RAW_CHUNK_MAGIC);
    Chunk chunk;
    chunk.begin = reinterpret_cast<uint32_t*>(head + 1);
    chunk.end = chunk.begin + kChunkWords;
    chunk.slot = slot;
    return chunk;
  }
  return Nowhere();
}

void Sink::GiveBack(const Chunk& chunk) {
  if (chunk.slot < held_.size()) held_[chunk.slot] = false;
}

void Sink::SetFlag(uint32_t flag) {
  if (recording()) __atomic_fetch_or(&header_->flags, flag, __ATOMIC_ACQ_REL);
}

void Sink::ClearFlag(uint32_t flag) {
  if (recording()) __atomic_fetch_and(&header_->flags, ~flag, __ATOMIC_ACQ_REL);
}

}  // namespace oscope::pin
