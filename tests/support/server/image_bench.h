#pragma once
// The engine for images with the fake APIs in memory, a clock that the test turns, and a staging
// folder of its own.

#include <fmt/core.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/imageapi/imageapi.h"
#include "support/io/fake_loop.h"
#include "support/io/fake_pictures.h"
#include "support/io/temp_folder.h"
#include "support/server/fake_image_api.h"

namespace haul::testing {

inline constexpr const char* kGraph =
    R"({"3":{"class_type":"KSampler","inputs":{"seed":"{{seed}}"}},)"
    R"("6":{"class_type":"CLIPTextEncode","inputs":{"text":"{{prompt}}"}},)"
    R"("9":{"class_type":"SaveImage","inputs":{}}})";

class ImageBench {
 public:
  using Provider = imageapi::ProviderKind;

  explicit ImageBench(Provider provider,
                      const std::function<void(imageapi::ImageSettings&)>& change = {}) {
    loop.server = [this](const io::HttpRequest& request) {
      return web && request.url.find("//images.test/") == std::string::npos ? web(request)
                                                                            : api.answer(request);
    };
    imageapi::ImageSettings settings{.provider = provider,
                                     .url = "http://images.test",
                                     .api_key = api.key,
                                     .model = provider == Provider::replicate ? "me/flux" : "",
                                     .workflow = kGraph,
                                     .staging = folder / "images"};
    settings.on_trouble = [this](const Fault* fault) {
      troubles.push_back(fault ? fault->code : "well");
    };
    if (change) change(settings);
    engine_ = imageapi::make_image_engine(loop, clock, space, pictures, std::move(settings));
  }
  ~ImageBench() { loop.is_closing = true; }
  ImageBench(const ImageBench&) = delete;
  ImageBench& operator=(const ImageBench&) = delete;

  TempFolder folder;
  HandClock clock;
  io::DiskSpace space{io::KeepFree{0}};
  FakeLoop loop{clock};
  FakeImageApi api;
  FakeServer web;  // Answers requests to every other host, if there is one.
  FakePictures pictures;
  std::vector<std::string> troubles;
  Letters letters;
  std::vector<Sight> seen;  // By the last told().

  RemoteEngine& engine() { return *engine_; }
  // The process is gone, with all that it knew; the provider goes on.
  void crash(Provider provider) {
    loop.is_closing = true;
    engine_.reset();
    loop.is_closing = false;
    engine_ = imageapi::make_image_engine(loop, clock, space, pictures,
                                          {.provider = provider,
                                           .url = "http://images.test",
                                           .api_key = api.key,
                                           .model = "me/flux",
                                           .workflow = kGraph,
                                           .staging = folder / "images"});
  }

  static Order order(std::int64_t job, const std::string& handle = {},
                     const std::string& params = "{}", std::int64_t fence = 1) {
    Order order{.store = "a1b2c3d4e5f6",
                .job = JobId{job},
                .fence = fence,
                .start = fence,
                .handle = handle};
    order.request = fmt::format(R"({{"prompt":"a red fox {}","params":{}}})", job, params);
    return order;
  }

  // Each of these returns what told() says after the call.
  std::string start(const Order& order) {
    engine_->start(order, letters);
    return told();
  }
  std::string look(const Order& order) {
    engine_->look({&order, 1}, letters);
    return told();
  }
  std::string stop(const Order& order) {
    engine_->stop(order, Leftovers::remove, letters);
    return told(Millis{2'000});
  }
  // Runs what is due now and, until a sight arrives, in this time. Returns the new sights:
  // "1 accepted rep00000001".
  std::string told(Millis within = Millis{0}) {
    loop.run();
    for (Millis passed{0}; passed < within && letters.sights.empty(); passed += Millis{100}) {
      clock.pass(Millis{100});
      loop.run();
    }
    std::string text;
    seen = letters.take();
    for (const Sight& sight : seen)
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : ", ", sight.job.value, name_of(sight.what));
    return text;
  }
  // What the last told() saw of this kind.
  template <class T>
  T the() const {
    for (const Sight& sight : seen)
      if (const T* what = std::get_if<T>(&sight.what)) return *what;
    return {};
  }

 private:
  static std::string name_of(const What& what) {
    if (const auto* accepted = std::get_if<Accepted>(&what)) return "accepted " + accepted->handle;
    if (const auto* failed = std::get_if<Failed>(&what)) {
      constexpr std::string_view kKinds[] = {"retryable", "permanent", "rejected", "environment",
                                             "cancelled"};
      return fmt::format("failed {} {}{}", kKinds[static_cast<std::size_t>(failed->fault.kind)],
                         failed->fault.code, failed->outcome_unknown ? " unknown" : "");
    }
    if (const auto* unseen = std::get_if<Unseen>(&what)) return "unseen " + unseen->code;
    if (const auto* waiting = std::get_if<Waiting>(&what)) return "waiting " + waiting->code;
    if (std::holds_alternative<haul::Finished>(what)) return "finished";
    if (std::holds_alternative<Missing>(what)) return "missing";
    if (std::holds_alternative<Stopped>(what)) return "stopped";
    return "?";
  }

  std::unique_ptr<RemoteEngine> engine_;
};

}  // namespace haul::testing
