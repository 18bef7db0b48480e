#include "engine/imageapi/imageapi.h"

#include <future>
#include <map>
#include <utility>

#include "engine/imageapi/paid_call.h"

namespace haul::imageapi {
namespace {

constexpr std::size_t kCallsMax = 1'000;
constexpr const char* kTooMany = "too_many_calls";

Failed too_many() {
  return {.fault = {FaultKind::environment, kTooMany, "1,000 calls wait for the provider"},
          .checkpoint = {}};
}

// A call is identified by its worker's inbox and its job.
using Key = std::pair<const Inbox*, JobId>;

class ImageEngine final : public RemoteEngine {
 public:
  ImageEngine(io::HttpLoop& loop, const Clock& clock, io::DiskSpace& space, io::Pictures& pictures,
              ImageSettings settings)
      : settings_{std::move(settings)},
        provider_{make_provider(settings_)},
        loop_{loop},
        env_{std::make_unique<ImageEnv>(loop, clock, settings_, *provider_, pictures,
                                        StagingFolder{settings_.staging, space, clock},
                                        ProviderHold{clock, settings_.on_trouble})} {}
  // Everything that lives on the loop's thread is destroyed there.
  ~ImageEngine() override {
    std::promise<void> cleared;
    loop_.post([this, &cleared] {
      for (const auto& [key, call] : calls_) call->drop();
      calls_.clear();
      env_.reset();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void start(Order order, Inbox& inbox) override {
    loop_.post([this, order, &inbox] {
      if (calls_.size() >= kCallsMax) return tell(order, inbox, too_many());
      if (const auto call = find(order, inbox)) {
        if (call->is_paying()) return call->adopt(order);
        // One that the provider has accepted is over for a caller that pays again.
        call->drop();
        calls_.erase({&inbox, order.job});
      }
      begin(order, inbox)->pay();
    });
  }

  std::string handle_for(const Order& order) const override {
    return provider_->takes_own_id() ? uuid_of(call_of(order)) : std::string{};
  }

  void look(std::span<const Order> orders, Inbox& inbox) override {
    loop_.post([this, all = std::vector<Order>{orders.begin(), orders.end()}, &inbox] {
      for (const Order& order : all) look_at(order, inbox);
    });
  }

  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    loop_.post([this, order, leftovers, &inbox] {
      if (leftovers == Leftovers::remove) env_->staging.remove(order);
      if (const auto call = find(order, inbox)) return call->stop(order);
      begin(order, inbox)->cancel();
    });
  }

 private:
  void look_at(const Order& order, Inbox& inbox) {
    if (calls_.size() >= kCallsMax) return tell(order, inbox, Unseen{.code = kTooMany});
    if (const auto call = find(order, inbox)) return call->adopt(order);
    begin(order, inbox)->ask();
  }

  // Null if there is none.
  std::shared_ptr<PaidCall> find(const Order& order, Inbox& inbox) const {
    const auto found = calls_.find({&inbox, order.job});
    return found == calls_.end() ? nullptr : found->second;
  }

  std::shared_ptr<PaidCall> begin(const Order& order, Inbox& inbox) {
    const Key key{&inbox, order.job};
    auto call = std::make_shared<PaidCall>(*env_, order, inbox, [this, key] { calls_.erase(key); });
    calls_.emplace(key, call);
    return call;
  }

  const ImageSettings settings_;
  const std::unique_ptr<ImageProvider> provider_;
  io::HttpLoop& loop_;
  std::unique_ptr<ImageEnv> env_;
  std::map<Key, std::shared_ptr<PaidCall>> calls_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_image_engine(io::HttpLoop& loop, const Clock& clock,
                                                io::DiskSpace& space, io::Pictures& pictures,
                                                ImageSettings settings) {
  return std::make_unique<ImageEngine>(loop, clock, space, pictures, std::move(settings));
}

}  // namespace haul::imageapi
