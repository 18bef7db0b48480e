#include "app/progress.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {

using namespace std::chrono_literals;

TEST_CASE(
    "S2-15: progress of an item has its key, address, path, bytes, speed, time left, status") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "k", .url = "https://ann:word@h.example/a.bin"}}});
  app::ProgressLook look;
  look.look(s.store(), s.worker(), s.clock.steady());
  s.clock.pass(1s);
  s.reply("http.start", Moving{.have = 1'000, .size = 5'000, .path = "/in/a.bin"});

  const auto all = look.look(s.store(), s.worker(), s.clock.steady());
  REQUIRE(all.contains(id));
  REQUIRE(all.at(id).items.size() == 1);
  const api::ItemProgress& item = all.at(id).items.front();
  CHECK(item.n == 1);
  CHECK(item.key == "k");
  CHECK(item.url.find("word") == std::string::npos);
  CHECK(item.url.find("h.example/a.bin") != std::string::npos);
  CHECK(item.path == "/in/a.bin");
  CHECK(item.have == 1'000);
  CHECK(item.size == 5'000);
  CHECK(item.speed > 0);
  CHECK(item.eta.has_value());
  CHECK(item.status == "Downloading");
}

TEST_CASE("progress of a batch covers landed items too, and its size is known once all sizes are") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h.example/a"},
                                         {.key = "b", .url = "https://i.example/b"}}});
  app::ProgressLook look;
  const auto now = [&] { return look.look(s.store(), s.worker(), s.clock.steady()).at(id); };
  std::map<std::int64_t, Call> starts;
  starts[1] = s.last("http.start");
  s.push(starts[1], Moving{.have = 40, .size = 100});
  s.tick();
  CHECK(now().have == 40);
  CHECK_FALSE(now().size);
  CHECK(now().size_least == 100);

  s.push(starts[1], whole("/in/x", 100));
  s.tick();
  CHECK(now().have == 100);
  CHECK(s.store().items().counts(id).bytes == 100);
}

TEST_CASE("speed counts no byte of an earlier start: a resumed item begins at zero") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "k", .url = "https://h.example/a.bin"}}});
  app::ProgressLook look;
  const auto now = [&] { return look.look(s.store(), s.worker(), s.clock.steady()).at(id); };
  s.reply("http.start", Moving{.have = 1'000, .size = 5'000, .checkpoint = R"({"kept":1000})"});
  s.reply("http.start", Failed{.fault = {FaultKind::retryable, "http_503", ""},
                               .checkpoint = R"({"kept":1000})"});
  CHECK(now().items.front().retry_in.has_value());
  CHECK(now().items.front().reason == "http_503");
  s.live(60s);
  CHECK(now().have == 1'000);
  CHECK(now().speed == 0);

  s.clock.pass(1s);
  s.reply("http.start", Moving{.have = 1'000, .size = 5'000});
  CHECK(now().speed == 0);
  CHECK(now().items.front().speed == 0);

  s.clock.pass(1s);
  s.reply("http.start", Moving{.have = 1'500, .size = 5'000});
  CHECK(now().speed > 0);
  CHECK(now().speed <= 500);
  CHECK(now().items.front().speed <= 500);
}

TEST_CASE("a batch whose host has no free slot waits for that host, and one that moves does not") {
  Stage s{flow::Settings{.host = {.at_once = 1, .apart = 0ms}},
          {},
          flow::HandlerSettings{.batch = {.yield_after = 600s}}};
  const JobId first = s.add(kBatch, {.request = R"({"url":"https://a.example/"})"});
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h.example/a"}}});
  const JobId second = s.add(kBatch, {.request = R"({"url":"https://b.example/"})"});
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "b", .url = "https://h.example/b"}}});
  s.tick();
  app::ProgressLook look;

  const auto all = look.look(s.store(), s.worker(), s.clock.steady());

  CHECK(all.at(first).waits_for.empty());
  CHECK(all.at(second).waits_for == "h.example");
}

TEST_CASE("J32: more bytes than there are, fewer than before, or less than none break nothing") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "k", .url = "https://h.example/a.bin"}}});
  app::ProgressLook look;
  look.look(s.store(), s.worker(), s.clock.steady());
  for (const std::int64_t have : {5'000, 20'000, 3, -7}) {
    CAPTURE(have);
    s.clock.pass(1s);
    s.reply("http.start", Moving{.have = have, .size = 10'000});
    const auto all = look.look(s.store(), s.worker(), s.clock.steady());
    REQUIRE(all.contains(id));
    const api::ItemProgress& item = all.at(id).items.front();
    CHECK(item.speed >= 0);
    CHECK(item.eta.value_or(0s) >= 0s);
    CHECK(all.at(id).eta.value_or(0s) >= 0s);
    CHECK(s.state(id) == "RUNNING");
  }
  s.reply("http.start", whole("/in/a.bin", 10'000));
  CHECK(s.state(id) == "COMPLETED");
}

}  // namespace haul::testing
