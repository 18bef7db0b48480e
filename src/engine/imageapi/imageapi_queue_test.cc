// The engine with providers that name a call and work on it after their answer.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "engine/imageapi/imageapi.h"
#include "io/file/room.h"
#include "support/io/small_disk.h"
#include "support/server/image_bench.h"

namespace haul::testing {
namespace {

using Provider = imageapi::ProviderKind;
constexpr Provider kQueued[] = {Provider::replicate, Provider::comfyui};

// The handle that a start was accepted under.
std::string started(ImageBench& b, std::int64_t job = 1) {
  b.start(ImageBench::order(job));
  return b.the<Accepted>().handle;
}

}  // namespace

TEST_CASE("A4-13: a call has its handle before haul waits for it, and a look finds the image") {
  for (const Provider provider : kQueued) {
    CAPTURE(imageapi::name_of(provider));
    ImageBench b{provider};
    b.api.looks = 2;

    const std::string handle = started(b);
    REQUIRE_FALSE(handle.empty());
    CHECK(b.look(ImageBench::order(1, handle)) == "1 waiting at_work");
    CHECK(b.look(ImageBench::order(1, handle)) == "1 finished");

    CHECK(b.the<haul::Finished>().size == std::ssize(b.api.image));
    CHECK(b.api.charged.size() == 1);
    CHECK(b.api.logins_at_files == 0);
  }
}

TEST_CASE("an accepted call is at work, and only looks ask about it") {
  for (const Provider provider : kQueued) {
    CAPTURE(imageapi::name_of(provider));
    ImageBench b{provider};
    CHECK(b.start(ImageBench::order(1)).ends_with(", 1 waiting at_work"));
    b.api.told();

    CHECK(b.told(Millis{60'000}).empty());
    CHECK(b.api.told().empty());
  }
}

TEST_CASE("A4-13: after a crash the same handle leads to the same image, and nothing is paid") {
  for (const Provider provider : kQueued) {
    CAPTURE(imageapi::name_of(provider));
    ImageBench b{provider};
    const std::string handle = started(b);

    b.crash(provider);

    CHECK(b.look(ImageBench::order(1, handle, "{}", 2)) == "1 finished");
    CHECK(b.seen.front().fence == 2);
    CHECK(b.api.charged.size() == 1);
  }
}

TEST_CASE("A4-13: haul names a call of ComfyUI itself, another one for each attempt") {
  ImageBench b{Provider::comfyui};
  const std::string first = b.engine().handle_for(ImageBench::order(1));

  CHECK(first.size() == 36);
  CHECK(first == b.engine().handle_for(ImageBench::order(1)));
  CHECK(first != b.engine().handle_for(ImageBench::order(2)));
  CHECK(first != b.engine().handle_for(ImageBench::order(1, "", "{}", 2)));
  CHECK(started(b) == first);
  CHECK(ImageBench{Provider::replicate}.engine().handle_for(ImageBench::order(1)).empty());
}

TEST_CASE("a call of ComfyUI that was lost on the way is Missing, and one that arrived is found") {
  ImageBench b{Provider::comfyui};
  const std::string handle = b.engine().handle_for(ImageBench::order(1));
  CHECK(b.look(ImageBench::order(1, handle)) == "1 missing");
  CHECK(b.api.told() == "GET /history/" + handle + ", GET /queue, GET /history/" + handle);

  b.api.looks = 5;
  started(b);
  CHECK(b.look(ImageBench::order(1, handle)) == "1 waiting at_work");
}

TEST_CASE("a provider that is down, slow or garbled leaves a call Unseen, never Missing") {
  for (const Provider provider : kQueued) {
    CAPTURE(imageapi::name_of(provider));
    ImageBench b{provider};
    const Order order = ImageBench::order(1, started(b));
    const FakeServer well = b.loop.server;

    for (const int status : {429, 500, 503}) {
      b.loop.server = [&](const io::HttpRequest&) { return FakeReply{.status = status}; };
      CHECK(b.look(order).starts_with("1 unseen provider_"));
    }
    b.loop.server = [](const io::HttpRequest&) { return FakeReply{.body = "<html>"}; };
    CHECK(b.look(order) == "1 unseen provider_garbage");
    b.loop.server = [](const io::HttpRequest&) -> std::optional<FakeReply> { return {}; };
    CHECK(b.look(order).empty());
    b.clock.pass(Millis{30'000});
    CHECK(b.told() == "1 unseen provider_timeout");
    b.loop.server = well;
    CHECK(b.look(order) == "1 finished");
  }
}

TEST_CASE("S4-10: a prediction that fails with the words of a filter is rejected") {
  ImageBench b{Provider::replicate};
  b.api.failure = "NSFW content detected. Try running it again, or try a different prompt.";
  CHECK(b.look(ImageBench::order(1, started(b))) == "1 failed rejected safety_block");

  b.api.failure = "CUDA error: device lost";
  CHECK(b.look(ImageBench::order(2, started(b, 2))) == "2 failed retryable generation_failed");
}

TEST_CASE("S4-11: a reason that repeats the prompt is not kept, also long after the start") {
  ImageBench b{Provider::replicate};
  b.api.failure = "NSFW content detected in: a red fox 1";
  CHECK(b.look(ImageBench::order(1, started(b))) == "1 failed rejected safety_block");
  CHECK(b.the<Failed>().fault.detail.find("fox") == std::string::npos);
}

TEST_CASE("a name of a call that is too long is not stored") {
  ImageBench b{Provider::replicate};
  b.loop.server = [](const io::HttpRequest&) {
    return FakeReply{.status = 201, .body = R"({"id":")" + std::string(201, 'x') + R"("})"};
  };
  CHECK(b.start(ImageBench::order(1)) == "1 failed retryable provider_garbage unknown");
}

TEST_CASE("a graph that fails is tried again") {
  ImageBench b{Provider::comfyui};
  b.api.failure = "shapes cannot be multiplied";
  CHECK(b.look(ImageBench::order(1, started(b))) == "1 failed retryable generation_failed");
  CHECK(b.the<Failed>().fault.detail.find("RuntimeError") != std::string::npos);
}

TEST_CASE("an image that its server has deleted is lost, one that it cannot send yet is not") {
  ImageBench b{Provider::replicate};
  const Order order = ImageBench::order(1, started(b));
  b.api.address = "https://cdn.test";
  b.web = [](const io::HttpRequest&) { return FakeReply{.status = 503}; };
  CHECK(b.look(order) == "1 unseen image_not_there");
  CHECK(b.look(order) == "1 unseen image_not_there");

  b.web = [](const io::HttpRequest&) { return FakeReply{.status = 404}; };
  CHECK(b.look(order) == "1 failed retryable image_gone");
}

TEST_CASE("a stop ends the call at the provider") {
  for (const Provider provider : kQueued) {
    CAPTURE(imageapi::name_of(provider));
    ImageBench b{provider};
    b.api.looks = 5;
    const Order order = ImageBench::order(1, started(b));
    CHECK(b.api.open_calls() == 1);

    CHECK(b.stop(order) == "1 stopped");
    CHECK(b.api.open_calls() == 0);
    CHECK(b.look(order) == "1 missing");
    CHECK(b.stop(order) == "1 stopped");
  }
}

TEST_CASE("a stop while the provider takes a call waits for its name, and ends it") {
  for (const Provider provider : kQueued) {
    CAPTURE(imageapi::name_of(provider));
    ImageBench b{provider};
    b.api.looks = 5;
    b.loop.takes = Millis{300};
    b.engine().start(ImageBench::order(1), b.letters);

    CHECK(b.stop(ImageBench::order(1)) == "1 stopped");
    CHECK(b.api.charged.size() == 1);
    CHECK(b.api.open_calls() == 0);
  }
}

TEST_CASE("a start that follows a stop while the provider takes the call gets the call") {
  ImageBench b{Provider::replicate};
  b.loop.takes = Millis{5'000};
  b.start(ImageBench::order(1));
  b.engine().stop(ImageBench::order(1), Leftovers::remove, b.letters);
  CHECK(b.start(ImageBench::order(1, "", "{}", 2)).empty());
  CHECK(b.told(Millis{6'000}).starts_with("1 accepted"));
  CHECK(b.seen.front().fence == 2);
  CHECK(b.api.charged.size() == 1);
}

TEST_CASE("a stop of a call whose name does not come has an unknown outcome, within two seconds") {
  for (const Provider provider : kQueued) {
    CAPTURE(imageapi::name_of(provider));
    ImageBench b{provider};
    b.api.trouble = ImageTrouble::hang;
    b.start(ImageBench::order(1));

    CHECK(b.stop(ImageBench::order(1)) == "1 failed retryable call_abandoned unknown");
  }
}

TEST_CASE("F25: an image that is paid for is kept below transfer.keep_free, too") {
  ImageBench b{Provider::replicate};
  const Order order = ImageBench::order(1, started(b));
  const auto folder = std::make_shared<const io::Folder>(
      io::Folder::open(b.folder / "images", io::Folder::Missing::create).value());
  io::Room other{b.space.of(folder)};
  REQUIRE(other.reserve(folder->free_bytes(), b.clock.steady()));

  CHECK(b.look(order) == "1 finished");
  CHECK(b.api.charged.size() == 1);
}

TEST_CASE("F25: an image that the provider keeps comes when the disk has room for it again") {
  ImageBench b{Provider::replicate,
               [](imageapi::ImageSettings& settings) { settings.max_size = 100'000; }};
  const SmallDisk disk{b.folder / "images"};
  if (!disk.is_there()) return;
  const Order order = ImageBench::order(1, started(b));
  const auto other = b.folder / "images/of another program";
  const auto free = static_cast<std::size_t>(std::filesystem::space(b.folder / "images").available);
  std::ofstream{other} << std::string(free, 'x');
  b.clock.pass(Millis{20'000});  // The look at the disk is old.

  CHECK(b.look(order) == "1 unseen disk_full");
  std::filesystem::remove(other);
  b.clock.pass(Millis{1'000});

  CHECK(b.look(order) == "1 finished");
  CHECK(b.api.charged.size() == 1);
}

}  // namespace haul::testing
