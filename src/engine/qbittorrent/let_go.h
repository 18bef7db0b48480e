#pragma once
// Has the client let go of a complete torrent and keep its files. First waits for the client's own
// rule for sharing it (A1-9, Z-4). Removes the torrent only if no other order, store or user has
// it; otherwise takes only the order's tag off it. Says that the files are in use if another
// torrent of the client has one of the order's sources.

#include <memory>

#include "engine/qbittorrent/env.h"

namespace haul::qbittorrent {

// Reports Released, Seeding or Failed. Lives until it has reported, or the engine is gone.
class LetGo : public std::enable_shared_from_this<LetGo> {
 public:
  LetGo(Env& env, Order order, Inbox& inbox);
  void begin();

 private:
  void look();
  void look_at_all();
  void see_all(const Result<Torrents>& all);
  void act(const Torrent& torrent);
  void remove(const Torrent& torrent);
  void untag(const Torrent& torrent, const std::string& tags);
  void confirm(int looks_left);
  bool is_good_answer(const Result<WebApiReply>& answer);
  void end(What what);
  void fail(Fault fault);

  Env& env_;
  const Order order_;
  Inbox& inbox_;
  Turns::Token turn_;
};

}  // namespace haul::qbittorrent
