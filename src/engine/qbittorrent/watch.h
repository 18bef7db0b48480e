#pragma once
// Asks about many torrents at once. Asks again by tag for each one that is not in the answer,
// before it reports Missing: a torrent may change its id, but never its tag or its info-hashes.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/qbittorrent/env.h"

namespace haul::qbittorrent {

class TorrentWatch {
 public:
  explicit TorrentWatch(Env env) : env_{std::move(env)} {}

  void look(std::vector<Order> orders, Inbox& inbox);

 private:
  using Orders = std::shared_ptr<const std::vector<Order>>;

  void see(const Orders& orders, Inbox& inbox, const Result<Torrents>& answer);
  void look_by_tag(const Order& order, Inbox& inbox);
  void tell_of(const Order& order, Inbox& inbox, const Torrent& torrent);
  void note_resuming(const Torrents& torrents);
  // Z-1: a client that has just started may have torrents that it does not list yet.
  bool may_not_know_all() const;

  Env env_;
  std::optional<Steady> resuming_since_;  // Since when the client reads its own list.
};

}  // namespace haul::qbittorrent
