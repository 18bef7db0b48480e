#pragma once
// The row of a job, and the values that add and move jobs.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ensure.h"
#include "base/id.h"
#include "base/time.h"
#include "lifecycle/table.h"
#include "store/refusal.h"

namespace haul {

// A job as the caller last read it. A move compares these fields, except the attempt: if the row
// still has them, no other write came first.
struct JobVersion {
  JobId id;
  const Lifecycle* lifecycle = nullptr;
  std::string_view state;  // Points into the lifecycle's table.
  std::int64_t seq = 0;
  std::int64_t fence = 0;
  int attempt = 0;

  bool operator==(const JobVersion&) const = default;
};

// A higher priority goes first within an owner's turn in a lane: low, normal, high.
inline constexpr int kPriorityMin = -1;
inline constexpr int kPriorityMax = 1;

struct Job {
  JobVersion version;
  int retries = 0;  // By a user's hand (Z-29). The attempt counts failures and losses since then.
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
  int priority = 0;                 // kPriorityMin to kPriorityMax.
  std::optional<Time> hidden_at{};  // Deleted by a user: lists and counts leave it out.

  const State& state() const {
    ensure(version.lifecycle != nullptr, "a job has a lifecycle");
    return version.lifecycle->at(version.state);
  }
  bool operator==(const Job&) const = default;
};

// How many jobs of its lifecycle there may be. Zero: as many as users like. Only for a lifecycle
// whose lane is its name.
struct Quota {
  std::size_t open_max = 0;     // Open at once, of one owner.
  std::size_t open_in_all = 0;  // The same of all owners together.
  std::size_t per_minute = 0;   // Added by one owner within a minute.
  // What a refusal is called.
  std::string_view owner_code = "too_many_open";
  std::string_view all_code = "queue_full";
};

struct NewItem {
  std::string key;
  std::string url;
  std::optional<std::int64_t> size;
  std::string skip;          // If set, the reason why a filter skips it: add() moves it to SKIPPED.
  std::string checkpoint{};  // Of an earlier job's part that it goes on with. Empty: none.
};

// An event of a job that is no move.
struct Note {
  std::string_view type;
  std::string data{};  // JSON; may be empty.

  bool operator==(const Note&) const = default;
};

struct NewJob {
  struct Key {
    std::string value;  // Empty if there is no key.
    KeyScope scope = KeyScope::none;
    std::string earlier;    // Window scope: the key of the previous window.
    std::string later;      // That of the next one, for a clock that was set back since.
    Millis window{60'000};  // These two find only jobs younger than this.
  };

  const Lifecycle* lifecycle = nullptr;
  UserId owner{1};
  std::string request;         // JSON, in canonical form: equal requests are equal text.
  std::string lane;            // Default: the lifecycle's name.
  std::optional<Time> due_at;  // Default: now.
  std::optional<Time> expires_at;
  std::string slot;
  Key key;
  std::string caller_key;  // The caller's own idempotency key, in addition to `key`; may be empty.
  std::string engine;
  std::int64_t price = 0;     // Credits to reserve, if the lifecycle reserves any.
  ShortList<Guard, 4> holds;  // The guards of adding that the asker has checked.
  bool paused = false;
  JobId retry_of;
  // Why the job is not added. Its keys and its slot come first: a repeated request gets the job
  // that it made (A4-9).
  std::optional<Refusal> refused;
  Quota quota;
  UserId asker;  // Who asked. If it is not the owner, the audit log says so. Zero: the owner.
  int priority = 0;
  std::vector<NewItem> items{};  // All items of the job, if they are known. Empty: it lists them.
  std::optional<Note> note{};    // A second event, after the one that tells of the add.
};

struct Added {
  JobId id;
  bool replayed = false;  // A job with this key or slot existed; no job was added.

  bool operator==(const Added&) const = default;
};

// A file that arrived.
struct AssetFacts {
  std::string book;  // Empty if it belongs to no book.
  std::string title;
  std::string media_type;
  std::string path;
  std::optional<std::int64_t> size;
  std::string checksum;
  std::string source_url;
  std::string source;
};

// A file that a chat's server has received.
struct DeliveryFacts {
  std::string fingerprint;  // Of what it contains: 64 hexadecimal digits.
  std::string file;         // The server's name for it.

  bool operator==(const DeliveryFacts&) const = default;
};

struct GivenProof {
  Proof kind = Proof::none;
  std::string data;  // JSON; goes into the event.
};

// A request to move one job. The store grants it only if the row still matches its version.
struct Ask {
  JobVersion version;
  On on = On::fail;
  By by = By::worker;
  WorkerId worker;             // The lease holder, if a worker asks in a leased state.
  std::optional<Time> due_at;  // When the job is due next. Default: now.
  std::string reason;
  std::string detail;
  GivenProof proof;
  ShortList<Guard, 4> holds;                // The guards that the asker has checked.
  std::string result;                       // Stored in the row if not empty.
  std::vector<AssetFacts> assets;           // What arrived, for Effect::record_asset.
  std::optional<DeliveryFacts> delivery{};  // For Effect::record_delivery, if the server named it.
  std::string audit{};   // For Effect::audit_block: what the entry says. Default: the reason.
  bool refunds = false;  // Effect::spend_credit gives the reservation back instead (A4-2).
};

// A job that another program has had so far (Z-17), and what happened to it there.
struct PastJob {
  struct Step {
    Ask ask;  // Its version is empty: the store knows it.
    Time at;
  };

  NewJob job;
  Time added_at;
  std::vector<Step> steps;  // In order.
};

// The job after a granted move, as the next ask of a chain must pass it. The move must be in the
// table.
JobVersion after_move(const JobVersion& version, On on);

// The job as add() writes it.
Job as_added(const NewJob& job, JobId id, Time now);

// haul never postpones a job for longer. A later due time was written before the clock was set
// back.
inline constexpr Millis kWaitMax{600'000};

using MoveAnswer = std::expected<JobVersion, Refusal>;  // The job after the move.
using AddAnswer = std::expected<Added, Refusal>;

}  // namespace haul
