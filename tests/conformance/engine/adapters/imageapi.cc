// The engine for images joins the suite of remote engines, with the providers that name a call. The
// others give the image with their answer, so there is nothing to look at.

#include "engine/imageapi/imageapi.h"

#include "conformance/engine/remote_engine.h"
#include "support/server/image_bench.h"

namespace haul::conformance {
namespace {

using Provider = imageapi::ProviderKind;

class ImageApiBench final : public RemoteBench {
 public:
  explicit ImageApiBench(Provider provider) : b_{provider}, provider_{provider} {
    b_.api.looks = 1'000;
    well_ = b_.loop.server;
  }

  RemoteEngine& engine() override { return b_.engine(); }

  bool until(const So& so, Millis within) override {
    constexpr Millis kStep{100};
    b_.loop.run();
    for (Millis passed{0}; !so(); passed += kStep) {
      if (passed >= within) return false;
      b_.clock.pass(kStep);
      b_.loop.run();
    }
    return true;
  }

  Order order(std::int64_t job) override { return testing::ImageBench::order(job); }
  Order unknown() override { return testing::ImageBench::order(99, "unknown-call"); }
  std::size_t transfers() const override { return b_.api.open_calls(); }
  std::size_t paid_calls() const override { return b_.api.charged.size(); }
  void fall_silent() override {
    b_.loop.server = [](const io::HttpRequest&) -> std::optional<testing::FakeReply> { return {}; };
  }
  void go_down() override {
    b_.loop.server = [](const io::HttpRequest&) {
      return testing::FakeReply{.fault = Fault{FaultKind::retryable, "cannot_connect", "refused"}};
    };
  }
  void come_back() override { b_.loop.server = well_; }
  void add_stranger() override {
    b_.api.answer({.method = "POST",
                   .url = provider_ == Provider::comfyui ? "http://images.test/prompt"
                                                         : "http://images.test/v1/predictions",
                   .headers = {"Authorization: Bearer " + b_.api.key},
                   .body = R"({"input":{"prompt":"x"},"prompt":{}})"});
    stranger_ = b_.api.charged.back().id;
  }
  bool has_stranger() const override { return b_.api.is_open(stranger_); }

  std::string exempt(RemoteRule rule) const override {
    return rule == RemoteRule::repeats ? "a repeated start is a second paid call" : "";
  }

 private:
  testing::ImageBench b_;
  const Provider provider_;
  testing::FakeServer well_;
  std::string stranger_;
};

const Joins<RemoteBench> kReplicate{
    "imageapi replicate", [] { return std::make_unique<ImageApiBench>(Provider::replicate); }};
const Joins<RemoteBench> kComfyUi{
    "imageapi comfyui", [] { return std::make_unique<ImageApiBench>(Provider::comfyui); }};

}  // namespace
}  // namespace haul::conformance
