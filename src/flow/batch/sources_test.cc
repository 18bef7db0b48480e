// Batch: an item whose source is given up goes on at the next one.

#include <doctest/doctest.h>

#include <utility>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

JobId planned(Stage& s) {
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://one/a"}}});
  return id;
}

Failed failed_with_more(FaultKind kind) {
  return {.fault = {kind, "code", ""},
          .checkpoint = "{}",
          .elsewhere = Elsewhere{.url = "https://two/a", .checkpoint = R"({"source":"two"})"}};
}

}  // namespace

TEST_CASE("batch: after a permanent fault the item starts at the host of its next source") {
  Stage s;
  const JobId id = planned(s);
  REQUIRE(s.host_slots("one") == 1);

  s.reply("http.start", failed_with_more(FaultKind::permanent));
  s.tick();

  CHECK(s.count("http.start") == 2);
  s.live(1s);
  CHECK(s.store().items().list(id, "DOWNLOADING", 0, 10).at(0).checkpoint == R"({"source":"two"})");
  CHECK(s.host_slots("one") == 0);
  CHECK(s.host_slots("two") == 1);

  s.reply("http.start", whole("/in/a"));
  s.live(1min);
  CHECK(s.state(id) == "COMPLETED");
  CHECK(s.host_slots("two") == 0);
}

TEST_CASE("batch: a retryable fault gets one retry at its source before the next is asked") {
  Stage s;
  planned(s);

  s.reply("http.start", failed_with_more(FaultKind::retryable));
  s.live(10s);
  REQUIRE(s.count("http.start") == 2);
  CHECK(s.host_slots("one") == 1);

  s.reply("http.start", failed_with_more(FaultKind::retryable));
  s.tick();
  CHECK(s.count("http.start") == 3);
  CHECK(s.host_slots("two") == 1);
}

TEST_CASE("batch: the last source's permanent fault fails the item") {
  Stage s;
  const JobId id = planned(s);
  s.reply("http.start", failed_with_more(FaultKind::permanent));
  s.tick();
  s.reply("http.start", failed(FaultKind::permanent, "http_404"));
  s.live(1min);
  CHECK(s.store().items().counts(id).failed == 1);
}

}  // namespace haul::testing
