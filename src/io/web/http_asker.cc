#include "io/web/http_asker.h"

#include <utility>

#include "base/ensure.h"

namespace haul::io {

HttpAsker::~HttpAsker() {
  for (const auto& [call, asked] : asked_) loop_.end(call);
}

void HttpAsker::ask(const HttpRequest& ask, HttpBounds bounds, Then then) {
  ensure(static_cast<bool>(then), "an answer goes to the one who asked");
  const int call = loop_.begin(ask, *this);
  asked_.emplace(call, Asked{.bounds = bounds, .then = std::move(then), .answer = {}});
  loop_.after(bounds.within, [this, call, alive = std::weak_ptr{alive_}] {
    if (alive.lock()) give_up(call);
  });
}

void HttpAsker::give_up(int call) {
  auto found = asked_.extract(call);
  if (found.empty()) return;
  loop_.end(call);
  found.mapped().then(
      std::unexpected{Fault{FaultKind::retryable, "timeout", "no whole answer in time"}});
}

Go HttpAsker::on_head(int call, const HttpHead& head) {
  if (const auto found = asked_.find(call); found != asked_.end()) found->second.answer.head = head;
  return Go::on;
}

Go HttpAsker::on_body(int call, std::span<const std::byte> bytes) {
  const auto found = asked_.find(call);
  if (found == asked_.end()) return Go::stop;
  std::string& body = found->second.answer.body;
  found->second.too_long = body.size() + bytes.size() > found->second.bounds.body_max;
  if (found->second.too_long) return Go::stop;
  body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return Go::on;
}

void HttpAsker::on_end(int call, const HttpEnd& end) {
  auto found = asked_.extract(call);  // Before the callback, which may ask again.
  if (found.empty()) return;
  Asked& asked = found.mapped();
  asked.answer.was_public = end.was_public;
  if (asked.too_long)
    return asked.then(
        std::unexpected{Fault{FaultKind::permanent, "too_long", "the answer is too long"}});
  if (end.fault) return asked.then(std::unexpected{*end.fault});
  asked.then(std::move(asked.answer));
}

}  // namespace haul::io
