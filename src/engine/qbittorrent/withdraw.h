#pragma once
// Takes an order back from the client: its torrent goes if nobody else wants it, and it is only
// said to be stopped when the client does not list it any more. A torrent is the order's if it has
// both its tag and its info-hash; any other is left as it is.

#include <functional>
#include <memory>

#include "engine/qbittorrent/env.h"

namespace haul {

// What is to be done with a torrent that an order leaves.
struct Leaving {
  enum class Kind : std::uint8_t { nothing, untag, remove } kind = Kind::nothing;
  std::string tags;  // To be taken off, where it stays.

  bool operator==(const Leaving&) const = default;
};
// Pure: the torrent stays if another order or another haul has a tag on it, if this store found it
// in the client, and if the order's tag is not on it.
Leaving judge_leaving(const ClientTorrent& torrent, const Order& order);

class Withdraw : public std::enable_shared_from_this<Withdraw> {
 public:
  // `hash` is none where this process has not read the torrent.
  Withdraw(ClientEnv& env, Order order, InfoHash hash, Inbox& inbox, std::function<void()> done);
  void begin();

 private:
  void look(int looks_left);
  bool is_known() const { return !order_.handle.empty() || !hash_.is_none(); }
  // Learns the info-hash from the request, then begins again.
  void identify();
  void see_identity(const Result<InfoHash>& hash);
  void keep_ours(Torrents& torrents) const;
  void act(Torrents ours);
  void see_act(const Result<ClientAnswer>& answer, const Torrents& others);
  void confirm(int looks_left);
  void stopped();
  void fail(Fault fault);

  ClientEnv& env_;
  const Order order_;
  Inbox& inbox_;
  std::function<void()> done_;
  InfoHash hash_;  // None: not known yet.
  ClientTurns::Token turn_;
};

}  // namespace haul
