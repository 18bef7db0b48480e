#include "engine/qbittorrent/watch.h"

#include <algorithm>
#include <utility>

#include "engine/qbittorrent/find_files.h"
#include "engine/qbittorrent/sight_of.h"

namespace haul::qbittorrent {

void TorrentWatch::look(std::vector<Order> orders, Inbox& inbox) {
  std::vector<std::string> ids;
  ids.reserve(orders.size());
  for (const Order& order : orders) ids.push_back(order.handle);
  const Orders asked = std::make_shared<const std::vector<Order>>(std::move(orders));
  ask_by_id(env_, ids,
            [this, asked, &inbox](const Result<Torrents>& answer) { see(asked, inbox, answer); });
}

void TorrentWatch::see(const Orders& orders, Inbox& inbox, const Result<Torrents>& answer) {
  if (!answer) {
    for (const Order& order : *orders) tell(order, inbox, Unseen{.code = answer.error().code});
    return;
  }
  note_resuming(*answer);
  std::map<std::string_view, const Torrent*> by_id;
  for (const Torrent& torrent : *answer) by_id.emplace(torrent.id, &torrent);
  for (const Order& order : *orders) {
    const auto found = by_id.find(order.handle);
    if (found != by_id.end())
      tell_of(order, inbox, *found->second);
    else
      look_by_tag(order, inbox);
  }
}

void TorrentWatch::look_by_tag(const Order& order, Inbox& inbox) {
  ask_by_tag(env_, order.tag(), [this, order, &inbox](const Result<Torrents>& answer) {
    if (!answer) return tell(order, inbox, Unseen{.code = answer.error().code});
    const auto torrent =
        std::ranges::find_if(*answer, [&](const Torrent& each) { return each.is(order.handle); });
    if (torrent != answer->end()) {
      if (torrent->id != order.handle) tell(order, inbox, Accepted{.handle = torrent->id});
      return tell_of(order, inbox, *torrent);
    }
    if (may_not_know_all()) return tell(order, inbox, Unseen{.code = "client_restarting"});
    tell(order, inbox, Missing{});
  });
}

void TorrentWatch::tell_of(const Order& order, Inbox& inbox, const Torrent& torrent) {
  const FoundFiles found =
      needs_files(torrent) ? find_files(torrent, env_.settings.paths) : FoundFiles{};
  tell(order, inbox, sight_of(torrent, found, env_.clock.now()));
}

void TorrentWatch::note_resuming(const Torrents& torrents) {
  const bool resumes = std::ranges::any_of(
      torrents, [](const Torrent& torrent) { return torrent.state == TorrentState::resuming; });
  if (!resumes)
    resuming_since_.reset();
  else if (!resuming_since_)
    resuming_since_ = env_.clock.steady();
}

bool TorrentWatch::may_not_know_all() const {
  const bool resumes =
      resuming_since_ && env_.clock.steady() - *resuming_since_ < env_.settings.settle;
  return resumes || env_.session.is_settling();
}

}  // namespace haul::qbittorrent
