// The engine over real connections of loopback.

#include <doctest/doctest.h>

#include "base/mutex.h"
#include "engine/imageapi/imageapi.h"
#include "support/io/fake_pictures.h"
#include "support/io/temp_folder.h"
#include "support/server/fake_image_api.h"
#include "support/server/fake_on_port.h"

namespace haul::testing {
namespace {

using Provider = imageapi::ProviderKind;

// Waits for one sight.
class OneSight final : public Inbox {
 public:
  void push(Sight sight) override {
    const Lock lock{mutex_};
    sight_ = std::move(sight);
    came_.notify_all();
  }
  What wait() {
    const Lock lock{mutex_};
    came_.wait(mutex_, [this]() REQUIRES(mutex_) { return sight_.has_value(); });
    return std::exchange(sight_, {})->what;
  }

 private:
  Mutex mutex_;
  Condition came_;
  std::optional<Sight> sight_ GUARDED_BY(mutex_);
};

struct OnPort {
  explicit OnPort(Provider provider, const char* reaches = nullptr) {
    port.with([&] { api.address = port.url(); });
    imageapi::ImageSettings settings{.provider = provider,
                                     .url = port.url(),
                                     .api_key = api.key,
                                     .model = "",
                                     .workflow = {},
                                     .staging = folder.path()};
    if (reaches) settings.reach.allowed.push_back(io::Network::parse(reaches).value());
    engine =
        imageapi::make_image_engine(*loop, system_clock(), space, pictures, std::move(settings));
  }

  What start(const std::string& params) {
    Order order{.store = "a1b2c3d4e5f6", .job = JobId{1}, .fence = 1, .start = 1};
    order.request = R"({"prompt":"a fox","params":)" + params + "}";
    engine->start(order, inbox);
    return inbox.wait();
  }

  FakeImageApi api;
  FakeOnPort port{[this](const io::HttpRequest& sent) { return api.answer(sent); }};
  TempFolder folder;
  FakePictures pictures;
  OneSight inbox;
  io::DiskSpace space{io::KeepFree{0}};
  std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(system_clock());
  std::unique_ptr<RemoteEngine> engine;
};

constexpr const char* kByAddress = R"({"response_format":"url"})";

}  // namespace

TEST_CASE("an image comes over a real connection, in the answer and as bytes") {
  for (const Provider provider : {Provider::openai, Provider::stability, Provider::automatic1111}) {
    CAPTURE(imageapi::name_of(provider));
    OnPort b{provider};
    const What what = b.start("{}");
    REQUIRE(std::holds_alternative<haul::Finished>(what));
    CHECK(std::get<haul::Finished>(what).size == std::ssize(b.api.image));
  }
}

TEST_CASE("S4-17: the provider may be on this machine, but an address that it sends may not") {
  OnPort refused{Provider::openai};
  const What what = refused.start(kByAddress);
  REQUIRE(std::holds_alternative<Failed>(what));
  CHECK(std::get<Failed>(what).fault.code == "private_address");
  CHECK(std::get<Failed>(what).fault.kind == FaultKind::permanent);

  OnPort allowed{Provider::openai, "127.0.0.0/8"};
  CHECK(std::holds_alternative<haul::Finished>(allowed.start(kByAddress)));
  CHECK(allowed.api.logins_at_files == 0);
}

TEST_CASE("a provider that is not there was not paid") {
  OnPort b{Provider::openai};
  b.engine.reset();
  b.engine = imageapi::make_image_engine(
      *b.loop, system_clock(), b.space, b.pictures,
      {.provider = Provider::openai, .url = "http://127.0.0.1:9", .staging = b.folder.path()});

  const What what = b.start("{}");

  REQUIRE(std::holds_alternative<Failed>(what));
  CHECK(std::get<Failed>(what).fault.code == "provider_unreachable");
  CHECK_FALSE(std::get<Failed>(what).outcome_unknown);
}

TEST_CASE("an engine can end while a call waits for its answer") {
  OnPort b{Provider::openai};
  b.port.with([&] { b.api.trouble = ImageTrouble::hang; });
  Order order{.store = "a1b2c3d4e5f6", .job = JobId{1}, .fence = 1, .start = 1};
  order.request = R"({"prompt":"a fox"})";
  b.engine->start(order, b.inbox);

  b.engine->stop(order, Leftovers::keep, b.inbox);

  const What what = b.inbox.wait();
  REQUIRE(std::holds_alternative<Failed>(what));
  CHECK(std::get<Failed>(what).outcome_unknown);
  b.engine->start(order, b.inbox);
  b.engine.reset();
}

}  // namespace haul::testing
