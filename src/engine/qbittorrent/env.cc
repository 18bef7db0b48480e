#include "engine/qbittorrent/env.h"

#include <fmt/core.h>

#include "base/ensure.h"

namespace haul::qbittorrent {
namespace {

void ask_info(Env& env, QueryFields query, ThenTorrents then) {
  env.session.ask(
      {.action = "torrents/info", .query = std::move(query)},
      [then = std::move(then)](Result<WebApiReply> answer) {
        if (!answer) return then(std::unexpected{answer.error()});
        if (answer->status != 200)
          return then(std::unexpected{Fault{
              FaultKind::retryable, answer->status >= 500 ? "client_unreachable" : "client_garbage",
              fmt::format("qBittorrent answered {}", answer->status)}});
        then(read_torrents(answer->body));
      });
}

}  // namespace

void Turns::take(Work work) {
  waiting_.push_back(std::move(work));
  if (!taken_) next();
}

void Turns::next() {
  ensure(!taken_, "one turn ends before the next begins");
  if (waiting_.empty()) return;
  taken_ = true;
  const Work work = std::move(waiting_.front());
  waiting_.pop_front();
  // The next turn starts from the loop, not from wherever the last holder drops the token.
  const Token token{nullptr, [this, alive = std::weak_ptr{alive_}, &loop = loop_](void*) {
                      if (!alive.lock()) return;
                      loop.post([this, alive] {
                        if (!alive.lock()) return;
                        taken_ = false;
                        next();
                      });
                    }};
  work(token);
}

void after(const Env& env, Millis wait, std::function<void()> work) {
  env.loop.after(wait, [work = std::move(work), alive = std::weak_ptr{env.alive}] {
    if (alive.lock()) work();
  });
}

void ask_by_id(Env& env, const std::vector<std::string>& ids, ThenTorrents then) {
  std::string hashes;
  for (const std::string& id : ids)
    if (hex_digits(id, 40)) hashes.append(hashes.empty() ? "" : "|").append(id);
  if (hashes.empty()) return then(Torrents{});  // The client takes an empty list for all.
  ask_info(env, {{"hashes", hashes}}, std::move(then));
}

void ask_by_tag(Env& env, const std::string& tag, ThenTorrents then) {
  ask_info(env, {{"tag", tag}}, [tag, then = std::move(then)](Result<Torrents> torrents) {
    if (torrents) std::erase_if(*torrents, [&](const auto& each) { return !each.has_tag(tag); });
    then(std::move(torrents));
  });
}

void ask_all(Env& env, ThenTorrents then) { ask_info(env, {}, std::move(then)); }

}  // namespace haul::qbittorrent
