#pragma once
// What the Telegram bot keeps: who may use it, the catalogue of files that it shows, the messages
// that show the progress of jobs, and which updates it has handled.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/time.h"

namespace haul {

using EntryId = Id<struct EntryTag>;

enum class GuestState : std::uint8_t {
  guest,    // Has written to the bot and asked for nothing.
  pending,  // Waits for an admin's answer.
  active,
  blocked,
  expired,  // Was active until a time that is over.
};
std::string_view name(GuestState state);

struct BotGuest {
  std::int64_t id = 0;  // Telegram's id of the user, and of the private chat with them.
  std::string name{};
  std::string language{};
  GuestState state = GuestState::guest;
  UserId user{};                // The user of haul that stands for them. Set while active.
  std::optional<Time> until{};  // When the access of an active guest ends. Nothing: never.
  std::string query{};          // The guest's last search, for its other pages.
  Time changed_at{};            // When the state last changed.

  bool operator==(const BotGuest&) const = default;
};

class BotGuests {
 public:
  virtual ~BotGuests() = default;

  virtual std::optional<BotGuest> find(std::int64_t id) = 0;
  // False if the guest is there already, or if there are `at_most` of them.
  virtual bool add(const BotGuest& guest, std::size_t at_most) = 0;
  // Writes state, user and until, if the guest's state still is `seen`.
  virtual bool change(const BotGuest& to, GuestState seen, Time now) = 0;
  virtual void keep_query(std::int64_t id, const std::string& query) = 0;
  // By id, only ids above `after`.
  virtual std::vector<BotGuest> list(GuestState state, std::int64_t after, std::size_t limit) = 0;
  // Active guests whose access has ended at `now`, by id.
  virtual std::vector<BotGuest> ended(Time now, std::size_t limit) = 0;
  // Active guests whose access ends at `by` or earlier, and who were not warned of that end, by id.
  virtual std::vector<BotGuest> unwarned(Time by, std::size_t limit) = 0;
  // False if the guest was warned of the end of their access before, or if it ends at another time.
  virtual bool warn(std::int64_t id, Time until) = 0;
};

// A folder or a file of the catalogue.
struct BotEntry {
  EntryId id{};
  EntryId parent{};  // Zero for the root.
  std::string path{};
  std::string name{};
  bool is_folder = false;
  std::int64_t size = 0;
  bool is_gone = false;  // A whole listing did not have it.

  bool operator==(const BotEntry&) const = default;
};

struct ListedEntry {
  std::string path{};
  std::string name{};
  std::string folded{};  // The name as searches compare it.
  bool is_folder = false;
  std::int64_t size = 0;
};

struct EntryPage {
  std::vector<BotEntry> entries{};
  std::size_t total = 0;  // On all pages.
};

struct PageRange {
  std::size_t offset = 0;
  std::size_t limit = 20;
};

// The catalogue is filled in rounds. A round that lists everything ends with finish(), which marks
// what it did not see as gone. A round that is never finished removes nothing (S3-25).
class BotCatalogue {
 public:
  virtual ~BotCatalogue() = default;

  // Begins a round with its root folder. If that is another one than before, all that is outside it
  // is gone at once. Returns the number of the round.
  virtual std::int64_t begin(const ListedEntry& root, Time now) = 0;
  // Adds or refreshes entries of a folder. An entry keeps its id while it keeps its path. Returns
  // their ids in order. Limit: 4,000 per call.
  virtual std::vector<EntryId> see(std::int64_t round, EntryId parent,
                                   std::span<const ListedEntry> entries) = 0;
  // Returns how many entries are gone now that were not before.
  virtual std::size_t finish(std::int64_t round, Time now) = 0;
  // Zero before the first round.
  virtual EntryId root() = 0;
  virtual std::optional<BotEntry> find(EntryId id) = 0;
  // Folders first, then by name. Without entries that are gone.
  virtual EntryPage children(EntryId parent, const PageRange& range) = 0;
  // Files whose folded name contains this text, by name. Without entries that are gone.
  virtual EntryPage search(const std::string& folded, const PageRange& range) = 0;
};

// A message that shows the progress of a job, until it shows its end.
struct BotPost {
  JobId job{};
  std::int64_t chat = 0;
  std::int64_t message = 0;  // Zero if it shows a newer job by now.
  EntryId entry{};
  std::string language{};

  bool operator==(const BotPost&) const = default;
};

class BotPosts {
 public:
  virtual ~BotPosts() = default;

  // A message shows one job: the newest. The posts of earlier ones stay, without a message. A job
  // that has a post keeps it.
  virtual void put(const BotPost& post) = 0;
  // By job, only jobs above `after`.
  virtual std::vector<BotPost> list(JobId after, std::size_t limit) = 0;
  virtual void remove(JobId job) = 0;
};

class BotUpdates {
 public:
  virtual ~BotUpdates() = default;

  virtual bool is_handled(std::int64_t id) = 0;
  // To be called when all effects of the update are stored. A second call changes nothing.
  virtual void handled(std::int64_t id, Time now) = 0;
  // One more than the highest id that was handled at `since` or later. Zero if there is none: after
  // a quiet week Telegram counts from a new number, which may be lower.
  virtual std::int64_t next(Time since) = 0;
  // Forgets up to `limit` updates that were handled before `before`. Returns how many.
  virtual std::size_t prune(Time before, std::size_t limit) = 0;
};

class BotRows {
 public:
  virtual ~BotRows() = default;

  virtual BotGuests& guests() = 0;
  virtual BotCatalogue& catalogue() = 0;
  virtual BotPosts& posts() = 0;
  virtual BotUpdates& updates() = 0;
};

}  // namespace haul
