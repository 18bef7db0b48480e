#include "engine/qbittorrent/hand_over.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/json.h"
#include "engine/qbittorrent/fetch_torrent.h"
#include "engine/qbittorrent/form.h"
#include "engine/qbittorrent/list_files.h"
#include "engine/qbittorrent/magnet.h"
#include "engine/qbittorrent/torrent_file.h"

namespace haul::qbittorrent {
namespace {

constexpr int kConfirmLooks = 10;
constexpr Millis kConfirmEvery{100};

// S0-6: a fault on the way to the client becomes `enqueue_unavailable`. An environment fault, which
// only an operator can fix, stays one and uses up no attempt.
Fault as_enqueue(Fault fault) {
  if (fault.kind == FaultKind::environment) return fault;
  return {FaultKind::retryable, "enqueue_unavailable", fault.code + ": " + fault.detail};
}

// Before the torrent is sent, nothing has been tried: haul waits for a client that is off.
Fault before_enqueue(Fault fault) {
  if (fault.code != "client_unreachable") return as_enqueue(std::move(fault));
  return {FaultKind::environment, std::move(fault.code), std::move(fault.detail)};
}

Fault enqueue_failed(FaultKind kind, std::string detail) {
  return {kind, "enqueue_failed", std::move(detail)};
}

}  // namespace

std::string uri_of(const Order& order) {
  if (const auto fields = read_object(order.request.text()))
    for (const JsonField& field : *fields)
      if (field.name == "uri" && !field.is_null) return field.text;
  return {};
}

HandOver::HandOver(Env& env, Order order, Inbox& inbox, std::function<void()> done)
    : env_{env}, order_{std::move(order)}, inbox_{inbox}, done_{std::move(done)} {}

void HandOver::begin() {
  const std::string uri = uri_of(order_);
  if (is_magnet(uri)) return take_magnet(uri);
  fetch(uri);
}

void HandOver::fetch(const std::string& uri) {
  fetch_torrent(env_, uri, [self = shared_from_this()](Result<FetchedTorrent> fetched) {
    if (!fetched) return self->fail(fetched.error());
    if (!fetched->magnet.empty()) return self->take_magnet(fetched->magnet);
    self->take_file(std::move(fetched->bytes));
  });
}

void HandOver::take_magnet(const std::string& uri) {
  const auto hash = read_magnet(uri);
  if (!hash) return fail(hash.error());
  hash_ = *hash;
  magnet_ = uri;
  wait_for_turn();
}

void HandOver::take_file(std::string bytes) {
  const auto torrent = read_torrent(bytes);
  if (!torrent) return fail(torrent.error());
  hash_ = torrent->hash;
  file_ = std::move(bytes);
  wait_for_turn();
}

void HandOver::wait_for_turn() {
  env_.turns.take([self = shared_from_this()](Turns::Token turn) {
    if (self->dropped_) return self->finish();
    self->turn_ = std::move(turn);
    self->look_by_tag();
  });
}

bool HandOver::stops_here(const Result<Torrents>& found) {
  if (!found) {
    fail(before_enqueue(found.error()));
    return true;
  }
  const Torrent* torrent = find(*found);
  if (!torrent) return false;
  share(*torrent);
  return true;
}

const Torrent* HandOver::find(const Torrents& torrents) const {
  const auto found =
      std::ranges::find_if(torrents, [&](const auto& each) { return each.is(hash_); });
  return found == torrents.end() ? nullptr : &*found;
}

void HandOver::look_by_tag() {
  ask_by_tag(env_, order_.tag(), [self = shared_from_this()](const Result<Torrents>& found) {
    if (!self->stops_here(found)) self->look_by_id();
  });
}

void HandOver::look_by_id() {
  std::vector<std::string> ids{hash_.id()};
  if (hash_.v1 != ids.front()) ids.push_back(hash_.v1);
  ask_by_id(env_, ids, [self = shared_from_this()](const Result<Torrents>& found) {
    if (!self->stops_here(found)) self->add();
  });
}

void HandOver::add() {
  if (dropped_) {
    turn_.reset();
    return finish();
  }
  // Both spellings of the same switch. Each version of the client knows one and ignores the other.
  QueryFields fields{{"tags", order_.tag()},
                     {"category", env_.settings.category},
                     {"paused", "false"},
                     {"stopped", "false"},
                     {"contentLayout", "Original"}};
  if (env_.settings.category.empty()) fields.erase(fields.begin() + 1);
  WebApiCall call{.action = "torrents/add", .acts = true};
  if (file_.empty()) {
    fields.emplace_back("urls", magnet_);
    call.query = std::move(fields);
  } else {
    Multipart form = multipart(fields, order_.tag() + ".torrent", file_);
    call.body = std::move(form.body);
    call.type = std::move(form.content_type);
  }
  env_.session.ask(std::move(call), [self = shared_from_this()](const Result<WebApiReply>& answer) {
    self->see_add(answer);
  });
}

void HandOver::see_add(const Result<WebApiReply>& answer) {
  if (!answer) return fail(as_enqueue(answer.error()), true);
  const Addition added = judge_add(answer->status, answer->body);
  switch (added.reply) {
    case AddReply::added:
      id_ = added.id;
      return confirm(kConfirmLooks);
    case AddReply::nothing_new:
      return resolve();
    case AddReply::not_torrent:
      return fail(enqueue_failed(FaultKind::permanent, "the client says it is no torrent"));
    case AddReply::refused:
      return fail(enqueue_failed(FaultKind::permanent,
                                 fmt::format("the client answers {}", answer->status)));
    case AddReply::odd:
      return fail({FaultKind::retryable, "enqueue_unavailable",
                   fmt::format("the client answers {}", answer->status)},
                  true);
  }
}

// The client may list a hybrid torrent by its v2 hash, although an earlier link named it by its v1
// hash. Only the list of all torrents has both. A client that still reads its own list may have the
// torrent and not show it: that is an environment fault, which uses up no attempt.
void HandOver::resolve() {
  ask_all(env_, [self = shared_from_this()](const Result<Torrents>& all) {
    if (!all) return self->fail(as_enqueue(all.error()));
    if (const Torrent* found = self->find(*all)) return self->share(*found);
    if (may_not_know_all(self->env_, *all))
      return self->fail({FaultKind::environment, "client_restarting",
                         "qBittorrent has just started and may not list all its torrents"});
    self->fail(enqueue_failed(FaultKind::retryable, "the client did not take it"));
  });
}

void HandOver::confirm(int looks_left) {
  ask_by_tag(
      env_, order_.tag(), [self = shared_from_this(), looks_left](const Result<Torrents>& found) {
        const Torrent* shown = found ? self->find(*found) : nullptr;
        if (shown) return self->accept(shown->id);
        const std::string told = self->id_.empty() ? self->hash_.id() : self->id_;
        if (looks_left == 0 || !found) return self->accept(told);  // The grace takes it from here.
        after(self->env_, kConfirmEvery, [self, looks_left] { self->confirm(looks_left - 1); });
      });
}

// The client already has the torrent. Adds the order's tag if it is missing. Marks a torrent that
// this store did not add, so that this store never removes it.
void HandOver::share(const Torrent& torrent) {
  if (torrent.has_tag(order_.tag())) return accept(torrent.id);
  const bool is_ours = std::ranges::any_of(
      torrent.tags, [&](const std::string& tag) { return is_order_tag(tag, order_.store); });
  const std::string tags = is_ours ? order_.tag() : order_.tag() + "," + found_tag(order_.store);
  env_.session.ask(
      {.action = "torrents/addTags",
       .query = {{"hashes", torrent.id}, {"tags", tags}},
       .acts = true},
      [self = shared_from_this(), id = torrent.id](const Result<WebApiReply>& answer) {
        if (!answer) return self->fail(as_enqueue(answer.error()), true);
        if (!is_good(answer->status))
          return self->fail(enqueue_failed(
              FaultKind::retryable, fmt::format("to a tag the client answers {}", answer->status)));
        self->accept(id);
      });
}

void HandOver::accept(const std::string& id) {
  turn_.reset();
  if (!dropped_) tell(order_, inbox_, Accepted{.handle = id});
  finish();
}

void HandOver::fail(Fault fault, bool outcome_unknown) {
  turn_.reset();
  if (!dropped_)
    tell(order_, inbox_,
         Failed{.fault = std::move(fault), .outcome_unknown = outcome_unknown, .checkpoint = {}});
  finish();
}

void HandOver::finish() {
  ensure(static_cast<bool>(done_), "a hand-over ends once");
  std::exchange(done_, {})();
}

}  // namespace haul::qbittorrent
