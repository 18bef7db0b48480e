#pragma once
// What a worker knows of a batch under its lease: which items are at work, which could start, and
// what it is about to write down about them. The store has the truth; this is the part in hand.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "flow/own_limits.h"
#include "store/items.h"

namespace haul {

// One item at work.
struct Transfer {
  enum class Phase : std::uint8_t { moving, fetched, landing };

  Item item;
  std::int64_t start = 0;               // Which start of the item this is.
  std::int64_t have = 0;                // As last reported.
  std::optional<std::int64_t> about{};  // The engine's guess at the size,
  std::string status{};                 // and what it does, if that is not fetching.
  Phase phase = Phase::moving;
  Steady started;
  Steady heard;
};

// The items at work, by number. How many of them still move is asked at every turn, so it is
// counted along.
class AtWork {
 public:
  Transfer& add(Transfer transfer);
  Transfer* find(std::int64_t n);
  void set_phase(Transfer& transfer, Transfer::Phase phase);
  Transfer take(std::int64_t n);

  // Those whose bytes still come.
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
  bool planning = false;                          // The engine is enumerating,
  std::int64_t plan_start = 0;                    // under this number.
  bool found = false;                             // Anything at all, so far.
  std::optional<Steady> list_again;               // When a listing that broke off is repeated.
  std::optional<Fault> gave_up_listing;           // Why it is not repeated any more.
  OwnLimits own;                                  // Tighter than the configured ones.
  bool unread = false;                            // The store may have items beyond
  std::int64_t read_to = 0;                       // this number, not in hand.
  std::map<std::string, std::deque<Item>> ready;  // By host, in the order they were found.
  std::multimap<Steady, Item> waiting;            // Until their wait after a failure is over.
  AtWork at_work;
  std::map<std::int64_t, Steady> starts;       // Begun then, and not written down yet.
  std::map<std::int64_t, std::string> ending;  // Addresses of those whose end is in the asks.
  std::vector<ItemAsk> asks;                   // Written down together,
  std::vector<ItemObservation> seen;           // in one transaction,
  Steady written;                              // last at this time.
  std::optional<Stopping> stopping;            // A wish waits for what it has stopped.

  // Items that a program fetches one by one, and whose bytes still come.
  std::size_t videos() const;
  // Anything that is not done, as far as is known here.
  bool has_work() const;
};

}  // namespace haul
