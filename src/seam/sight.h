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
#include "seam/source_file.h"

namespace haul {

// From engines:
struct Accepted {  // The engine accepted the transfer and names it `handle`.
  std::string handle;
};
struct Waiting {  // Known and healthy, but nothing moves yet.
  std::string detail;
  std::string code{};  // What it waits for, as a stable word: "waiting_for_metadata".
};
struct Moving {  // Bytes move.
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  std::string path;        // Where the file will be, once known.
  std::string checkpoint;  // JSON that a resume needs. Empty if nothing new is known.
  std::string status{};    // What the engine does instead of fetching, such as "Merging".
  std::optional<std::int64_t> about{};  // An estimate of the size, for display.
  std::optional<double> speed{};        // Bytes per second, if an outside client measures it.
  bool stalled = false;                 // Active, but no bytes come.
  std::optional<std::chrono::milliseconds> stalled_for{};  // For how long, if known.
};
struct Fetched {  // All bytes are here, but the file is not in its place yet: `land` puts it there.
  std::string path;
  std::int64_t size = 0;
  std::string checkpoint;  // JSON that identifies the file, wherever it lies by then.
};
struct Finished {  // The transfer is complete.
  std::string path;
  std::int64_t size = 0;
  bool in_place = true;   // The engine saw the whole file at that path.
  std::string evidence;   // JSON: what proves that it is whole.
  std::string why_not{};  // The reason code if it is not in place. Default: `asset_pending`.
};
struct Missing {};  // A healthy answer: there is no such transfer.
struct Unseen {     // The engine could not look: no connection, no login, or a bad answer.
  std::string code;
  bool by_us = false;  // This machine is in the way, such as its full disk or its lost network.
};
struct Stopped {};  // The transfer is stopped and gone.
struct Elsewhere {  // Another source of the same file.
  std::string url;
  std::string checkpoint;  // For a start there.
};
struct Failed {
  Fault fault;
  bool outcome_unknown = false;  // The reply was lost: the request may have had its effect.
  std::int64_t wait_ms = 0;      // The other side asked to wait at least this long.
  std::string checkpoint;        // JSON that a resume needs. Empty if nothing came.
  // Where the file can be fetched if the caller gives up its present source.
  std::optional<Elsewhere> elsewhere{};
};
struct Chosen {  // Which engine haul chose for a request that names none, and why.
  std::string engine;
  std::string reason;
  std::string warning{};  // For the user to read. Empty if there is none.
};
struct FoundItem {
  std::string key;
  std::string url;
  std::optional<std::int64_t> size;
  std::string skip;  // Why a filter skips it. Empty if it is wanted.
};
struct Planned {
  std::vector<FoundItem> items;
  bool complete = true;  // No more items will follow.
};
struct Listed {  // The files of a transfer, each looked at.
  std::vector<SourceFile> files;
};
struct Released {  // The client has let go of the transfer and keeps its files.
  // Who still uses the files in the client, in prose. Empty: they are unused and may be removed.
  std::string used_by{};
};
struct Seeding {                                  // The client's share rule is not met yet.
  std::optional<std::chrono::milliseconds> left;  // Until it is, at the latest, if known.
  std::string detail;
};

// From sinks:
struct PlacedFile {  // A file where a sink has put it.
  std::string path;
  std::int64_t size = 0;

  bool operator==(const PlacedFile&) const = default;
};
struct Landed {  // All files of the job are in their places, whole and durable.
  std::vector<PlacedFile> files;
  std::string evidence;
  // Which server was told of them: "plex", "jellyfin"; "none" without a media server. Empty: no
  // server was told.
  std::string told{};
};
struct Usable {};  // It can store files now: the answer to Sink::is_usable.
struct Sent {      // The other side confirmed the delivery.
  std::string ack;
};
struct Indexed {  // What the media server lists under the paths of the files that landed.
  std::vector<PlacedFile> files;
  std::string by{};     // Who lists them: "plex". "hash" if haul has read them again itself.
  std::string match{};  // What a server compared: "path" (with the size), or only the "title".
};
struct NotIndexed {};  // A healthy answer: the media server lists none of them yet.
struct CleanedFile {
  std::string path;     // The source's path beneath its root.
  std::string outcome;  // deleted, trashed, kept_unsafe, already_gone
  std::string detail{};
  std::string root{};  // The source's. Empty if the path tells which source it is.

  bool operator==(const CleanedFile&) const = default;
};
struct CleanedSome {  // Before Cleaned, as it goes on.
  std::vector<CleanedFile> files;
};
struct Cleaned {        // All sources are done with.
  std::string outcome;  // The worst of their outcomes.
};

using What = std::variant<Accepted, Waiting, Moving, Fetched, Finished, Missing, Unseen, Stopped,
                          Failed, Chosen, Planned, Listed, Released, Seeding, Landed, Usable, Sent,
                          Indexed, NotIndexed, CleanedSome, Cleaned>;

struct Sight {
  JobId job;
  std::int64_t item = 0;   // Zero if it is about the whole job.
  std::int64_t fence = 0;  // The lease holder's, if the job is leased.
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
