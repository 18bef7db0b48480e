#pragma once
// What a look at a store from outside finds. See store/open.h.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace haul {

struct StoreLook {
  bool exists = false;
  bool on_network = false;              // On a network file system SQLite can lose data.
  std::optional<std::int64_t> in_use;   // Pid of the process that uses it.
  std::string problem;                  // Empty if none was found.
  std::string way_out;                  // If it is of another version of haul: what to do.
  std::optional<Time> newest_event_at;  // Nothing if there are no events.
};

// A file of a book that the store lists as available.
struct ShelvedFile {
  std::string title;
  std::string media_type;
  std::string path;
};
// Empty if there is no store or haul cannot read it.
struct ShelfLook {
  std::vector<ShelvedFile> files;  // The newest 10,000.
  std::int64_t missing = 0;        // Assets of books whose file haul found missing.
};

// What does not add up in the ledger. Empty if there is no store or haul cannot read it.
struct LedgerLook {
  std::int64_t wallets = 0;
  std::int64_t granted = 0;             // In all wallets.
  std::vector<std::string> problems{};  // In prose, at most ten.
  std::int64_t unsettled = 0;           // Open acts of ended jobs: calls, messages, deletions.
};

}  // namespace haul
