#pragma once
// What everything that talks to the client shares: the session, the turns, the queries. Lives on
// the loop's thread.

#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/qbittorrent/session.h"
#include "engine/qbittorrent/torrent.h"
#include "seam/engine.h"

namespace haul::qbittorrent {

// Runs the acts on the client one after the other, so that two owners of one torrent never decide
// about it at the same time. A turn ends when its holder drops the token.
class Turns {
 public:
  using Token = std::shared_ptr<void>;
  using Work = std::function<void(Token)>;

  explicit Turns(io::HttpLoop& loop) : loop_{loop} {}
  void take(Work work);

 private:
  void next();

  io::HttpLoop& loop_;
  std::deque<Work> waiting_;
  bool taken_ = false;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

struct Env {
  io::HttpLoop& loop;
  const Clock& clock;
  const QbittorrentSettings& settings;
  WebApiSession& session;
  io::HttpFetcher& web;  // Fetches .torrent files from other servers.
  Turns& turns;
  // Expires with the engine. Posted callbacks check it before they run.
  const std::shared_ptr<const bool> alive = std::make_shared<const bool>(true);
};

// Not if the engine is gone by then.
void after(const Env& env, Millis wait, std::function<void()> work);

using Torrents = std::vector<Torrent>;
using ThenTorrents = std::function<void(Result<Torrents>)>;

// Asks for the torrents with these ids. Sends no request if there is no valid id.
void ask_by_id(Env& env, const std::vector<std::string>& ids, ThenTorrents then);
// Asks for the torrents with exactly this tag.
void ask_by_tag(Env& env, const std::string& tag, ThenTorrents then);
void ask_all(Env& env, ThenTorrents then);

inline void tell(const Order& order, Inbox& inbox, What what) {
  inbox.push({order.job, order.item, order.fence, order.start, std::move(what)});
}

}  // namespace haul::qbittorrent
