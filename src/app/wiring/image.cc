#include "app/wiring/image.h"

#include <fmt/core.h>

#include <utility>

#include "app/config/image.h"
#include "engine/imageapi/imageapi.h"
#include "engine/imageapi/provider.h"
#include "seam/not_configured.h"

namespace haul::app {
namespace {

// The engine writes images to the disk on its loop's thread, so it shares the loop with no other.
class Images final : public RemoteEngine {
 public:
  Images(const Clock& clock, io::DiskSpace& space, const imageapi::ImageSettings& settings,
         std::filesystem::path program)
      : loop_{io::make_http_loop(clock)},
        pictures_{io::make_pictures(
            clock, {.program = std::move(program), .work = settings.staging / "work"})},
        engine_{imageapi::make_image_engine(*loop_, clock, space, *pictures_, settings)} {}

  void start(Order order, Inbox& inbox) override { engine_->start(std::move(order), inbox); }
  std::string handle_for(const Order& order) const override { return engine_->handle_for(order); }
  void look(std::span<const Order> orders, Inbox& inbox) override { engine_->look(orders, inbox); }
  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    engine_->stop(order, leftovers, inbox);
  }
  Lack not_ready(std::string_view engine) const override { return engine_->not_ready(engine); }

 private:
  // Destroyed from the last one: the engine, then the checks, which answer to the loop.
  std::unique_ptr<io::HttpLoop> loop_;
  std::unique_ptr<io::Pictures> pictures_;
  std::unique_ptr<RemoteEngine> engine_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_images(const Clock& clock, io::DiskSpace& space,
                                          const std::optional<imageapi::ImageSettings>& settings) {
  if (!settings) return std::make_unique<NotConfigured>(kConfigureImages);
  // Without it, no image that was paid for could be checked and kept.
  std::filesystem::path program = io::picture_program();
  std::error_code ignored;
  if (!std::filesystem::exists(program, ignored))
    return std::make_unique<NotConfigured>(fmt::format("install {}", program.string()));
  namespace fs = std::filesystem;
  fs::create_directories(settings->staging, ignored);  // The engine reports what is wrong with it.
  fs::permissions(settings->staging, fs::perms::owner_all, ignored);  // Images are private.
  return std::make_unique<Images>(clock, space, *settings, std::move(program));
}

RequestCheck image_params(const std::optional<imageapi::ImageSettings>& settings) {
  if (!settings) return {};
  return [check = imageapi::params_check(*settings)](std::string_view request) {
    const auto bad = check(request);
    if (!bad) return std::optional<Refusal>{};
    return std::optional{Refusal{RefusalKind::guarded, bad->fault().code, bad->detail, bad->field}};
  };
}

}  // namespace haul::app
