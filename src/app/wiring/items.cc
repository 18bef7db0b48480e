#include "app/wiring/items.h"

#include <utility>

#include "engine/child/child.h"
#include "engine/choose/choose.h"
#include "engine/http/http.h"
#include "seam/item_key.h"

namespace haul::app {
namespace {

// What all engines share that move bytes here.
struct Shared {
  io::Throttle throttle;
  io::DiskSpace& space;
};

http::HttpSettings http_settings(const TransferSettings& transfer, Shared& shared) {
  http::HttpSettings settings;
  settings.max_size = transfer.max_size;
  settings.replaces_any = transfer.replaces_any;
  settings.spots_metalinks = transfer.spots_metalinks;
  settings.feed = transfer.feed;
  settings.space = &shared.space;
  settings.throttle = &shared.throttle;
  settings.reach = transfer.reach;
  settings.ca_file = transfer.ca_file;
  settings.destinations = transfer.destinations;
  return settings;
}

child::ChildSettings child_settings(const std::string& program, const TransferSettings& transfer,
                                    Shared& shared) {
  child::ChildSettings settings;
  settings.max_size = transfer.max_size;
  settings.space = &shared.space;
  settings.throttle = &shared.throttle;
  settings.program = program;
  settings.search_path = transfer.programs.search_path;
  settings.reach = transfer.reach;
  settings.ca_file = transfer.ca_file;
  settings.apart = transfer.apart;
  settings.confine = transfer.programs.confine;
  settings.destinations = transfer.destinations;
  return settings;
}

std::unique_ptr<io::HttpLoop> make_loop(const Clock& clock, const io::Trace& trace) {
  auto loop = io::make_http_loop(clock);
  return trace ? io::make_traced_loop(std::move(loop), trace) : std::move(loop);
}

class LocalItems final : public ItemEngine {
 public:
  LocalItems(Gate& gate, const Clock& clock, io::DiskSpace& space, const TransferSettings& settings)
      : shared_{.throttle = {clock, settings.speed}, .space = space},
        http_loop_{make_loop(clock, settings.trace)},
        loop_{io::make_poll_loop(clock)},
        lander_{io::make_lander(settings.durability)},
        http_{http::make_http_engine(*http_loop_, gate, clock, http_settings(settings, shared_),
                                     settings.durability)},
        yt_dlp_{
            child::make_child_engine(child::yt_dlp(), *loop_, gate, *lander_, clock,
                                     child_settings(settings.programs.yt_dlp, settings, shared_))},
        gallery_dl_{child::make_child_engine(
            child::gallery_dl(), *loop_, gate, *lander_, clock,
            child_settings(settings.programs.gallery_dl, settings, shared_))},
        all_{choose::make_choosing_engine({*http_, *yt_dlp_, *gallery_dl_}, inboxes_, *loop_,
                                          *http_loop_, gate, http_settings(settings, shared_))} {}

  void plan(const Order& order, Inbox& inbox) override { all_->plan(order, inbox); }
  void start(Order order, Inbox& inbox) override { all_->start(std::move(order), inbox); }
  void land(const Order& order, Inbox& inbox) override { all_->land(order, inbox); }
  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    all_->stop(order, leftovers, inbox);
  }

  // Looks for the program each time, because a user may install it while haul runs.
  Lack not_ready(std::string_view engine) const override {
    if (engine == kYtDlp && !yt_dlp_->is_installed()) return {kConfigureYtDlp};
    if (engine == kGalleryDl && !gallery_dl_->is_installed()) return {kConfigureGalleryDl};
    return {};
  }

 private:
  Shared shared_;
  choose::ChoosingInboxes
      inboxes_;  // Destroyed after the engines, which may push sights until they end.
  std::unique_ptr<io::HttpLoop> http_loop_;
  std::unique_ptr<io::PollLoop> loop_;
  std::unique_ptr<io::Lander> lander_;
  std::unique_ptr<ItemEngine> http_;
  std::unique_ptr<child::ChildEngine> yt_dlp_;
  std::unique_ptr<child::ChildEngine> gallery_dl_;
  std::unique_ptr<ItemEngine> all_;  // Destroyed first: it calls the others.
};

}  // namespace

std::unique_ptr<ItemEngine> make_item_engine(Gate& gate, const Clock& clock, io::DiskSpace& space,
                                             const TransferSettings& settings) {
  return std::make_unique<LocalItems>(gate, clock, space, settings);
}

}  // namespace haul::app
