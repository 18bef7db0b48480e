#pragma once
// What engines and sinks report. A sight says what was seen, of which job and under which fence;
// it never says what to do about it.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/fault.h"
#include "base/id.h"

namespace haul {

// Of engines:
struct Accepted {  // The engine took the transfer on, under this name of its own.
  std::string handle;
};
struct Waiting {  // Known and healthy, but nothing moves yet.
  std::string detail;
  std::string code{};  // What for, as a stable word: "waiting_for_metadata".
};
struct Moving {  // Bytes move.
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  std::string path;        // Where it will lie, once that is known.
  std::string checkpoint;  // JSON: what a resume needs, if there is more of it than before.
  std::string status{};    // What is done instead of fetching, such as "Merging".
  std::optional<std::int64_t> about{};  // A guess at the size, for people.
  std::optional<double> speed{};        // Bytes a second, where somebody else counts them.
  bool stalled = false;                 // At work, but no bytes come,
  std::optional<std::chrono::milliseconds> stalled_for{};  // for so long.
};
struct Fetched {  // All bytes are here, but not yet in their place: `land` puts them there.
  std::string path;
  std::int64_t size = 0;
  std::string checkpoint;  // JSON: by what the file is known again, wherever it lies by then.
};
struct Finished {  // All of it is there.
  std::string path;
  std::int64_t size = 0;
  bool in_place = true;   // The file was seen at that path, whole.
  std::string evidence;   // JSON: what makes it whole.
  std::string why_not{};  // A word for why it is not in place; empty: `asset_pending`.
};
struct Missing {};  // A healthy answer: there is no such transfer.
struct Unseen {     // Could not look: unreachable, not let in, or not understood.
  std::string code;
};
struct Stopped {};  // The transfer is stopped and gone.
struct Failed {
  Fault fault;
  bool outcome_unknown = false;  // It may have happened all the same: the reply was lost.
  std::int64_t wait_ms = 0;      // The other side asked for at least this much patience.
  std::string checkpoint;        // JSON: what a resume needs, if anything came.
};
struct Chosen {  // Which engine is to do it, where that was left to us, and why.
  std::string engine;
  std::string reason;
  std::string warning{};  // What a person should know about it; empty: nothing.
};
struct FoundItem {
  std::string key;
  std::string url;
  std::optional<std::int64_t> size;
  std::string skip;  // Why a filter passes it over; empty: it is wanted.
};
struct Planned {
  std::vector<FoundItem> items;
  bool complete = true;  // No more will be found.
};

// Of sinks:
struct Landed {  // The file is in its place, whole and durable.
  std::string path;
  std::int64_t size = 0;
  std::string evidence;
};
struct Sent {  // The other side confirmed that it has it.
  std::string ack;
};
struct Indexed {  // The media server lists exactly this file.
  std::string path;
  std::int64_t size = 0;
};
struct NotIndexed {};  // A healthy answer: not yet.
struct Cleaned {
  std::string outcome;  // deleted, trashed, kept_unsafe, already_gone
};

using What = std::variant<Accepted, Waiting, Moving, Fetched, Finished, Missing, Unseen, Stopped,
                          Failed, Chosen, Planned, Landed, Sent, Indexed, NotIndexed, Cleaned>;

struct Sight {
  JobId job;
  std::int64_t item = 0;   // Zero: of the job as a whole.
  std::int64_t fence = 0;  // The holder's, where the job is leased.
  std::int64_t start = 0;  // Which start of the item this is about.
  What what;
};

// Where sights go: the worker's one inbox. Push from any thread; never blocks for long.
class Inbox {
 public:
  virtual ~Inbox() = default;
  virtual void push(Sight sight) = 0;
};

}  // namespace haul
