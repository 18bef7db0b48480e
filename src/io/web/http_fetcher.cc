#include "io/web/http_fetcher.h"

#include <utility>

#include "base/ensure.h"

namespace haul::io {

HttpFetcher::~HttpFetcher() {
  for (const auto& [call, pending] : pending_) loop_.end(call);
}

void HttpFetcher::fetch(const HttpRequest& request, HttpBounds bounds, Then then) {
  ensure(static_cast<bool>(then), "a fetch has a callback for its answer");
  const int call = loop_.begin(request, *this);
  pending_.emplace(call, PendingFetch{.bounds = bounds, .then = std::move(then), .answer = {}});
  loop_.after(bounds.within, [this, call, alive = std::weak_ptr{alive_}] {
    if (alive.lock()) give_up(call);
  });
}

void HttpFetcher::give_up(int call) {
  auto found = pending_.extract(call);
  if (found.empty()) return;
  loop_.end(call);
  found.mapped().then(
      std::unexpected{Fault{FaultKind::retryable, "timeout", "no whole answer in time"}});
}

Go HttpFetcher::on_head(int call, const HttpHead& head) {
  if (const auto found = pending_.find(call); found != pending_.end())
    found->second.answer.head = head;
  return Go::on;
}

Go HttpFetcher::on_body(int call, std::span<const std::byte> bytes) {
  const auto found = pending_.find(call);
  if (found == pending_.end()) return Go::stop;
  std::string& body = found->second.answer.body;
  found->second.too_long = body.size() + bytes.size() > found->second.bounds.body_max;
  if (found->second.too_long) return Go::stop;
  body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return Go::on;
}

void HttpFetcher::on_end(int call, const HttpEnd& end) {
  auto found = pending_.extract(call);  // Before the callback, which may fetch again.
  if (found.empty()) return;
  PendingFetch& pending = found.mapped();
  pending.answer.was_public = end.was_public;
  if (pending.too_long)
    return pending.then(
        std::unexpected{Fault{FaultKind::permanent, "too_long", "the answer is too long"}});
  if (end.fault) return pending.then(std::unexpected{*end.fault});
  pending.then(std::move(pending.answer));
}

}  // namespace haul::io
