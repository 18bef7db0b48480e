#pragma once
// The work of one lifecycle: how a worker does it, and what must be configured before it can begin.
// The worker and the API get the same list, with one entry per lifecycle.

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "flow/worker/service_hold.h"
#include "lifecycle/table.h"
#include "seam/by_hand.h"
#include "seam/import_preview.h"
#include "seam/lack.h"
#include "seam/trash.h"
#include "store/jobs.h"

namespace haul {
class Store;
struct Item;
}  // namespace haul

namespace haul::flow {

class Desk;
class Handler;

// What the settings of LaneLimits are called. Empty if a limit is no setting.
struct LimitNames {
  std::string_view at_once{};
  std::string_view per_owner{};
};

// A job that fetches one item of an earlier job from another link.
struct Relinked {
  std::string request;  // JSON, not checked yet.
  NewItem item;
};

struct LifecycleWork {
  const Lifecycle* lifecycle = nullptr;
  // Makes a worker's handler, which acts through the worker's desk.
  std::function<std::unique_ptr<Handler>(Desk&)> make_handler;
  // Z-30: what the lifecycle lacks before a job can begin, in the configuration's words. Empty if
  // it is ready. `engine` is the one that the job's request asks for, or empty if it asks for none.
  // Call from any thread.
  std::function<std::string(std::string_view engine)> not_ready = [](std::string_view) {
    return std::string{};
  };
  // Z-30: what it lacks besides for a job with this request, JSON, which may not be checked yet.
  // Call from any thread.
  std::function<std::string(std::string_view request)> lacks_for = [](std::string_view) {
    return std::string{};
  };
  // What it would do with the files of a job if a user said this about them. Not set if users can
  // say nothing about the files of its jobs; Refusal if it is too late for this one. Reads only the
  // store. Call from any thread.
  using PlanImport = std::function<std::expected<ImportPreview, Refusal>(
      Store&, const Job&, std::span<const ByHand> said)>;
  PlanImport plan_import{};
  // What a job asks for that fetches one item of a job with this request from another link. Not set
  // if the items of its jobs have no links. Call from any thread.
  using Relink = std::function<std::expected<Relinked, Refusal>(
      std::string_view request, const Item& item, const std::string& url)>;
  Relink relink{};
  // Credits that a new job costs its owner. Nothing if its jobs cost none.
  std::optional<std::int64_t> price{};
  // Why it takes no job with this request, JSON, whose form is checked. Asked when a job is added,
  // and again before a worker claims it, because the rules may have changed meanwhile. Must be
  // quick: the store asks it inside a transaction. Call from any thread.
  RequestCheck refuses{};
  // The same, but asked only when a job is added: a job that is there is the handler's to judge.
  RequestCheck refuses_new{};
  bool refunds_rejected = false;  // A job that a service rejects gets its price back.
  Quota quota{};                  // How many of its jobs may be open.
  LaneLimits limits{};            // How many of its jobs may run at once.
  LimitNames limit_names{};
  Millis expires_after{0};  // A new job that waits longer expires. 0: never.
  // Shared by all copies of this entry: a worker holds its jobs back, and the API says why.
  std::shared_ptr<ServiceHold> hold = std::make_shared<ServiceHold>();
  Trash* trash = nullptr;  // Where it keeps the sources of its jobs for a while. Null if nowhere.
};

// The trash of the lifecycles; nullptr if none has one.
Trash* find_trash(std::span<const LifecycleWork> all);

// Why a job with this request is not added. Nothing if it may be, or without an entry.
std::optional<Refusal> refusal_of_new(const LifecycleWork* entry, std::string_view request);

// The entry of a lifecycle; nullptr if there is none.
const LifecycleWork* find_work(std::span<const LifecycleWork> all, const Lifecycle& lifecycle);

// What the lifecycle's entry says. Empty if there is no entry: then this process does not know.
std::string not_ready(std::span<const LifecycleWork> all, const Lifecycle& lifecycle,
                      std::string_view engine = {});

// What it lacks besides for a job with this request.
std::string lacks_for(std::span<const LifecycleWork> all, const Lifecycle& lifecycle,
                      std::string_view request);

// When a job of the lifecycle that is added now expires, if it does.
std::optional<Time> expires_at(std::span<const LifecycleWork> all, const Lifecycle& lifecycle,
                               Time now);

// Whether a worker with this list begins jobs of the lifecycle: those that ask for no engine, or
// for one of those that the lifecycle has.
bool is_ready(std::span<const LifecycleWork> all, const Lifecycle& lifecycle);

// The engine that a request asks for. Empty if it asks for none.
std::string engine_in(const Lifecycle& lifecycle, std::string_view request);

// What two parts of a lifecycle's work lack together, in this order. Empty if both are ready. What
// this build cannot do is named alone: the user would configure the other part for nothing.
std::string both_not_ready(const Lack& first, const Lack& second);

}  // namespace haul::flow
