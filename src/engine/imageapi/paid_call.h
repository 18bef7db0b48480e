#pragma once
// One call to the provider, from the request that pays, or from a question about an earlier call,
// to its one answer. Lives on the loop's thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/imageapi/cancel_call.h"
#include "engine/imageapi/env.h"
#include "engine/imageapi/fetch_image.h"

namespace haul::imageapi {

class PaidCall : public std::enable_shared_from_this<PaidCall> {
 public:
  // `done` is called once, when the call has reported and is over. The environment outlives it.
  PaidCall(ImageEnv& env, Order order, Inbox& inbox, std::function<void()> done);

  // Pays, unless an earlier start has left an image here. Reports Finished or Failed. If the
  // provider works on it after its answer, reports Accepted and Waiting: looks ask about it then.
  void pay();
  // Asks about the call that the order's handle names. Reports Waiting, Finished, Missing, Unseen
  // or Failed.
  void ask();
  // What is paid for comes by this call alone: its answer, or the image that the answer brought, is
  // not here yet.
  bool is_paying() const {
    return phase_ == Phase::paying || (handle_.empty() && phase_ != Phase::over);
  }
  // A later start of the same job waits for this answer too, and gets it instead.
  void adopt(Order order) {
    order_ = std::move(order);
    stopping_.reset();
  }
  // Ends it. Reports Stopped or Failed under the order's numbers.
  void stop(const Order& order);
  // Ends the call that the order's handle names, instead of asking about it. Reports the same.
  void cancel() { withdraw(order_, handle_); }
  // Ends it without a report.
  void drop();

 private:
  enum class Phase : std::uint8_t { paying, asking, fetching, checking, resting, over };

  void send(const ProviderRequest& request, std::function<void(Result<io::HttpWhole>)> then);
  void see_submit(Result<io::HttpWhole> answer);
  void act_on_submit(ProviderMeaning meaning);
  void keep_late(const ProviderMeaning& meaning);
  void accept(const std::string& handle);
  void ask_next();
  void see_look(Result<io::HttpWhole> answer);
  void act_on_look(ProviderMeaning meaning);
  void see_not(const NotSeen& seen);

  void fetch(const GivenAddress& given);
  void pay_now();
  void keep(std::string bytes);
  enum class Kept : std::uint8_t { now, earlier };  // By an earlier start, which paid for it.
  void check(const KeptImage& image, Kept when);
  void see_check(const KeptImage& image, Kept when, const Result<io::PictureFacts>& facts);
  void finish(const KeptImage& image, const io::PictureFacts& facts);

  void fail(CallFault fault);
  // The image is at the provider still, or it is lost unless `again` brings it.
  void fail_to_keep(const Fault& fault, Millis wait, std::function<void()> again);
  // Does it later. False if there is no time left for that.
  bool rest(Millis wait, std::function<void()> again);
  void end(What what);
  void give_up_paying(const Order& order);
  void withdraw(const Order& order, const std::string& handle);

  ImageEnv& env_;
  Order order_;
  Inbox& inbox_;
  std::function<void()> done_;
  Phase phase_ = Phase::paying;
  ImageRequest wanted_;
  std::string handle_;  // Empty while the provider has named no call.
  std::vector<ProviderRequest> questions_;
  std::size_t question_ = 0;  // The one that is asked.
  Steady free_until_{};       // Repeats what costs nothing till then.
  int fetches_ = 0;           // Of an image that was paid for and has no handle.
  std::optional<Order> stopping_;
  std::unique_ptr<io::Room> room_;  // For the image that this call pays for.
  std::unique_ptr<io::HttpFetcher> fetcher_;
  std::shared_ptr<ImageFetch> fetching_;
  std::shared_ptr<CancelCall> cancelling_;
};

}  // namespace haul::imageapi
