#include "app/batch_engine.h"

#include <utility>

#include "base/environment.h"
#include "engine/child/child.h"
#include "engine/choose/choose.h"
#include "engine/http/http.h"

namespace haul {
namespace {

// What all that moves bytes here shares.
struct Shared {
  Throttle throttle;
  DiskSpace space;
};

HttpSettings http_settings(const BatchSettings& batch, Shared& shared) {
  HttpSettings settings;
  settings.max_size = batch.max_size;
  settings.space = &shared.space;
  settings.throttle = &shared.throttle;
  settings.reach = batch.reach;
  settings.ca_file = environment("SSL_CERT_FILE");
  settings.destinations = batch.destinations;
  return settings;
}

ChildSettings child_settings(const std::string& program, const BatchSettings& batch,
                             Shared& shared) {
  ChildSettings settings;
  settings.max_size = batch.max_size;
  settings.space = &shared.space;
  settings.throttle = &shared.throttle;
  settings.program = program;
  settings.search_path = environment("PATH");
  settings.reach = batch.reach;
  settings.ca_file = environment("SSL_CERT_FILE");
  settings.apart = batch.apart;
  settings.confine = batch.confine;
  settings.destinations = batch.destinations;
  return settings;
}

class BatchEngine final : public Engine {
 public:
  BatchEngine(Gate& gate, const Clock& clock, const BatchSettings& settings)
      : shared_{.throttle = {clock, settings.speed_limit}, .space = DiskSpace{settings.keep_free}},
        http_loop_{make_http_loop(clock)},
        loop_{make_poll_loop(clock)},
        lander_{make_lander(settings.durability)},
        http_{make_http_engine(*http_loop_, gate, clock, http_settings(settings, shared_),
                               settings.durability)},
        yt_dlp_{make_child_engine(yt_dlp(), *loop_, gate, *lander_, clock,
                                  child_settings(settings.yt_dlp, settings, shared_))},
        gallery_dl_{make_child_engine(gallery_dl(), *loop_, gate, *lander_, clock,
                                      child_settings(settings.gallery_dl, settings, shared_))},
        all_{make_choosing_engine({*http_, *yt_dlp_, *gallery_dl_}, ears_, *loop_, *http_loop_,
                                  gate, http_settings(settings, shared_))} {}

  void plan(const Order& order, Inbox& inbox) override { all_->plan(order, inbox); }
  void start(Order order, Inbox& inbox) override { all_->start(std::move(order), inbox); }
  void land(const Order& order, Inbox& inbox) override { all_->land(order, inbox); }
  void look(std::span<const Order> orders, Inbox& inbox) override { all_->look(orders, inbox); }
  void stop(const Order& order, Parts parts, Inbox& inbox) override {
    all_->stop(order, parts, inbox);
  }

 private:
  Shared shared_;
  Ears ears_;  // Goes last: engines may tell something to the end.
  std::unique_ptr<HttpLoop> http_loop_;
  std::unique_ptr<PollLoop> loop_;
  std::unique_ptr<Lander> lander_;
  std::unique_ptr<Engine> http_;
  std::unique_ptr<ChildEngine> yt_dlp_;
  std::unique_ptr<ChildEngine> gallery_dl_;
  std::unique_ptr<Engine> all_;  // Destroyed first: it calls the others.
};

}  // namespace

std::unique_ptr<Engine> make_batch_engine(Gate& gate, const Clock& clock,
                                          const BatchSettings& settings) {
  return std::make_unique<BatchEngine>(gate, clock, settings);
}

}  // namespace haul
