#include "api/add/add_transaction.h"

#include "api/fault_of.h"
#include "api/request_checks.h"
#include "base/ensure.h"

namespace haul::api {

AddTransaction::AddTransaction(Api& api)
    : api_{api}, began_{api.parts_.clock.steady()}, list_{api.parts_, api.parts_.clock.now()} {}

void AddTransaction::read(WebRequest request) {
  requests_.push_back(std::move(request));
  refused_.emplace_back();
  if (auto error = fault_of([&] { refused_.back() = refused(requests_.back()); }))
    refused_.back() = std::unexpected{*std::move(error)};
}

// Requests of one group with the same key come from the same user, so one lookup serves them all.
std::optional<ApiReply> AddTransaction::refused(const WebRequest& request) {
  const auto key = key_of(request);
  const auto found = key ? known_.find(*key) : known_.end();
  const auto admitted =
      api_.admit(request, found == known_.end() ? std::nullopt : std::optional{found->second});
  if (!admitted) return admitted.error();
  if (key) known_.try_emplace(*key, admitted->call.who);
  list_.read(admitted->call, request.body, std::string{request.header("idempotency-key")});
  return std::nullopt;
}

void AddTransaction::add() {
  fault_ = fault_of([&] { list_.add(); });
}

void AddTransaction::answer(const std::function<void(WebReply)>& to_next) {
  std::size_t next = 0;
  const auto reply = [&](ApiReply with) {
    ensure(next < requests_.size(), "a transaction answers each request once");
    to_next(api_.finished(requests_[next], std::move(with), began_));
    ++next;
  };
  const auto reply_refused = [&] {
    while (next < refused_.size() && refused_[next]) reply(*std::move(refused_[next]));
  };
  reply_refused();
  if (!fault_)
    fault_ = fault_of([&] {
      list_.show([&](const AddShown& shown) {
        reply(reply_of(shown));
        reply_refused();
      });
    });
  const ApiError fault = fault_.value_or(ApiError{});  // Answers the requests that are left.
  for (; next < requests_.size(); reply_refused()) reply(std::unexpected{fault});
}

WebReply AddTransaction::answer_alone(Api& api, WebRequest request) {
  AddTransaction alone{api};
  alone.read(std::move(request));
  alone.add();
  WebReply only;
  alone.answer([&](WebReply reply) { only = std::move(reply); });
  return only;
}

}  // namespace haul::api
