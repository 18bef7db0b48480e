#pragma once
// Takes an order back from the client: its torrent goes if nobody else wants it, and it is only
// said to be stopped when the client does not list it any more.

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
// Pure: it stays where another order has its tag on it, where it was there before haul, and where
// our tag is not on it.
Leaving judge_leaving(const ClientTorrent& torrent, const std::string& tag);

class Withdraw : public std::enable_shared_from_this<Withdraw> {
 public:
  Withdraw(ClientEnv& env, Order order, Inbox& inbox, std::function<void()> done);
  void begin();

 private:
  void look(int looks_left);
  void act(const Torrents& ours);
  void see_act(const Result<ClientAnswer>& answer);
  void confirm(int looks_left);
  void stopped();
  void fail(Fault fault);

  ClientEnv& env_;
  const Order order_;
  Inbox& inbox_;
  std::function<void()> done_;
  ClientTurns::Token turn_;
};

}  // namespace haul
