#pragma once
// One request on its way through the API, and what its handlers may use.

#include <expected>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "api/board.h"
#include "api/doors.h"
#include "api/live.h"
#include "api/meter.h"
#include "api/notice.h"
#include "api/reply.h"
#include "api/who.h"
#include "base/clock.h"
#include "base/web.h"
#include "flow/hands.h"
#include "flow/settings.h"
#include "store/store.h"

namespace haul {

// A file of the page, built into the program.
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
  Hands* hands = nullptr;      // Of a worker beside us, if there is one,
  std::function<void()> wake;  // and how to tell it that something is new.
  std::span<const WebFile> files;
  std::vector<std::string> allowed_hosts;  // Beside addresses and localhost.
  std::string folder;                      // What batches fill, or folders in it.
  // Z-30: what this daemon lacks for a job of this lifecycle with this engine (empty: as haul
  // chooses), as the section or key of the configuration. Empty: nothing. Not set: it lacks
  // nothing.
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

// Something that a request changed. The dispatcher writes it into the audit log where the route or
// its owner calls for it, once the handler has succeeded.
struct Touched {
  UserId owner;
  JobId job{};
  std::string detail{};
  std::string_view action{};  // Empty: the route's own.
};

struct Call {
  const WebRequest& request;
  std::vector<std::string> words;  // What stood for the {} of its pattern.
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
