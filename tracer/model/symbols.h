// The symbols of a file or a batch: every distinct event with its attributes.
//
// Attributes are what varies between builds (file, line, object, address): they are kept for people, and no answer
// depends on them. An event that has other attributes elsewhere (every program has a `main`) is a symbol of its own
// there. So two symbols may have one text: compare names, not ids.
// Threads: not shared while it grows; may be read from any thread afterwards.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace oscope {

enum class SymbolId : uint32_t {};

struct SymbolAttributes {
  std::string signature;
  std::string file;
  uint32_t line = 0;  // 0: unknown
  std::string object;
  std::string build_id;
  uint64_t address = 0;  // 0: unknown

  bool empty() const {
    return signature.empty() && file.empty() && line == 0 && object.empty() && build_id.empty() && address == 0;
  }
  bool operator==(const SymbolAttributes&) const = default;
};

class SymbolTable {
 public:
  SymbolTable();
  // The one moved from is empty and gets a uid of its own.
  SymbolTable(SymbolTable&& other) noexcept;
  SymbolTable& operator=(SymbolTable&& other) noexcept;

  // The id of an event text with these attributes, made when it is new.
  SymbolId Intern(std::string_view event, const SymbolAttributes& attributes = {});

  // Always makes a new id, even for a text that is there already (a reader keeps a writer's numbering).
  SymbolId Append(std::string_view event, SymbolAttributes attributes = {});

  const std::string& name(SymbolId id) const { return entries_[static_cast<uint32_t>(id)].name; }
  const SymbolAttributes& attributes(SymbolId id) const { return entries_[static_cast<uint32_t>(id)].attributes; }
  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }
  bool contains(SymbolId id) const { return static_cast<uint32_t>(id) < entries_.size(); }

  // Differs between any two tables of one process: a consumer may cache a translation of ids by it.
  uint64_t uid() const { return uid_; }

 private:
  struct Entry {
    std::string name;
    SymbolAttributes attributes;
  };
  // What ids_ is looked up by: an entry, or what is to become one.
  struct Key {
    std::string_view name;
    const SymbolAttributes* attributes;
    bool operator==(const Key& other) const { return name == other.name && *attributes == *other.attributes; }
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  uint64_t uid_;
  std::deque<Entry> entries_;  // addresses are stable: the map's keys borrow them
  std::unordered_map<Key, SymbolId, KeyHash> ids_;
};

}  // namespace oscope
