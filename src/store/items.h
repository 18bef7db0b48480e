#pragma once
// The items of a batch job and its counters. Every write compares the job's lease.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/receipt.h"
#include "store/job.h"

namespace haul {

struct Item {
  JobId job;
  std::int64_t n = 0;  // Its number within the job, from 1.
  std::string key;     // As item_keys() or an engine makes it; one item per key and job.
  std::string url;
  std::string_view state;
  int attempt = 0;  // Failures since the resume point last moved forward.
  int tries = 0;    // All failures.
  Time due_at;
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  std::string path;
  std::string checkpoint;  // JSON: the validators and segments that a resume checks.
  std::string evidence;    // JSON: the proof that the file is complete.
  std::string reason;
  std::string detail;
  Time updated_at;

  bool operator==(const Item&) const = default;
};

// downloaded, skipped, failed and cancelled are disjoint. The document's "completed" counts
// downloaded and skipped items.
struct Counts {
  std::int64_t total = 0;
  std::int64_t downloaded = 0;
  std::int64_t skipped = 0;
  std::int64_t failed = 0;
  std::int64_t cancelled = 0;
  bool enumerated = false;  // `total` is final.
  std::int64_t bytes = 0;   // Of the downloaded items together.

  // Items that have not ended.
  std::int64_t open() const { return total - processed() - cancelled; }
  std::int64_t completed() const { return downloaded + skipped; }
  std::int64_t processed() const { return downloaded + skipped + failed; }
  bool operator==(const Counts&) const = default;
};

// What the open items of a job add up to, as stored: a worker stores progress with checkpoints.
struct OpenBytes {
  std::int64_t have = 0;   // Bytes that are here and can be resumed.
  std::int64_t sized = 0;  // Items whose size is known.
  std::int64_t left = 0;   // Bytes that these still lack.

  bool operator==(const OpenBytes&) const = default;
};
// One call reads so many items, ended ones too. It does not add up the rest.
inline constexpr std::int64_t kOpenItemsMax = 20'000;

// The lease under which a worker writes.
struct Hold {
  JobId job;
  WorkerId worker;
  std::int64_t fence = 0;
};

// Whether more items may follow.
enum class Enumeration : std::uint8_t { goes_on, complete };

struct ItemMove {
  std::int64_t n = 0;
  std::string_view from;
  On on = On::fail;
  std::string path;
  std::optional<std::int64_t> size;
  std::string checkpoint;  // Stored if not empty.
  GivenProof proof;
  ShortList<Guard, 4> holds;  // The guards that the asker has checked.
  std::string reason;
  std::string detail;
};

// What a worker learned about an item that stays in its state. Absent fields stay as they are.
struct ItemObservation {
  std::int64_t n = 0;
  std::optional<int> attempt;
  std::optional<int> tries;
  std::optional<Time> due_at;
  std::optional<std::int64_t> have;
  std::optional<std::int64_t> size;
  std::optional<std::string> path;
  std::optional<std::string> checkpoint;
  std::optional<std::string> reason;
};

// What other jobs of the same owner know about an item.
struct ItemPast {
  // Of its address, which is its key up to a blank. The newest first, at most kReceiptsMax. Leaves
  // out jobs whose files are removed (store/purges.h).
  std::vector<Receipt> receipts{};
  // The newest checkpoint of an unfinished item in a paused job that no worker has, or of one that
  // failed. Empty if there is none.
  std::string checkpoint{};
  Time kept_at{};

  bool operator==(const ItemPast&) const = default;
};
inline constexpr std::size_t kReceiptsMax = 16;
enum class PastParts : std::uint8_t { ignore, find };  // Whether to look for checkpoints.

using ItemAnswer = std::expected<std::string_view, Refusal>;  // The item's new state.
struct ItemAnswers {
  bool held = false;              // False if the lease is lost; then nothing was written.
  std::vector<ItemAnswer> moved;  // One per ask.
};

class Items {
 public:
  virtual ~Items() = default;

  // Adds items found so far; ignores an item whose key the job already has. Refused after a call
  // with Enumeration::complete, and for a job whose lifecycle has no items.
  virtual std::expected<Counts, Refusal> add(const Hold& hold, std::span<const NewItem> items,
                                             Enumeration enumeration, Time now) = 0;

  // Writes the observations, then the moves, with counters, ITEM_DONE and one JOB_PROGRESS in the
  // same transaction. Ignores a checkpoint that is not JSON. Limit: 4,000 of each per call.
  virtual ItemAnswers write(const Hold& hold, std::span<const ItemMove> asks,
                            std::span<const ItemObservation> seen, Time now) = 0;
  std::vector<ItemAnswer> move(const Hold& hold, std::span<const ItemMove> asks, Time now) {
    return write(hold, asks, {}, now).moved;
  }
  bool observe(const Hold& hold, std::span<const ItemObservation> seen, Time now) {
    return write(hold, {}, seen, now).held;
  }

  // Items by number, after `after`; an empty state means any.
  virtual std::vector<Item> list(JobId job, std::string_view state, std::int64_t after,
                                 std::size_t limit) = 0;

  // What other jobs know about the items with these keys, one per key.
  virtual std::vector<ItemPast> past(JobId job, std::span<const std::string_view> keys,
                                     PastParts parts) = 0;

  // One per job, in the order of `jobs`; zero for a job that has no items or does not exist.
  virtual std::vector<Counts> counts(std::span<const JobId> jobs) = 0;
  Counts counts(JobId job) { return counts({&job, 1}).front(); }

  // One per job, in the order of `jobs`; zero for a job that has no open items or does not exist.
  // Nothing for a job that is not read whole: a call reads kOpenItemsMax items.
  virtual std::vector<std::optional<OpenBytes>> open_bytes(std::span<const JobId> jobs) = 0;
};

}  // namespace haul
