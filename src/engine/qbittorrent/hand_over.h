#pragma once
// Gives the client one torrent, once. Looks for it by tag and by hash before adding it, and again
// if the client's answer leaves open what happened. A torrent with the order's tag and another
// info-hash is not the order's: a user set the tag, or a restored store reuses job numbers.

#include <functional>
#include <memory>

#include "engine/qbittorrent/env.h"

namespace haul::qbittorrent {

class HandOver : public std::enable_shared_from_this<HandOver> {
 public:
  // Calls `done` after the last report.
  HandOver(Env& env, Order order, Inbox& inbox, std::function<void()> done);

  void begin();
  // Stops all reports. If the torrent was not sent to the client yet, it will not be.
  void drop() { dropped_ = true; }
  // The torrent's hash. As long as it is none, nothing was sent to the client.
  const InfoHash& hash() const { return hash_; }

 private:
  void fetch(const std::string& uri);
  void take_magnet(const std::string& uri);
  void take_file(std::string bytes);
  void wait_for_turn();
  void look_by_tag();
  void look_by_id();
  void add();
  void see_add(const Result<WebApiReply>& answer);
  void resolve();                // The client added nothing: does it have the torrent already?
  void confirm(int looks_left);  // The client took the torrent: does it list it?
  void share(const Torrent& torrent);
  void accept(const std::string& id);
  void fail(Fault fault, bool outcome_unknown = false);
  void finish();
  // Whether the search ends here, because the answer has the torrent or is a fault. Handles both.
  bool stops_here(const Result<Torrents>& found);
  const Torrent* find(const Torrents& torrents) const;

  Env& env_;
  const Order order_;
  Inbox& inbox_;
  std::function<void()> done_;  // Empty once it has ended.
  InfoHash hash_;
  std::string magnet_;
  std::string file_;
  std::string id_;  // The client's id for the torrent. Empty until it says so.
  Turns::Token turn_;
  bool dropped_ = false;
};

// The address or magnet link in a job's request. Empty if there is none.
std::string uri_of(const Order& order);

}  // namespace haul::qbittorrent
