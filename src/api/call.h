#pragma once
// One request inside the API, and the parts that its handlers use.

#include <expected>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "api/doors.h"
#include "api/kept_file.h"
#include "api/live/live.h"
#include "api/live/live_progress.h"
#include "api/live/meter.h"
#include "api/notice.h"
#include "api/reply.h"
#include "api/who.h"
#include "base/clock.h"
#include "base/ensure.h"
#include "base/speed_schedule.h"
#include "base/web.h"
#include "flow/worker/lifecycle_work.h"
#include "flow/worker/settings.h"
#include "flow/worker/spare_capacity.h"
#include "lifecycle/category.h"
#include "store/store.h"

namespace haul::api {

// A file of the web page, embedded in the binary.
struct WebFile {
  std::string_view path;  // "assets/index.js"
  std::string_view type;
  std::string_view bytes;
};

struct ApiParts {
  Store& store;
  const Clock& clock;
  flow::Settings settings;
  Live& live;
  const LiveProgress& progress;
  Meter& meter;
  flow::SpareCapacity* spare = nullptr;  // Of the worker in this process; null if there is none.
  std::function<void()> wake;            // Tells the worker that something is new.
  std::span<const WebFile> files;
  std::vector<std::string> allowed_hosts;  // Besides addresses and localhost.
  std::string folder;                      // Batches write into it or into folders below it.
  // Z-30: what the worker in this process can do, and what must be configured before it does it.
  // Nothing is missing for a lifecycle that is not in the list.
  std::span<const flow::LifecycleWork> work{};
  std::string version;
  SpeedPlan speed{};  // Of all transfers together.
  std::vector<Category> categories{};
  OpenKept open_kept{};        // Opens the files of assets; not set: there are none.
  std::string image_origin{};  // Where the page gets images besides haul; empty: nowhere.
  Say say{};                   // Into the log, from any thread; not set: there is none.
  Doors* doors = nullptr;      // The Api's own, which sets it.
};

inline void say(const ApiParts& parts, const Notice& notice) {
  if (parts.say) parts.say(notice);
}

inline void tell_worker(const ApiParts& parts) {
  if (parts.wake) parts.wake();
}

// Something that a request changed. Once the handler has succeeded, the dispatcher writes it into
// the audit log if the route or the object's owner calls for it.
struct Touched {
  UserId owner;
  JobId job{};
  std::string detail{};
  std::string_view action{};  // Empty: the route's action.
};

struct Call {
  const WebRequest& request;
  std::vector<std::string> words;  // The path segments that matched the {} of the pattern.
  Who who;
  Time now;
  std::vector<Touched>* touched = nullptr;  // Null: the caller writes the audit log itself.

  // What the {} of the pattern matched, for a route that has one.
  const std::string& word() const {
    ensure(!words.empty(), "the pattern of a route has the {} that its handler reads");
    return words.front();
  }
  void touch(Touched what) const {
    if (touched) touched->push_back(std::move(what));
  }
};

using ApiReply = std::expected<WebReply, ApiError>;
using RouteHandler = ApiReply (*)(const ApiParts& parts, const Call& call);

}  // namespace haul::api
