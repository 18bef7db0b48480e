#pragma once
// What all calls to the provider share. Lives on the loop's thread.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "engine/imageapi/provider.h"
#include "engine/imageapi/staged.h"
#include "io/process/picture.h"
#include "io/web/http_fetcher.h"
#include "seam/engine.h"

namespace haul::imageapi {

// A rate limit holds all calls for as long as the provider asks, and the jobs lose no attempt.
// Tells of every trouble with the provider. One that only an operator can mend is the flow's to
// hold (Z-28).
class ProviderHold {
 public:
  ProviderHold(const Clock& clock, std::function<void(const Fault*)> on_trouble)
      : clock_{clock}, on_trouble_{std::move(on_trouble)} {}

  // Why no call may be made now, and for how long.
  std::optional<CallFault> held() const;
  // What the provider answered. Null: all is well.
  void see(const Fault* fault, Millis wait = Millis{0});

 private:
  void tell(const Fault* fault);

  const Clock& clock_;
  const std::function<void(const Fault*)> on_trouble_;
  std::optional<Fault> fault_;
  Steady until_{};
  std::string trouble_;  // The code last passed to on_trouble.
};

struct ImageEnv {
  io::HttpLoop& loop;
  const Clock& clock;
  const ImageSettings& settings;
  const ImageProvider& provider;
  io::Pictures& pictures;
  StagingFolder staging;
  ProviderHold hold;
  // Gone with the engine: what the loop does later looks first.
  const std::shared_ptr<const bool> alive = std::make_shared<const bool>(true);
};

// A request to the provider's own address, with its login.
io::HttpRequest request_to_provider(const ImageEnv& env, const ProviderRequest& request,
                                    Millis within);

// The name of one attempt: its UUID is the call's id.
std::string call_of(const Order& order);

inline void tell(const Order& order, Inbox& inbox, What what) {
  inbox.push({order.job, order.item, order.fence, order.start, std::move(what)});
}

}  // namespace haul::imageapi
