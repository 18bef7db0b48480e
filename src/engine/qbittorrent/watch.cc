#include "engine/qbittorrent/watch.h"

#include <algorithm>
#include <utility>

#include "engine/qbittorrent/place.h"
#include "engine/qbittorrent/sight_of.h"

namespace haul::qbittorrent {

void ClientWatch::look(std::vector<Order> orders, Inbox& inbox) {
  std::vector<std::string> ids;
  ids.reserve(orders.size());
  for (const Order& order : orders) ids.push_back(order.handle);
  const Orders asked = std::make_shared<const std::vector<Order>>(std::move(orders));
  ask_by_id(env_, ids,
            [this, asked, &inbox](const Result<Torrents>& answer) { see(asked, inbox, answer); });
}

void ClientWatch::see(const Orders& orders, Inbox& inbox, const Result<Torrents>& answer) {
  if (!answer) {
    for (const Order& order : *orders) tell(order, inbox, Unseen{.code = answer.error().code});
    return;
  }
  note_resuming(*answer);
  std::map<std::string_view, const ClientTorrent*> by_id;
  for (const ClientTorrent& torrent : *answer) by_id.emplace(torrent.id, &torrent);
  for (const Order& order : *orders) {
    const auto found = by_id.find(order.handle);
    if (found != by_id.end())
      tell_of(order, inbox, *found->second);
    else
      look_by_tag(order, inbox);
  }
}

void ClientWatch::look_by_tag(const Order& order, Inbox& inbox) {
  ask_by_tag(env_, order.tag(), [this, order, &inbox](const Result<Torrents>& answer) {
    if (!answer) return tell(order, inbox, Unseen{.code = answer.error().code});
    const auto torrent = std::ranges::find_if(
        *answer, [&](const ClientTorrent& each) { return each.is(order.handle); });
    if (torrent != answer->end()) {
      if (torrent->id != order.handle) tell(order, inbox, Accepted{.handle = torrent->id});
      return tell_of(order, inbox, *torrent);
    }
    if (may_not_know_all()) return tell(order, inbox, Unseen{.code = "client_restarting"});
    tell(order, inbox, Missing{});
  });
}

void ClientWatch::tell_of(const Order& order, Inbox& inbox, const ClientTorrent& torrent) {
  const Placed placed = needs_place(torrent) ? look_for(torrent, env_.settings.paths) : Placed{};
  tell(order, inbox, sight_of(torrent, placed, env_.clock.now()));
}

void ClientWatch::note_resuming(const Torrents& torrents) {
  const bool resumes = std::ranges::any_of(torrents, [](const ClientTorrent& torrent) {
    return torrent.state == ClientState::resuming;
  });
  if (!resumes)
    resuming_since_.reset();
  else if (!resuming_since_)
    resuming_since_ = env_.clock.steady();
}

bool ClientWatch::may_not_know_all() const {
  const bool resumes =
      resuming_since_ && env_.clock.steady() - *resuming_since_ < env_.settings.settle;
  return resumes || env_.session.is_settling();
}

}  // namespace haul::qbittorrent
