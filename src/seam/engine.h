#pragma once
// The interfaces of everything that fetches. Engines report sights and decide nothing: they neither
// retry nor touch the store.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/receipt.h"
#include "base/shared_text.h"
#include "seam/lack.h"
#include "seam/leftovers.h"
#include "seam/sight.h"

namespace haul {

// What the flow asks of an engine. The tag identifies the order before the engine has assigned a
// handle, so that a repeated start finds what the first one left.
struct Order {
  std::string store;  // Id of the store that has the job. Names outside haul carry it.
  JobId job;
  std::int64_t item = 0;
  std::int64_t fence = 0;
  std::int64_t start = 0;  // Counts starts. Tells a late answer to an earlier start apart.
  SharedText request;      // The job's request, as JSON.
  std::string url;         // The item's address. Empty if the job has no items.
  std::string key;         // Identifies the item in its job and names the engine that fetches it.
  std::string path;        // Where an earlier start meant to put the file.
  std::optional<std::int64_t> size;
  std::string handle;  // The engine's own name for the transfer. Empty until it is known.
  std::string checkpoint;
  std::vector<std::string> sources{};  // For a release: the files that it listed, absolute.
  std::vector<Receipt> receipts{};     // Files that earlier jobs landed from this address.
  std::string source{};  // The address whose host gave the start its slot. Empty: the item's.
  // The start has no slot yet: it passes the gate first. If that takes longer than 1 s, it ends as
  // Stopped.
  bool waits_for_slot = false;

  // "haul-a1b2c3d4e5f6-7": unique, also across stores.
  std::string tag() const { return "haul-" + store + "-" + std::to_string(job.value); }
};

// Fetches the items of a job here, and holds nothing that outlives haul. Every call returns at
// once; answers arrive as sights in the inbox.
class ItemEngine {
 public:
  virtual ~ItemEngine() = default;

  // Enumerates the items. Reports Planned, possibly several times, or Failed. Failed after a
  // Planned means that the rest was not found.
  virtual void plan(const Order& order, Inbox& inbox) = 0;
  // Starts a transfer. Reports Moving, Fetched, Finished or Failed as they happen.
  virtual void start(Order order, Inbox& inbox) = 0;
  // Puts the fetched file in its place. The caller stores the Fetched sight first. Reports
  // Finished, Failed, or Fetched again if another file has taken the name meanwhile.
  virtual void land(const Order& order, Inbox& inbox) = 0;
  // Ends a transfer, or with item 0 an enumeration, within two seconds. Reports Stopped or Failed,
  // or Finished if the file was in its place first. If the start is over, or unknown here,
  // Leftovers::remove removes the part that the order's checkpoint names. With item and start 0, it
  // removes everything that workers of an ended job left behind.
  virtual void stop(const Order& order, Leftovers leftovers, Inbox& inbox) = 0;
  // Z-30: what it lacks before it can work. The argument is the engine that a request asks for, or
  // empty if haul chooses one. Call from any thread.
  virtual Lack not_ready(std::string_view) const { return {}; }
};

// Hands work to another system, where it outlives haul, and asks about it. Every call returns at
// once; answers arrive as sights in the inbox.
class RemoteEngine {
 public:
  virtual ~RemoteEngine() = default;

  // Hands the work over. Reports Accepted or Failed, and Moving or Finished if it is told of them.
  virtual void start(Order order, Inbox& inbox) = 0;
  // The handle that start() will use for this order, if the engine chooses it itself. The caller
  // stores it before the start, so that look() finds the work after a crash. Empty if the other
  // system names the work. Call from any thread.
  virtual std::string handle_for(const Order&) const { return {}; }
  // Asks about many at once. Reports one sight each, preceded by Accepted if the handle has
  // changed.
  virtual void look(std::span<const Order> orders, Inbox& inbox) = 0;
  // Ends the work, within two seconds. Reports Stopped or Failed.
  virtual void stop(const Order& order, Leftovers leftovers, Inbox& inbox) = 0;
  // Looks at the files that a complete transfer has fetched. Reports Listed, or Missing if there is
  // no such transfer, or Failed.
  virtual void list(const Order& order, Inbox& inbox);
  // Has the other system let go of a complete transfer and keep its files, once its own rule for
  // sharing them allows that. Reports Released, Seeding or Failed. A transfer that is gone already
  // is released.
  virtual void release(const Order& order, Inbox& inbox);
  // Z-30: what it lacks before it can work. The argument is the engine that a request asks for, or
  // empty if it asks for none. Call from any thread.
  virtual Lack not_ready(std::string_view) const { return {}; }
};

}  // namespace haul
