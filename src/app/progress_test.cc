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
  look.look(s.worker(), s.clock.steady());
  s.clock.pass(1s);
  s.reply("http.start", Moving{.have = 1'000, .size = 5'000, .path = "/in/a.bin"});

  const auto all = look.look(s.worker(), s.clock.steady());
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

TEST_CASE("J32: more bytes than there are, fewer than before, or less than none break nothing") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "k", .url = "https://h.example/a.bin"}}});
  app::ProgressLook look;
  look.look(s.worker(), s.clock.steady());
  for (const std::int64_t have : {5'000, 20'000, 3, -7}) {
    CAPTURE(have);
    s.clock.pass(1s);
    s.reply("http.start", Moving{.have = have, .size = 10'000});
    const auto all = look.look(s.worker(), s.clock.steady());
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
