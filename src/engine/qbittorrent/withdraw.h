#pragma once
// Takes an order back from the client. Removes its torrent if no other order wants it, and reports
// Stopped only when the client no longer lists it. A torrent is the order's if it has both its tag
// and its info-hash. Any other torrent is left as it is. Reports Failed within two seconds if it is
// not done by then, continues all the same, and reports Stopped when it is.

#include <functional>
#include <memory>

#include "engine/qbittorrent/env.h"

namespace haul::qbittorrent {

// What to do with a torrent that an order leaves.
struct Leaving {
  enum class Kind : std::uint8_t { nothing, untag, remove } kind = Kind::nothing;
  std::string tags;  // Tags to remove if the torrent stays.

  bool operator==(const Leaving&) const = default;
};
// Pure. The torrent stays if another order or another haul has tagged it, if this store found it in
// the client, or if it does not have the order's tag.
Leaving judge_leaving(const Torrent& torrent, const Order& order);

class Withdraw : public std::enable_shared_from_this<Withdraw> {
 public:
  // `hash` is none if this process has not read the torrent.
  Withdraw(Env& env, Order order, InfoHash hash, Inbox& inbox, std::function<void()> done);
  void begin();
  // The same order is to be stopped again while this goes on: it too is answered in time.
  void join();

 private:
  void promise_answer();
  int looks_at_first() const;
  void take_turn(int looks_left);
  void look(int looks_left);
  bool is_known() const { return !order_.handle.empty() || !hash_.is_none(); }
  // Learns the info-hash from the request, then begins again.
  void identify();
  void see_identity(const Result<InfoHash>& hash);
  void keep_ours(Torrents& torrents) const;
  void act(Torrents ours);
  void see_act(const Result<WebApiReply>& answer, const Torrents& others);
  void confirm(int looks_left);
  void stopped();
  void fail(Fault fault);
  void end(What what);

  Env& env_;
  const Order order_;
  Inbox& inbox_;
  std::function<void()> done_;  // Empty once it has ended.
  bool is_answered_ = false;    // Failed was reported, and no worker has asked since.
  InfoHash hash_;               // None until it is known.
  Turns::Token turn_;
};

}  // namespace haul::qbittorrent
