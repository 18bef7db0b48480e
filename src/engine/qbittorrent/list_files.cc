#include "engine/qbittorrent/list_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/qbittorrent/source_list.h"

namespace haul::qbittorrent {

bool may_not_know_all(const Env& env, const Torrents& all) {
  return env.session.is_settling() || std::ranges::any_of(all, [](const Torrent& each) {
           return each.state == TorrentState::resuming;
         });
}

ListFiles::ListFiles(Env& env, Order order, Inbox& inbox)
    : env_{env}, order_{std::move(order)}, inbox_{inbox} {}

void ListFiles::begin() {
  ask_by_tag(env_, order_.tag(), [self = shared_from_this()](const Result<Torrents>& found) {
    self->see_tagged(found);
  });
}

// A user may have removed the tag, so the torrent is looked for by its hashes too.
void ListFiles::see_tagged(const Result<Torrents>& found) {
  if (!found) return fail(found.error());
  const auto is_ours = [this](const Torrent& each) { return each.is(order_.handle); };
  if (const auto ours = std::ranges::find_if(*found, is_ours); ours != found->end())
    return see_torrent(*ours);
  ask_all(env_, [self = shared_from_this(), is_ours](const Result<Torrents>& all) {
    if (!all) return self->fail(all.error());
    const auto ours = std::ranges::find_if(*all, is_ours);
    if (ours != all->end()) return self->see_torrent(*ours);
    if (may_not_know_all(self->env_, *all))
      return self->fail({FaultKind::retryable, "client_restarting",
                         "qBittorrent has just started and may not list all its torrents"});
    self->report(Missing{});
  });
}

void ListFiles::see_torrent(const Torrent& torrent) {
  if (torrent.state != TorrentState::finished || torrent.left != 0)
    return fail({FaultKind::retryable, "asset_pending",
                 fmt::format("qBittorrent does not report it as complete now ({})",
                             printable(torrent.word))});
  env_.session.ask({.action = "torrents/files", .query = {{"hash", torrent.id}}},
                   [self = shared_from_this(), torrent](const Result<WebApiReply>& answer) {
                     self->see_content(torrent, answer);
                   });
}

void ListFiles::see_content(const Torrent& torrent, const Result<WebApiReply>& answer) {
  if (!answer) return fail(answer.error());
  if (answer->status == 404) return report(Missing{});
  if (answer->status != 200)
    return fail({FaultKind::retryable,
                 answer->status >= 500 ? "client_unreachable" : "client_garbage",
                 fmt::format("qBittorrent answered {}", answer->status)});
  const auto content = read_content(answer->body);
  if (!content) return fail(content.error());
  auto sources = look_at_sources(torrent, *content, env_.settings);
  if (!sources) return fail(sources.error());
  report(Listed{.files = *std::move(sources)});
}

void ListFiles::report(What what) { tell(order_, inbox_, std::move(what)); }

void ListFiles::fail(Fault fault) { report(Failed{.fault = std::move(fault), .checkpoint = {}}); }

}  // namespace haul::qbittorrent
