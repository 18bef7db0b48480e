#pragma once
// One request inside the API, and the parts that its handlers use.

#include <expected>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "api/doors.h"
#include "api/live/board.h"
#include "api/live/live.h"
#include "api/live/meter.h"
#include "api/notice.h"
#include "api/reply.h"
#include "api/who.h"
#include "base/clock.h"
#include "base/web.h"
#include "flow/hands.h"
#include "flow/settings.h"
#include "store/store.h"

namespace haul {

// A file of the web page, embedded in the binary.
struct WebFile {
  std::string_view path;  // "assets/index.js"
  std::string_view type;
  std::string_view bytes;
};

struct ApiParts {
  Store& store;
  const Clock& clock;
  Settings settings;
  Live& live;
  const Board& board;
  Meter& meter;
  Hands* hands = nullptr;      // Of the worker in this process; null if there is none.
  std::function<void()> wake;  // Tells the worker that something is new.
  std::span<const WebFile> files;
  std::vector<std::string> allowed_hosts;  // Besides addresses and localhost.
  std::string folder;                      // Batches write into it or into folders below it.
  // Z-30: returns the configuration section or key that a job of this lifecycle and engine needs
  // and this daemon lacks; empty if nothing is missing. An empty engine means that haul chooses
  // one. If the function is not set, nothing is missing.
  std::function<std::string(const Lifecycle& lifecycle, std::string_view engine)> not_configured{};
  std::string version;
  Say say{};               // Into the log, from any thread; not set: there is none.
  Doors* doors = nullptr;  // The Api's own, which sets it.
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

  void touch(Touched what) const {
    if (touched) touched->push_back(std::move(what));
  }
};

using ApiReply = std::expected<WebReply, ApiError>;
using Handler = ApiReply (*)(const ApiParts& parts, const Call& call);

}  // namespace haul
