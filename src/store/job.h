#pragma once
// A job as a row, and what can be asked about it.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/time.h"
#include "lifecycle/table.h"
#include "store/refusal.h"

namespace haul {

// The part of a job that a move compares: if it still looks like this, nobody was there before us.
struct Seen {
  JobId id;
  const Lifecycle* lifecycle = nullptr;
  std::string_view state;  // Points into the lifecycle's table.
  std::int64_t seq = 0;
  std::int64_t fence = 0;
  int attempt = 0;

  bool operator==(const Seen&) const = default;
};

struct Job {
  Seen seen;
  UserId owner;
  std::string lane;
  std::optional<Time> due_at;  // Open jobs always have one.
  bool paused = false;
  WorkerId worker;  // Set while leased.
  Time created_at;
  Time moved_at;
  std::optional<Time> seen_at;
  std::optional<Time> started_at;
  std::optional<Time> ended_at;
  std::optional<Time> missing_since;
  std::optional<Time> expires_at;
  std::string slot;
  std::string key;
  std::string engine;
  std::string handle;
  std::string reason;
  std::string detail;
  std::string result;
  JobId retry_of;

  const State& state() const { return *seen.lifecycle->find(seen.state); }
  bool operator==(const Job&) const = default;
};

struct NewJob {
  struct Key {
    std::string value;  // Empty: no key.
    KeyScope scope = KeyScope::none;
    std::string earlier;    // Window scope: the key of the window before this one,
    Millis window{60'000};  // which counts for jobs added less than this long ago.
  };

  const Lifecycle* lifecycle = nullptr;
  UserId owner{1};
  std::string request;         // JSON, in canonical form: equal requests are equal text.
  std::string lane;            // Empty: the lifecycle's name.
  std::optional<Time> due_at;  // None: now.
  std::optional<Time> expires_at;
  std::string slot;
  Key key;
  std::string client_key;  // The client's own idempotency key, beside the other; empty: none.
  std::string engine;
  std::int64_t price = 0;  // Credits to reserve, where the lifecycle reserves.
  bool paused = false;
  JobId retry_of;
};

struct Added {
  JobId id;
  bool replayed = false;  // The key or the slot already had this job; nothing was written.

  bool operator==(const Added&) const = default;
};

// What has arrived, for Effect::record_asset.
struct AssetFacts {
  std::string book;  // Empty: not a book's.
  std::string title;
  std::string media_type;
  std::string path;
  std::optional<std::int64_t> size;
  std::string checksum;
  std::string source_url;
  std::string source;
};

struct GivenProof {
  Proof kind = Proof::none;
  std::string data;  // JSON; goes into the event.
};

// A wish to move one job. It is granted only if the job still looks as it was seen.
struct Ask {
  Seen seen;
  On on = On::fail;
  By by = By::worker;
  WorkerId worker;             // The holder, where the state is leased and a worker asks.
  std::optional<Time> due_at;  // When to look next; none: now.
  std::string reason;
  std::string detail;
  GivenProof proof;
  std::string result;  // Kept in the row if given.
  std::optional<AssetFacts> asset;
};

// How a job looks after a move that was granted: what the next ask of a chain has seen. The move
// must be in the table.
Seen after_move(const Seen& seen, On on);

// How a job looks when it was just added.
Job as_added(const NewJob& job, JobId id, Time now);

using MoveAnswer = std::expected<Seen, Refusal>;  // As the job is after the move.
using AddAnswer = std::expected<Added, Refusal>;

}  // namespace haul
