#include "engine/qbittorrent/withdraw.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/json.h"
#include "engine/qbittorrent/fetch_torrent.h"
#include "engine/qbittorrent/hand_over.h"
#include "engine/qbittorrent/magnet.h"
#include "engine/qbittorrent/torrent_file.h"

namespace haul::qbittorrent {
namespace {

constexpr int kLooks = 10;      // For a torrent just added that the client does not list yet.
constexpr int kGoneLooks = 15;  // For a torrent just removed that the client still lists.
constexpr Millis kLookEvery{100};
constexpr Millis kAnswerWithin{1'800};  // A stop is answered within two seconds.

bool files_too(const Order& order) {
  if (const auto fields = read_object(order.request.text()))
    for (const JsonField& field : *fields)
      if (field.name == "delete_files_on_cancel") return field.text == "true";
  return false;
}

}  // namespace

Leaving judge_leaving(const Torrent& torrent, const Order& order) {
  using enum Leaving::Kind;
  const std::string own = order.tag();
  const std::string found = found_tag(order.store);
  if (!torrent.has_tag(own)) return {nothing, {}};
  const bool is_shared = std::ranges::any_of(torrent.tags, [&](const std::string& tag) {
    return tag != own && is_order_tag(tag, order.store);
  });
  if (is_shared) return {untag, own};
  if (torrent.has_tag(found)) return {untag, own + "," + found};
  const bool is_wanted_elsewhere = std::ranges::any_of(
      torrent.tags, [&](const std::string& tag) { return tag != own && is_haul_tag(tag); });
  if (is_wanted_elsewhere) return {untag, own};
  return {remove, {}};
}

Withdraw::Withdraw(Env& env, Order order, InfoHash hash, Inbox& inbox, std::function<void()> done)
    : env_{env},
      order_{std::move(order)},
      inbox_{inbox},
      done_{std::move(done)},
      hash_{std::move(hash)} {}

void Withdraw::begin() {
  promise_answer();
  take_turn(looks_at_first());
}

void Withdraw::join() {
  is_answered_ = false;
  promise_answer();
}

void Withdraw::promise_answer() {
  after(env_, kAnswerWithin, [self = shared_from_this()] {
    if (self->done_ && !std::exchange(self->is_answered_, true))
      tell(self->order_, self->inbox_,
           Failed{.fault = {FaultKind::retryable, "client_silent", "no answer in time"},
                  .checkpoint = {}});
  });
}

int Withdraw::looks_at_first() const { return order_.handle.empty() ? kLooks : 0; }

void Withdraw::take_turn(int looks_left) {
  env_.turns.take([self = shared_from_this(), looks_left](Turns::Token turn) {
    self->turn_ = std::move(turn);
    self->look(looks_left);
  });
}

void Withdraw::keep_ours(Torrents& torrents) const {
  std::erase_if(torrents, [&](const Torrent& each) {
    return order_.handle.empty() ? !each.is(hash_) : !each.is(order_.handle);
  });
}

// Gives the turn back between two looks, so that many orders can wait for the client together.
void Withdraw::look(int looks_left) {
  ask_by_tag(env_, order_.tag(), [self = shared_from_this(), looks_left](Result<Torrents> ours) {
    if (!ours) return self->fail(ours.error());
    if (!ours->empty() && !self->is_known()) return self->identify();
    self->keep_ours(*ours);
    if (!ours->empty()) return self->act(*ours);
    if (looks_left == 0) return self->stopped();
    self->turn_.reset();
    after(self->env_, kLookEvery, [self, looks_left] { self->take_turn(looks_left - 1); });
  });
}

// An earlier process handed the torrent over and did not learn its id. Gives the turn back while it
// finds out the hash.
void Withdraw::identify() {
  turn_.reset();
  const std::string uri = uri_of(order_);
  if (is_magnet(uri)) return see_identity(read_magnet(uri));
  fetch_torrent(env_, uri, [self = shared_from_this()](Result<FetchedTorrent> fetched) {
    if (!fetched) return self->see_identity(std::unexpected{fetched.error()});
    if (!fetched->magnet.empty()) return self->see_identity(read_magnet(fetched->magnet));
    const auto torrent = read_torrent(fetched->bytes);
    if (!torrent) return self->see_identity(std::unexpected{torrent.error()});
    self->see_identity(torrent->hash);
  });
}

// Without an info-hash there is no telling whether the torrent is ours, so it stays. Where the hash
// may be known later, it is tried again.
void Withdraw::see_identity(const Result<InfoHash>& hash) {
  if (!hash && hash.error().kind != FaultKind::permanent) return fail(hash.error());
  if (!hash || hash->is_none()) return stopped();
  hash_ = *hash;
  take_turn(looks_at_first());
}

// One after the other; there is hardly ever more than one.
void Withdraw::act(Torrents ours) {
  if (ours.empty()) return confirm(kGoneLooks);
  const Torrent torrent = std::move(ours.back());
  ours.pop_back();
  const Leaving leaving = judge_leaving(torrent, order_);
  const auto then = [self = shared_from_this(), ours](const Result<WebApiReply>& answer) {
    self->see_act(answer, ours);
  };
  switch (leaving.kind) {
    case Leaving::Kind::nothing:
      return act(std::move(ours));
    case Leaving::Kind::untag:
      return env_.session.ask({.action = "torrents/removeTags",
                               .query = {{"hashes", torrent.id}, {"tags", leaving.tags}},
                               .acts = true},
                              then);
    // The client reads "1" as not given and keeps the files, so the value is "true".
    case Leaving::Kind::remove:
      return env_.session.ask(
          {.action = "torrents/delete",
           .query = {{"hashes", torrent.id}, {"deleteFiles", files_too(order_) ? "true" : "false"}},
           .acts = true},
          then);
  }
}

void Withdraw::see_act(const Result<WebApiReply>& answer, const Torrents& others) {
  if (!answer) return fail(answer.error());
  if (!is_good(answer->status))
    return fail({FaultKind::retryable, "client_garbage",
                 fmt::format("qBittorrent answered the stop request with {}", answer->status)});
  act(others);
}

// The client says yes before the torrent is gone.
void Withdraw::confirm(int looks_left) {
  ask_by_tag(env_, order_.tag(), [self = shared_from_this(), looks_left](Result<Torrents> ours) {
    if (!ours) return self->fail(ours.error());
    self->keep_ours(*ours);
    if (ours->empty()) return self->stopped();
    if (looks_left == 0)
      return self->fail({FaultKind::retryable, "client_slow", "it still lists the torrent"});
    after(self->env_, kLookEvery, [self, looks_left] { self->confirm(looks_left - 1); });
  });
}

void Withdraw::stopped() {
  turn_.reset();
  end(Stopped{});
}

void Withdraw::fail(Fault fault) {
  turn_.reset();
  end(Failed{.fault = std::move(fault), .checkpoint = {}});
}

// One Failed is enough, but Stopped is always told.
void Withdraw::end(What what) {
  ensure(static_cast<bool>(done_), "a stop ends once");
  if (!is_answered_ || std::holds_alternative<Stopped>(what)) tell(order_, inbox_, std::move(what));
  std::exchange(done_, {})();
}

}  // namespace haul::qbittorrent
