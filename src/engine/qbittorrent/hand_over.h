#pragma once
// Gives the client one torrent, once: it is looked for by tag and by hash before it is added, and
// again where the client's answer leaves open what happened. A torrent with our tag and another
// info-hash is not ours: somebody else put the tag there, or a restored store counts its jobs anew.

#include <functional>
#include <memory>

#include "engine/qbittorrent/env.h"

namespace haul {

class HandOver : public std::enable_shared_from_this<HandOver> {
 public:
  // `done` is called when no more will be told.
  HandOver(ClientEnv& env, Order order, Inbox& inbox, std::function<void()> done);

  void begin();
  // Nothing is told and, if nothing was sent to the client yet, nothing will be.
  void drop() { dropped_ = true; }
  // Of the torrent it hands over. Nothing was sent to the client while this is none.
  const InfoHash& hash() const { return hash_; }

 private:
  void fetch(const std::string& uri);
  void take_magnet(const std::string& uri);
  void take_file(std::string bytes);
  void wait_for_turn();
  void look_by_tag();
  void look_by_id();
  void add();
  void see_add(const Result<ClientAnswer>& answer);
  void resolve();                // Nothing new: is it there already, under whatever name?
  void confirm(int looks_left);  // It took it; does it show it?
  void share(const ClientTorrent& torrent);
  void accept(const std::string& id);
  void fail(Fault fault, bool outcome_unknown = false);
  // The answer has our torrent, or is a fault: this look was the last.
  bool stops_here(const Result<Torrents>& found);
  const ClientTorrent* find(const Torrents& torrents) const;

  ClientEnv& env_;
  const Order order_;
  Inbox& inbox_;
  std::function<void()> done_;
  InfoHash hash_;
  std::string magnet_;
  std::string file_;
  std::string id_;  // As the client calls it, once it has said so.
  ClientTurns::Token turn_;
  bool dropped_ = false;
};

// An address or a magnet link out of a job's request.
std::string uri_of(const Order& order);

}  // namespace haul
