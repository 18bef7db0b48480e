#pragma once
// What a worker keeps in memory of a leased batch: the items in transfer, the items that can start,
// and the changes it has not written yet. The store has the truth.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "flow/own_limits.h"
#include "seam/engine.h"
#include "store/items.h"

namespace haul {

// An item that has started and not ended.
struct Transfer {
  enum class Phase : std::uint8_t { moving, fetched, landing };

  Item item;
  std::int64_t start = 0;               // The number of this start; see Order::start.
  std::int64_t have = 0;                // Bytes, as last reported.
  std::optional<std::int64_t> about{};  // The engine's estimate of the size.
  std::string status{};                 // What the engine does instead of fetching.
  Phase phase = Phase::moving;
  Steady started;
  Steady heard;
};

// The started items, by number. Counts those that still move, because every tick asks for it.
class AtWork {
 public:
  Transfer& add(Transfer transfer);
  Transfer* find(std::int64_t n);
  void set_phase(Transfer& transfer, Transfer::Phase phase);
  Transfer take(std::int64_t n);

  // Items whose bytes are still coming.
  std::size_t moving() const { return moving_; }
  std::size_t size() const { return by_number_.size(); }
  bool empty() const { return by_number_.empty(); }
  auto begin() const { return by_number_.begin(); }
  auto end() const { return by_number_.end(); }
  auto begin() { return by_number_.begin(); }
  auto end() { return by_number_.end(); }

 private:
  std::map<std::int64_t, Transfer> by_number_;
  std::size_t moving_ = 0;
};

// A batch whose transfers are being stopped.
struct Stopping {
  Steady since;
  Parts parts = Parts::remove;  // For good, or to go on later.
  std::int64_t listing = 0;     // The enumeration that has not stopped yet; 0: none.
};

struct Fetch {
  bool planning = false;                          // The engine is enumerating the items.
  std::int64_t plan_start = 0;                    // The number of that listing.
  bool found = false;                             // A listing has found at least one item.
  std::optional<Steady> list_again;               // When to repeat a listing that broke off.
  std::optional<Fault> gave_up_listing;           // Why haul does not repeat it any more.
  OwnLimits own;                                  // The job's own limits.
  bool unread = false;                            // The store may have unread items.
  std::int64_t read_to = 0;                       // The number of the last item read.
  std::map<std::string, std::deque<Item>> ready;  // Can start; by host, as found.
  std::multimap<Steady, Item> waiting;            // Failed items, by the time of their retry.
  AtWork at_work;
  std::optional<Steady> room_again;  // The disk was full: while others are at work none starts.
  std::map<std::int64_t, Steady> starts;       // Begun then, and not written down yet.
  std::map<std::int64_t, std::string> ending;  // Addresses of those whose end is in the asks.
  std::vector<ItemAsk> asks;                   // Written down together,
  std::vector<ItemObservation> seen;           // in one transaction,
  Steady written;                              // last at this time.
  std::optional<Stopping> stopping;            // A wish waits for what it has stopped.

  // Items that yt-dlp is fetching: each is a process of its own.
  std::size_t videos() const;
  // Whether anything is left to do, as far as this worker has read the items.
  bool has_work() const;
};

}  // namespace haul
