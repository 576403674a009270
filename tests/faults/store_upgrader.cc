// Upgrades a store, a segment with events a version: store_upgrader STORE. `oscope store upgrade` does the same in
// batches of so many events that a small store takes one.
#include <cstdio>

#include "index/store/store.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto store = oscope::Store::Open(oscope::PosixFileSystem(), argv[1]);
  if (!store.ok()) return std::fprintf(stderr, "open: %s\n", store.error().message.c_str()), 1;
  const auto upgraded = store.value().Upgrade({.batch_events = 1});
  if (!upgraded.ok()) return std::fprintf(stderr, "upgrade: %s\n", upgraded.error().message.c_str()), 1;
  std::printf("%d batches\n", static_cast<int>(upgraded.value().batches));
}
