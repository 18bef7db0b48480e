#pragma once
// What a worker keeps in memory of a leased batch: the items in transfer, the items that can start,
// and the changes it has not written yet. The store has the truth.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fault.h"
#include "flow/worker/handler.h"
#include "flow/worker/own_limits.h"
#include "store/items.h"

namespace haul::flow {

// When a start has its first slot.
enum class Slot : std::uint8_t {
  none,   // There is none: it cannot start.
  now,    // It has one, or its program takes one for each request.
  later,  // It waits for one in the engine.
};

// An item that has started and not ended.
struct Transfer {
  using Phase = TransferView::Phase;

  Item item;
  std::int64_t start = 0;                 // The number of this start; see Order::start.
  std::int64_t have = 0;                  // Bytes, as last reported.
  std::optional<std::int64_t> resumed{};  // Bytes of an earlier start. Nothing until it is known.
  std::optional<std::int64_t> about{};    // The engine's estimate of the size.
  std::string status{};                   // What the engine does instead of fetching.
  Phase phase = Phase::moving;
  Slot slot = Slot::now;
  Steady started;
  Steady heard;

  // The bytes that this start has received. A start that resumes counts from its first report.
  std::int64_t received() const { return resumed && have > *resumed ? have - *resumed : 0; }
};

// Whether the next start of the item can go on with the bytes that it has.
bool is_resumable(const Item& item);

// The started items, by number. Counts those that still move and those of programs, because every
// start asks for both.
class AtWork {
 public:
  Transfer& add(Transfer transfer);
  Transfer* find(std::int64_t n);
  void set_phase(Transfer& transfer, Transfer::Phase phase);
  Transfer take(std::int64_t n);

  // Items whose bytes are still coming.
  std::size_t moving() const { return moving_; }
  // Items that another program fetches.
  std::size_t of_programs() const { return of_programs_; }
  std::size_t size() const { return by_number_.size(); }
  bool empty() const { return by_number_.empty(); }
  auto begin() const { return by_number_.begin(); }
  auto end() const { return by_number_.end(); }
  auto begin() { return by_number_.begin(); }
  auto end() { return by_number_.end(); }

 private:
  std::map<std::int64_t, Transfer> by_number_;
  std::size_t moving_ = 0;
  std::size_t of_programs_ = 0;
};

struct Fetch final : HandlerState {
  // The enumeration of the job's items by an engine.
  struct Listing {
    enum class Is : std::uint8_t {
      idle,      // The job needs none, or the last one is complete.
      running,   // The engine enumerates the items.
      waiting,   // The last one failed. haul repeats it at `again_at`.
      stopping,  // The engine was told to stop it, and has not reported its end.
      given_up,  // The last one failed with `fault`. haul does not repeat it.
    } is = Is::idle;
    std::int64_t start = 0;  // The number of the last listing; see Order::start.
    std::int64_t found = 0;  // Items that the listings of this lease have found.
    Steady again_at{};
    Fault fault{};
  };

  Listing listing;
  OwnLimits own;                                  // The job's own limits.
  bool unread = false;                            // The store may have unread items.
  std::int64_t read_to = 0;                       // The number of the last item read.
  std::map<std::string, std::deque<Item>> ready;  // Items that can start; by host, as found.
  std::multimap<Steady, Item> waiting;            // Failed items, by the time of their retry.
  std::map<std::int64_t, std::vector<Receipt>> receipts;  // By item, if an earlier job has any.
  std::map<std::int64_t, std::string> sources;  // By item: the URL to ask, if not the item's own.
  AtWork at_work;
  bool is_quick = false;  // The last file whose start had a slot was fetched within 100 ms.
  // The disk was full. While other items are at work, none starts before this.
  std::optional<Steady> room_again;

  // Changes of items that the store does not have yet.
  std::map<std::int64_t, Steady> starts;  // When items started that have no move in `asks` yet.
  std::vector<ItemMove> asks;             // The next write has these moves
  std::vector<ItemObservation> observed;  // and these observations, in one transaction.
  struct Ending {
    std::string key;
    std::string url;
  };
  std::map<std::int64_t, Ending> ending;  // The items that end by `asks`.
  Steady written;                         // When the last write was.
  std::int64_t received = 0;              // Bytes of the starts that ended under this lease.
  bool has_left = false;  // An item that failed left its part, and that is recorded.

  // The URL that the next start of the item asks first.
  const std::string& source_of(const Item& item) const;
  // Items that yt-dlp is fetching: each is a process of its own.
  std::size_t videos() const;
  // Whether anything is left to do, as far as this worker has read the items.
  bool has_work() const;
  // What its open items add up to, but for the host that they wait for.
  OpenItems open_items() const;
};

using ListingIs = Fetch::Listing::Is;

}  // namespace haul::flow
