#pragma once
// The work on held jobs that have items. The worker does it for all of them together, because they
// share the slots at hosts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "store/job.h"

namespace haul::flow {

struct Held;

// A transfer of a held job, or one that waits for a retry, as far as this worker knows.
struct TransferView {
  enum class Phase : std::uint8_t { moving, fetched, landing };

  std::int64_t item = 0;  // Zero if it is the whole job.
  std::string key;
  std::string url;
  std::string path;  // Empty until it is known.
  std::int64_t have = 0;
  std::int64_t received = 0;  // The part of `have` that this start received: nothing resumed.
  std::optional<std::int64_t> size;
  Phase phase = Phase::moving;
  std::string status;              // What the engine does instead of fetching.
  std::optional<Millis> retry_in;  // Set if it failed and waits for a retry.
  std::string reason;              // Code of the last failure.
};

// What the open items of a held job add up to, as far as this worker has read them.
struct OpenItems {
  std::int64_t have = 0;      // Bytes that are here.
  std::int64_t size = 0;      // Of the items whose size is known.
  std::int64_t sized = 0;     // How many these are.
  std::int64_t left = 0;      // Bytes that these still lack.
  std::int64_t received = 0;  // Bytes that this worker received under this lease, ended items too.
  std::string waits_for{};    // The host that all of them wait for. Empty if one is transferred.
};

class ItemWork {
 public:
  virtual ~ItemWork() = default;

  // Starts the items that are due and writes the changes of items. The worker calls it once per
  // tick, after all sights.
  virtual void turn() = 0;
  virtual std::vector<TransferView> transfers(const Held& held) const = 0;
  virtual OpenItems open_items(const Held& held) const = 0;
  // Whether it collects changes of items that wait to be written.
  virtual bool has_unwritten() const = 0;
  // Whether sights come in such numbers that the worker should wait for more before it wakes.
  virtual bool expects_many_sights() const = 0;
  // Removes what workers of an ended job left behind. Reports Stopped when that is done.
  virtual void clear(const Job& job) = 0;
};

}  // namespace haul::flow
