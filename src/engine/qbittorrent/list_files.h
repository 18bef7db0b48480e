#pragma once
// Finds the torrent of an order, asks for its files, and looks at them on this machine.

#include <memory>

#include "engine/qbittorrent/env.h"

namespace haul::qbittorrent {

// Reports Listed, Missing or Failed. Lives until it has reported, or the engine is gone.
class ListFiles : public std::enable_shared_from_this<ListFiles> {
 public:
  ListFiles(Env& env, Order order, Inbox& inbox);
  void begin();

 private:
  void see_tagged(const Result<Torrents>& found);
  void see_torrent(const Torrent& torrent);
  void see_content(const Torrent& torrent, const Result<WebApiReply>& answer);
  void report(What what);
  void fail(Fault fault);

  Env& env_;
  const Order order_;
  Inbox& inbox_;
};

// Z-1: whether the client may have torrents that it does not list yet. `all` is its whole list.
bool may_not_know_all(const Env& env, const Torrents& all);

}  // namespace haul::qbittorrent
