#pragma once
// The seam to whatever fetches. Engines report sights and decide nothing: no retries, no store.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/shared_text.h"
#include "io/sight.h"

namespace haul {

// What an engine is asked about. The tag names the order before the engine has a name of its own,
// so that a repetition can find what the first one left.
struct Order {
  std::string store;  // The id of the store that has the job: names outside carry it.
  JobId job;
  std::int64_t item = 0;
  std::int64_t fence = 0;
  std::int64_t start = 0;  // Counts starts, so that a late answer to a former one is told apart.
  SharedText request;      // The job's request, JSON.
  std::string url;         // The item's address, where there are items.
  std::string key;         // By which it is one item of the job, and who fetches it.
  std::string path;        // Where an earlier start meant it to lie.
  std::optional<std::int64_t> size;
  std::string handle;  // The engine's own name for it; empty: not known yet.
  std::string checkpoint;

  // "haul-a1b2c3d4e5f6-7": no other order has it, not one of another store either.
  std::string tag() const { return "haul-" + store + "-" + std::to_string(job.value); }
};

// What becomes of a transfer that is stopped: it goes on later, or never.
enum class Parts : std::uint8_t { keep, remove };

// Every call returns at once; answers arrive as sights in the inbox.
class Engine {
 public:
  virtual ~Engine() = default;

  // Enumerates: Planned, perhaps in parts, or Failed. Failed after a part: the rest was not found.
  virtual void plan(const Order& order, Inbox& inbox) = 0;
  // Starts a transfer: Accepted, Moving, Fetched, Finished or Failed, as they come.
  virtual void start(Order order, Inbox& inbox) = 0;
  // Puts what was fetched in its place, once the caller has written down what it is: Finished,
  // Failed, or Fetched again if the place was taken meanwhile.
  virtual void land(const Order& order, Inbox& inbox) = 0;
  // Asks about many at once, where the transfer outlives us: one sight each.
  virtual void look(std::span<const Order> orders, Inbox& inbox) = 0;
  // Ends a transfer, or with item 0 an enumeration, within two seconds: Stopped, or Failed. With
  // item and start 0, and Parts::remove, it removes whatever workers of an ended job left: Stopped.
  virtual void stop(const Order& order, Parts parts, Inbox& inbox) = 0;
};

}  // namespace haul
