#include "engine/imageapi/imageapi.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "base/hash.h"
#include "base/json.h"
#include "support/server/image_bench.h"

namespace haul::testing {
namespace {

using Provider = imageapi::ProviderKind;
constexpr Provider kAtOnce[] = {Provider::openai, Provider::stability, Provider::automatic1111};

std::string content_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string evidence(const ImageBench& b, std::string_view name) {
  const auto fields = read_object(b.the<haul::Finished>().evidence);
  if (!fields) return {};
  for (const JsonField& field : *fields)
    if (field.name == name) return field.text;
  return {};
}

}  // namespace

TEST_CASE("S4-5: an image that comes with the answer is staged, checked and proven") {
  for (const Provider provider : kAtOnce) {
    CAPTURE(imageapi::name_of(provider));
    ImageBench b{provider};

    CHECK(b.start(ImageBench::order(7)) == "7 finished");

    const auto finished = b.the<haul::Finished>();
    CHECK(finished.in_place);
    CHECK(finished.size == std::ssize(b.api.image));
    CHECK(content_of(finished.path) == b.api.image);
    CHECK(evidence(b, "type") == "png");
    CHECK(evidence(b, "width") == "16");
    CHECK(evidence(b, "height") == "12");
    CHECK(evidence(b, "sha256") == sha256_hex(b.api.image));
    CHECK(content_of(evidence(b, "thumbnail")) == "a thumbnail");
    REQUIRE(b.api.charged.size() == 1);
    CHECK(b.api.charged.front().prompt == "a red fox 7");
    CHECK(b.seen.front().fence == 1);
  }
}

TEST_CASE("S4-17: an image at an address is fetched from there, without the provider's login") {
  ImageBench b{Provider::openai};

  CHECK(b.start(ImageBench::order(1, "", R"({"response_format":"url"})")) == "1 finished");

  CHECK(b.api.told() == "POST /v1/images/generations, GET /files/1.png");
  CHECK(b.api.logins_at_files == 0);
  CHECK(b.the<haul::Finished>().size == std::ssize(b.api.image));
}

TEST_CASE("S4-17: neither the address nor a redirect leads to where users may not go") {
  // The loop refuses the address itself; what it says is a fault of its own.
  ImageBench b{Provider::openai};
  std::vector<bool> private_too;
  b.api.address = "https://cdn.test";
  b.web = [&](const io::HttpRequest& request) -> std::optional<FakeReply> {
    private_too.push_back(request.reach.private_too);
    if (request.url.starts_with("https://cdn.test"))
      return FakeReply{.status = 302, .headers = {{"location", "https://inner.test/x.png"}}};
    return FakeReply{.fault = Fault{FaultKind::rejected, "private_address", "not public"}};
  };

  const Order order = ImageBench::order(1, "", R"({"response_format":"url"})");
  CHECK(b.start(order) == "1 failed permanent private_address");
  CHECK(private_too == std::vector<bool>{false, false});

  b.web = [](const io::HttpRequest&) {
    return FakeReply{.status = 302, .headers = {{"location", "http://plain.test/x.png"}}};
  };
  CHECK(b.start(order) == "1 failed permanent insecure_redirect");

  b.web = [](const io::HttpRequest&) {
    return FakeReply{.status = 302, .headers = {{"location", "/again"}}};
  };
  CHECK(b.start(order) == "1 failed permanent too_many_redirects");
  b.api.address = "file:///etc";
  CHECK(b.start(order) == "1 failed permanent bad_address");
}

TEST_CASE("S4-17: an image may have max_size bytes, and not one more") {
  for (const std::int64_t spare : {0, -1}) {
    ImageBench b{Provider::stability, [&](imageapi::ImageSettings& settings) {
                   settings.max_size = std::ssize(FakeImageApi{}.image) + spare;
                 }};

    CHECK(b.start(ImageBench::order(1)) ==
          (spare == 0 ? "1 finished" : "1 failed permanent image_too_large"));
  }
  ImageBench b{Provider::openai, [](imageapi::ImageSettings& settings) {
                 settings.max_size = std::ssize(FakeImageApi{}.image) - 1;
               }};
  CHECK(b.start(ImageBench::order(1, "", R"({"response_format":"url"})")) ==
        "1 failed permanent image_too_large");
}

TEST_CASE("bytes that are no PNG, JPEG or WebP are not kept, nor what the decoder refuses") {
  ImageBench b{Provider::openai};
  b.api.trouble = ImageTrouble::no_image;
  b.api.trouble_for = 1;

  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable bad_image");
  CHECK(b.pictures.checked.empty());

  b.pictures.facts.type = "jpeg";
  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable bad_image");
  b.pictures.fault = Fault{FaultKind::retryable, "bad_picture", "it does not decode"};
  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable bad_picture");
  b.pictures.fault.reset();
  b.pictures.facts.type = "png";
  CHECK(b.start(ImageBench::order(1)) == "1 finished");
}

TEST_CASE("promise 5: an image that was paid for is fetched six times before it is lost") {
  for (const int failures : {5, 6}) {
    CAPTURE(failures);
    ImageBench b{Provider::openai};
    b.api.address = "https://cdn.test";
    int fetches = 0;
    b.web = [&](const io::HttpRequest&) -> std::optional<FakeReply> {
      if (++fetches <= failures) return FakeReply{.status = 503};
      return FakeReply{.body = b.api.image};
    };
    CHECK(b.start(ImageBench::order(1, "", R"({"response_format":"url"})")).empty());
    b.clock.pass(Millis{4'999});
    CHECK(b.told().empty());
    CHECK(fetches == 1);
    // A start that is repeated waits for the same image.
    CHECK(b.start(ImageBench::order(1, "", R"({"response_format":"url"})", 2)).empty());
    CHECK(b.told(Millis{60'000}) ==
          (failures == 5 ? "1 finished" : "1 failed retryable image_not_there"));
    CHECK(b.seen.front().fence == 2);
    CHECK(fetches == 6);
    CHECK(b.api.charged.size() == 1);
  }
}

TEST_CASE("promise 5: a check that our surroundings prevent is repeated while there is time") {
  ImageBench b{Provider::openai};
  b.pictures.fault = Fault{FaultKind::environment, "no_memory", "fork: no memory"};
  CHECK(b.start(ImageBench::order(1)).empty());
  CHECK(b.told(Millis{29'900}).empty());
  CHECK(b.pictures.checked.size() == 1);
  b.pictures.fault.reset();
  CHECK(b.told(Millis{100}) == "1 finished");
  CHECK(b.api.charged.size() == 1);

  b.pictures.fault = Fault{FaultKind::environment, "no_memory", "fork: no memory"};
  CHECK(b.start(ImageBench::order(2)).empty());
  CHECK(b.told(Millis{719'000}).empty());
  CHECK(b.told(Millis{2'000}) == "2 failed environment no_memory");
}

TEST_CASE("promise 5: without haul-picture nothing is paid, and a paid image waits to be checked") {
  ImageBench b{Provider::openai};
  b.loop.server = [&](const io::HttpRequest& request) {
    b.pictures.fault = Fault{FaultKind::environment, "program_missing", "it is gone"};
    return b.api.answer(request);
  };
  CHECK(b.start(ImageBench::order(1)) == "1 failed environment program_missing");
  CHECK(b.troubles.back() == "program_missing");
  CHECK(b.start(ImageBench::order(2)) == "2 failed environment program_missing");
  CHECK(b.start(ImageBench::order(1, "", "{}", 2)) == "1 failed environment program_missing");
  CHECK(b.api.charged.size() == 1);

  b.pictures.fault.reset();
  CHECK(b.start(ImageBench::order(1, "", "{}", 3)) == "1 finished");
  CHECK(b.seen.front().fence == 3);
  CHECK(b.api.charged.size() == 1);
  CHECK(b.troubles.back() == "well");
}

TEST_CASE("promise 5: an image that a crash cut off is not used, and paid for again") {
  ImageBench b{Provider::openai};
  b.pictures.fault = Fault{FaultKind::environment, "program_missing", "it is gone"};
  b.start(ImageBench::order(1));
  b.pictures.fault = Fault{FaultKind::environment, "no_memory", "fork"};
  CHECK(b.start(ImageBench::order(1)).empty());
  b.pictures.fault = Fault{FaultKind::retryable, "bad_picture", "it is cut off"};
  CHECK(b.told(Millis{30'100}) == "1 failed retryable bad_picture");
  CHECK(b.api.charged.size() == 1);
  b.pictures.fault.reset();
  CHECK(b.start(ImageBench::order(1, "", "{}", 2)) == "1 finished");
  CHECK(b.api.charged.size() == 2);
}

TEST_CASE("no proxy sees the key that goes to a provider without TLS") {
  for (const char* url : {"http://images.test", "https://images.test"}) {
    CAPTURE(url);
    ImageBench b{Provider::openai, [&](imageapi::ImageSettings& settings) { settings.url = url; }};
    std::vector<bool> direct;
    b.loop.server = [&](const io::HttpRequest& request) {
      direct.push_back(request.direct);
      return b.api.answer(request);
    };
    CHECK(b.start(ImageBench::order(1)) == "1 finished");
    CHECK(direct == std::vector<bool>{std::string_view{url}.starts_with("http:")});
  }
}

TEST_CASE("S4-10: a safety block is rejected, with the provider's reason and without the prompt") {
  ImageBench b{Provider::openai};
  b.api.trouble = ImageTrouble::blocked;

  CHECK(b.start(ImageBench::order(1)) == "1 failed rejected safety_block");

  const std::string detail = b.the<Failed>().fault.detail;
  CHECK(detail.find("moderation_blocked") != std::string::npos);
  CHECK(detail.find("violence") != std::string::npos);
  CHECK(detail.find("fox") == std::string::npos);
  CHECK(b.api.charged.empty());

  ImageBench blurred{Provider::stability};
  blurred.api.trouble = ImageTrouble::blocked;
  CHECK(blurred.start(ImageBench::order(1)) == "1 failed rejected safety_block");
}

TEST_CASE("S4-11: the trouble with a provider is told without the prompt that its reason repeats") {
  std::vector<std::string> details;
  ImageBench b{Provider::openai, [&](imageapi::ImageSettings& settings) {
                 settings.on_trouble = [&](const Fault* fault) {
                   details.push_back(fault ? fault->detail : "well");
                 };
               }};
  b.loop.server = [](const io::HttpRequest&) {
    return FakeReply{.status = 429,
                     .body = R"({"error":{"message":"busy with a red fox 1","code":"x"}})",
                     .headers = {{"retry-after", "7"}}};
  };

  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable provider_rate_limit");
  CHECK(b.start(ImageBench::order(2)) == "2 failed environment provider_rate_limit");
  CHECK(b.the<Failed>().fault.detail.find("fox") == std::string::npos);
  REQUIRE(details.size() == 1);
  CHECK(details.front().find("fox") == std::string::npos);
}

TEST_CASE("A4-4: a server error and a rate limit are tried again, a bad request is not") {
  ImageBench b{Provider::openai};
  b.api.trouble = ImageTrouble::server_error;
  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable provider_error");

  b.api.trouble = ImageTrouble::bad_request;
  CHECK(b.start(ImageBench::order(1)) == "1 failed permanent provider_refused");
  CHECK(b.troubles == std::vector<std::string>{"provider_error", "well"});

  b.api.trouble = ImageTrouble::rate_limited;
  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable provider_rate_limit");
  CHECK(b.the<Failed>().wait_ms == 7'000);
}

TEST_CASE("a rate limit holds the other jobs back, and costs them no attempt") {
  ImageBench b{Provider::openai};
  b.api.trouble = ImageTrouble::rate_limited;
  b.start(ImageBench::order(1));
  b.api.trouble = ImageTrouble::none;
  b.api.told();

  b.clock.pass(Millis{6'999});
  CHECK(b.start(ImageBench::order(2)) == "2 failed environment provider_rate_limit");
  CHECK(b.the<Failed>().fault.detail ==
        "the provider asked haul to wait; another image met its limit");
  CHECK(b.the<Failed>().wait_ms == 1);
  CHECK(b.api.told().empty());

  b.clock.pass(Millis{1});
  CHECK(b.start(ImageBench::order(2)) == "2 finished");
}

TEST_CASE("Z-28: a provider that cannot be paid is told of once, and each call asks it again") {
  struct Case {
    ImageTrouble trouble;
    const char* code;
  };
  for (const auto& [trouble, code] : {Case{ImageTrouble::unauthorized, "provider_refused_key"},
                                      Case{ImageTrouble::unpaid, "provider_wants_payment"}}) {
    for (const Provider provider : {Provider::openai, Provider::stability, Provider::replicate,
                                    Provider::automatic1111, Provider::comfyui}) {
      CAPTURE(imageapi::name_of(provider));
      CAPTURE(code);
      ImageBench b{provider};
      b.api.trouble = trouble;

      CHECK(b.start(ImageBench::order(1)) == fmt::format("1 failed environment {}", code));
      b.api.told();
      CHECK(b.start(ImageBench::order(2)) == fmt::format("2 failed environment {}", code));
      CHECK_FALSE(b.api.told().empty());
      CHECK(b.troubles == std::vector<std::string>{code});

      b.api.trouble = ImageTrouble::none;
      const std::string told = b.start(ImageBench::order(2));
      CHECK_FALSE(told.starts_with("2 failed"));
      CHECK(b.api.charged.size() == 1);
      CHECK(b.troubles == std::vector<std::string>{code, "well"});
    }
  }
}

TEST_CASE("F47: after a lost answer, a gateway's and a timeout, the outcome is unknown") {
  ImageBench b{Provider::openai};
  b.api.trouble = ImageTrouble::lost;
  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable provider_lost unknown");
  b.api.trouble = ImageTrouble::gateway;
  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable provider_error unknown");
  b.api.trouble = ImageTrouble::garbage;
  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable provider_garbage unknown");
  CHECK(b.api.charged.size() == 3);

  b.api.trouble = ImageTrouble::hang;
  CHECK(b.start(ImageBench::order(1)).empty());
  b.clock.pass(Millis{179'999});
  CHECK(b.told().empty());
  b.clock.pass(Millis{1});
  CHECK(b.told() == "1 failed retryable provider_timeout unknown");
}

TEST_CASE("F47: a call that reached no provider was not paid for") {
  ImageBench b{Provider::openai};
  b.loop.server = [](const io::HttpRequest&) {
    return FakeReply{.fault = Fault{FaultKind::retryable, "cannot_connect", "refused"}};
  };

  CHECK(b.start(ImageBench::order(1)) == "1 failed environment provider_unreachable");
  CHECK(b.troubles == std::vector<std::string>{"provider_unreachable"});
}

TEST_CASE("nothing is paid for if the request is bad or the disk has no room for the image") {
  ImageBench b{Provider::openai};
  for (const char* params :
       {R"({"n":2})", R"({"prompt":"other"})", R"({"moderation":"low"})", R"({"size":7})"})
    CHECK(b.start(ImageBench::order(1, "", params)) == "1 failed permanent bad_params");
  Order order = ImageBench::order(1);
  order.request = "{}";
  CHECK(b.start(order) == "1 failed permanent bad_request");
  CHECK(b.api.told().empty());

  ImageBench full{Provider::openai, [](imageapi::ImageSettings& settings) {
                    settings.max_size = std::int64_t{1} << 60U;
                  }};
  CHECK(full.start(ImageBench::order(1)) == "1 failed environment disk_full");
  CHECK(full.api.told().empty());
  CHECK(b.start(ImageBench::order(1, "", R"({"n":1})")) == "1 finished");
}

TEST_CASE("A4-13: a start that is repeated while it waits is one paid call, and reports once") {
  ImageBench b{Provider::openai};
  b.loop.takes = Millis{5'000};

  CHECK(b.start(ImageBench::order(1)).empty());
  CHECK(b.start(ImageBench::order(1, "", "{}", 2)).empty());
  b.clock.pass(Millis{5'000});

  CHECK(b.told() == "1 finished");
  CHECK(b.seen.front().fence == 2);
  CHECK(b.api.charged.size() == 1);
}

TEST_CASE("A4-13: a start that is repeated is a second paid call, unless the image is still here") {
  ImageBench b{Provider::openai};
  b.loop.takes = Millis{5'000};
  b.start(ImageBench::order(1));
  b.loop.takes = Millis{0};
  b.crash(Provider::openai);

  CHECK(b.start(ImageBench::order(1)) == "1 finished");
  CHECK(b.start(ImageBench::order(1, "", "{}", 2)) == "1 finished");
  CHECK(b.api.charged.size() == 1);
  std::filesystem::remove_all(b.folder / "images");
  CHECK(b.start(ImageBench::order(1, "", "{}", 3)) == "1 finished");
  CHECK(b.api.charged.size() == 2);
}

TEST_CASE("a stop of a call that waits for its answer fails with an unknown outcome at once") {
  for (const Provider provider : kAtOnce) {
    ImageBench b{provider};
    b.api.trouble = ImageTrouble::hang;
    b.start(ImageBench::order(1));

    CHECK(b.stop(ImageBench::order(1)) == "1 failed retryable call_abandoned unknown");
    CHECK(b.stop(ImageBench::order(1)) == "1 stopped");
  }
}

TEST_CASE("a look at a call of a provider that names none is Missing") {
  for (const Provider provider : kAtOnce) {
    ImageBench b{provider};
    CHECK(b.look(ImageBench::order(1)) == "1 missing");
  }
}

TEST_CASE("an engine that ends while calls wait reports nothing more") {
  ImageBench b{Provider::openai};
  b.api.trouble = ImageTrouble::hang;
  b.start(ImageBench::order(1));

  b.crash(Provider::openai);

  b.clock.pass(Millis{600'000});
  CHECK(b.told().empty());
}

TEST_CASE("an answer in the turn of a stop ends no call twice, and its image is not lost") {
  for (const ImageTrouble trouble : {ImageTrouble::none, ImageTrouble::server_error}) {
    ImageBench b{Provider::openai};
    b.loop.takes = Millis{5'000};
    b.api.trouble = trouble;
    REQUIRE(b.start(ImageBench::order(1)).empty());
    b.clock.pass(Millis{5'000});
    b.engine().stop(ImageBench::order(1), Leftovers::keep, b.letters);

    CHECK(b.told() == "1 failed retryable call_abandoned unknown");
    if (trouble != ImageTrouble::none) continue;
    b.loop.takes = Millis{0};
    CHECK(b.start(ImageBench::order(1, "", "{}", 2)) == "1 finished");
    CHECK(b.api.charged.size() == 1);
  }
}

}  // namespace haul::testing
