#include "engine/qbittorrent/let_go.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/path_map.h"
#include "base/text.h"
#include "engine/qbittorrent/list_files.h"
#include "engine/qbittorrent/withdraw.h"

namespace haul::qbittorrent {
namespace {

constexpr int kGoneLooks = 15;  // For a torrent just removed that the client still lists.
constexpr Millis kLookEvery{100};

constexpr const char* kShared = "another job or program still uses the torrent in qBittorrent";
constexpr const char* kUntagged = "qBittorrent has the torrent, but without haul's tag";
constexpr const char* kSameFiles = "another torrent in qBittorrent has the same files";

// Whether one of these torrents has one of the files: the file is its content, or lies in it.
bool has_any(const Torrents& torrents, const std::vector<std::string>& files, const PathMap& map) {
  std::set<std::string> ours;
  for (const std::string& file : files)
    if (const auto path = clean_path(file)) ours.insert(path->string());
  return std::ranges::any_of(torrents, [&](const Torrent& torrent) {
    const auto content = map.here(torrent.content_path);
    if (!content) return false;
    if (ours.contains(content->string())) return true;
    const std::string inside = content->string() + "/";
    const auto first = ours.lower_bound(inside);
    return first != ours.end() && first->starts_with(inside);
  });
}

}  // namespace

LetGo::LetGo(Env& env, Order order, Inbox& inbox)
    : env_{env}, order_{std::move(order)}, inbox_{inbox} {}

void LetGo::begin() {
  env_.turns.take([self = shared_from_this()](Turns::Token turn) {
    self->turn_ = std::move(turn);
    self->look();
  });
}

void LetGo::look() {
  ask_by_tag(env_, order_.tag(), [self = shared_from_this()](const Result<Torrents>& found) {
    if (!found) return self->fail(found.error());
    const auto ours = std::ranges::find_if(
        *found, [&](const Torrent& each) { return each.is(self->order_.handle); });
    if (ours != found->end()) return self->act(*ours);
    self->look_at_all();
  });
}

void LetGo::look_at_all() {
  ask_all(env_, [self = shared_from_this()](const Result<Torrents>& all) { self->see_all(all); });
}

// No torrent has the order's tag and its hash. Only a torrent that the client does not have at all
// is gone: haul removes no files of a torrent that the client may still share.
void LetGo::see_all(const Result<Torrents>& all) {
  if (!all) return fail(all.error());
  const bool is_there =
      std::ranges::any_of(*all, [this](const Torrent& each) { return each.is(order_.handle); });
  if (is_there) return end(Released{.used_by = kUntagged});
  if (may_not_know_all(env_, *all))
    return fail({FaultKind::retryable, "client_restarting",
                 "qBittorrent has just started and may not list all its torrents"});
  end(Released{.used_by =
                   has_any(*all, order_.sources, env_.settings.source_paths) ? kSameFiles : ""});
}

void LetGo::act(const Torrent& torrent) {
  const Leaving leaving = judge_leaving(torrent, order_);
  switch (leaving.kind) {
    case Leaving::Kind::nothing:
      return end(Released{.used_by = kUntagged});
    case Leaving::Kind::untag:
      return untag(torrent, leaving.tags);
    case Leaving::Kind::remove:
      break;
  }
  if (torrent.state != TorrentState::finished || torrent.left != 0)
    return end(Seeding{
        .left = {},
        .detail = fmt::format("qBittorrent still works on it ({})", printable(torrent.word))});
  const auto seeding = judge_sharing(torrent.sharing, env_.clock.now());
  if (!seeding) return fail(seeding.error());
  if (const std::optional<Seeding>& goes_on = *seeding) return end(*goes_on);
  remove(torrent);
}

void LetGo::untag(const Torrent& torrent, const std::string& tags) {
  env_.session.ask({.action = "torrents/removeTags",
                    .query = {{"hashes", torrent.id}, {"tags", tags}},
                    .acts = true},
                   [self = shared_from_this()](const Result<WebApiReply>& answer) {
                     if (self->is_good_answer(answer)) self->end(Released{.used_by = kShared});
                   });
}

void LetGo::remove(const Torrent& torrent) {
  env_.session.ask({.action = "torrents/delete",
                    .query = {{"hashes", torrent.id}, {"deleteFiles", "false"}},
                    .acts = true},
                   [self = shared_from_this()](const Result<WebApiReply>& answer) {
                     if (self->is_good_answer(answer)) self->confirm(kGoneLooks);
                   });
}

// Handles the fault if the answer is none or bad.
bool LetGo::is_good_answer(const Result<WebApiReply>& answer) {
  if (answer && is_good(answer->status)) return true;
  if (!answer)
    fail(answer.error());
  else
    fail({FaultKind::retryable, "client_garbage",
          fmt::format("qBittorrent answered the release with {}", answer->status)});
  return false;
}

// The client says yes before the torrent is gone.
void LetGo::confirm(int looks_left) {
  ask_by_tag(
      env_, order_.tag(), [self = shared_from_this(), looks_left](const Result<Torrents>& found) {
        if (!found) return self->fail(found.error());
        const bool is_there = std::ranges::any_of(
            *found, [&](const Torrent& each) { return each.is(self->order_.handle); });
        if (!is_there) return self->look_at_all();
        if (looks_left == 0)
          return self->fail({FaultKind::retryable, "client_slow", "it still lists the torrent"});
        after(self->env_, kLookEvery, [self, looks_left] { self->confirm(looks_left - 1); });
      });
}

void LetGo::end(What what) {
  turn_.reset();
  tell(order_, inbox_, std::move(what));
}

void LetGo::fail(Fault fault) { end(Failed{.fault = std::move(fault), .checkpoint = {}}); }

}  // namespace haul::qbittorrent
