#include "engine/imageapi/cancel_call.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/imageapi/faults.h"

namespace haul::imageapi {
namespace {

constexpr Millis kWithin{900};  // For all requests together: a stop has two seconds.

std::vector<ProviderRequest> requests_for(const ImageEnv& env, const std::string& handle) {
  return handle.empty() ? std::vector<ProviderRequest>{} : env.provider.cancel(handle);
}

}  // namespace

CancelCall::CancelCall(const ImageEnv& env, const std::string& handle, Then then)
    : env_{env},
      requests_{requests_for(env, handle)},
      then_{std::move(then)},
      until_{env.clock.steady() + kWithin},
      fetcher_{env.loop} {}

void CancelCall::next() {
  if (sent_ == requests_.size()) return then_({});
  const Millis left = std::max(until_ - env_.clock.steady(), Millis{1});
  const io::HttpRequest request = request_to_provider(env_, requests_[sent_++], left);
  fetcher_.fetch(request, {.within = left},
                 [weak = weak_from_this()](const Result<io::HttpWhole>& answer) {
                   if (const auto self = weak.lock()) self->see(answer);
                 });
}

void CancelCall::see(const Result<io::HttpWhole>& answer) {
  if (!answer) return then_(std::unexpected{unreached(answer.error()).fault});
  const int status = answer->head.status;
  if ((status >= 200 && status < 300) || status == 404) return next();
  then_(std::unexpected{Fault{FaultKind::retryable, "provider_error",
                              fmt::format("to a cancel the provider answered {}", status)}});
}

}  // namespace haul::imageapi
