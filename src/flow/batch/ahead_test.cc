// Small files that wait in the engine for a slot at their host.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <ranges>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

const flow::Settings kTwo{.host = {.at_once = 2, .apart = 0ms}};
const flow::HandlerSettings kTwoAhead{.batch = {.ahead = 2}};

// A batch with ten items at the host h.
JobId running(Stage& s, const std::string& more = "") {
  const JobId id =
      s.add(kBatch, {.lifecycle = &kBatch, .request = R"({"urls":["https://h/0"])" + more + "}"});
  s.tick();
  std::vector<FoundItem> items;
  for (const int i : std::views::iota(0, 10))
    items.push_back({.key = std::to_string(i), .url = "https://h/" + std::to_string(i)});
  s.reply("http.plan", Planned{.items = std::move(items)});
  return id;
}

// The newest start has fetched its file after this time.
void fetch_within(Stage& s, Millis passed) {
  s.clock.pass(passed);
  s.reply("http.start", Fetched{.path = "/in/x", .size = 10, .checkpoint = "{}"});
}

}  // namespace

TEST_CASE("after a file that took less than 100 ms, more starts than slots wait in the engine") {
  Stage s{kTwo, {}, kTwoAhead};
  running(s);
  REQUIRE(s.count("http.start") == 2);

  fetch_within(s, 99ms);
  CHECK(s.count("http.start") == 5);  // One took the slot, two wait.
  CHECK(s.last("http.start").waits_for_slot);
  CHECK(s.host_slots("h") == 2);
}

TEST_CASE("after a file that took 100 ms, no start goes without a slot") {
  Stage s{kTwo, {}, kTwoAhead};
  running(s);
  fetch_within(s, 100ms);
  CHECK(s.count("http.start") == 3);
  CHECK_FALSE(s.last("http.start").waits_for_slot);
}

TEST_CASE("how long a file took that waited for its slot does not tell whether it was small") {
  Stage s{kTwo, {}, kTwoAhead};
  running(s);
  fetch_within(s, 50ms);
  REQUIRE(s.last("http.start").waits_for_slot);

  fetch_within(s, 500ms);  // The newest start, which waited.
  CHECK(s.count("http.start") == 6);
  CHECK(s.last("http.start").waits_for_slot);
}

TEST_CASE(
    "no start waits in the engine without leave to, or where jobs share a host, or a limit holds") {
  Stage shared{kTwo, {}, kTwoAhead};
  running(shared);
  const Call first = shared.last("http.start");
  running(shared);
  shared.push(first, Fetched{.path = "/in/x", .size = 10, .checkpoint = "{}"});
  shared.tick();
  CHECK(shared.count("http.start") == 3);

  Stage apart{{.host = {.at_once = 2, .apart = 1ms}}, {}, kTwoAhead};
  running(apart);
  apart.clock.pass(1ms);
  apart.tick();
  REQUIRE(apart.count("http.start") == 2);
  fetch_within(apart, 50ms);
  CHECK(apart.count("http.start") == 3);
  CHECK_FALSE(apart.last("http.start").waits_for_slot);

  Stage never{kTwo, {}, {}};
  running(never);
  fetch_within(never, 50ms);
  CHECK(never.count("http.start") == 3);

  Stage own{kTwo, {}, kTwoAhead};
  running(own, R"(,"limits":{"per_host":2})");
  fetch_within(own, 50ms);
  CHECK_FALSE(own.last("http.start").waits_for_slot);
}

TEST_CASE("starts of one host wait in the place of no start of another") {
  Stage s{kTwo, {}, {.batch = {.items_at_once = 4, .ahead = 2}}};
  s.add(kBatch, {.lifecycle = &kBatch, .request = R"({"urls":["https://h/0"]})"});
  s.tick();
  std::vector<FoundItem> items;
  for (const int i : std::views::iota(0, 20)) {
    const std::string url = fmt::format("https://{}/{}", i % 2 == 0 ? "a" : "b", i);
    items.push_back({.key = std::to_string(i), .url = url});
  }
  s.reply("http.plan", Planned{.items = std::move(items)});
  REQUIRE(s.count("http.start") == 4);

  for (int i = 0; i < 6; ++i) fetch_within(s, 10ms);
  CHECK_FALSE(s.last("http.start").waits_for_slot);
  CHECK(s.host_slots("a") == 2);
  CHECK(s.host_slots("b") == 2);
}

TEST_CASE("no start waits in the engine while the job's listing asks the same host") {
  Stage s{kTwo, {}, kTwoAhead};
  s.add(kBatch, {.lifecycle = &kBatch, .request = R"({"urls":["https://h/0"]})"});
  s.tick();
  const Call listing = s.last("http.plan");
  std::vector<FoundItem> items;
  for (const int i : std::views::iota(0, 10))
    items.push_back({.key = std::to_string(i), .url = "https://h/" + std::to_string(i)});
  s.push(listing, Planned{.items = std::move(items), .complete = false});
  s.tick();
  REQUIRE(s.count("http.start") > 0);
  fetch_within(s, 50ms);
  CHECK_FALSE(s.last("http.start").waits_for_slot);
}

TEST_CASE(
    "a start that waited in vain ends nothing: its item begins anew with a slot, and arrives") {
  Stage s{kTwo, {}, {.batch = {.ahead = 1}}};
  const JobId id = running(s);
  fetch_within(s, 50ms);
  const Call vain = s.last("http.start");
  REQUIRE(vain.waits_for_slot);
  Call with_slot = vain;  // The start before it.
  --with_slot.item;
  --with_slot.start;
  const std::size_t before = s.count("http.start");
  s.reply("http.start", Stopped{});
  CHECK(s.count("http.start") == before);  // Both slots are taken, and files are no longer small.

  s.push(s.last("http.start"), Stopped{});  // Said twice.
  s.push(with_slot, whole("/in/x"));
  s.tick();
  for (int i = 0; i < 20; ++i) s.reply("http.start", whole("/in/x"));
  CHECK(s.store().items().list(id, "", vain.item - 1, 1).at(0).state == "COMPLETED");
}

}  // namespace haul::testing
