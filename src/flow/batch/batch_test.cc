// A batch: its listing, its transfers within the limits of hosts, its counts (document 002).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

FoundItem item(const std::string& key, const std::string& host) {
  return {.key = key, .url = "https://" + host + "/" + key};
}

// A running batch whose listing found `items`.
JobId running(Stage& s, std::vector<FoundItem> items) {
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = std::move(items)});
  return id;
}

std::string counts(Stage& s, JobId id) {
  const Counts c = s.store().items().counts(id);
  return fmt::format("{} of {}: {} downloaded, {} skipped, {} failed, {} cancelled", c.processed(),
                     c.total, c.downloaded, c.skipped, c.failed, c.cancelled);
}

Item first_item(Stage& s, JobId id) { return s.store().items().list(id, "", 0, 1).at(0); }

const flow::Settings kNoLimits{.host = {.at_once = 100, .apart = 0ms}};

}  // namespace

TEST_CASE("002: a batch downloads what it wants, skips what it does not, and is COMPLETED") {
  Stage s;
  FoundItem skipped = item("b", "h2");
  skipped.skip = "excluded_extension";
  const JobId id = running(s, {item("a", "h1"), skipped, item("c", "h3")});
  CHECK(s.asked() == "http.plan 1, http.start 1.1, http.start 1.3");
  const Call third = s.last("http.start");
  CHECK(third.url == "https://h3/c");

  s.push(third, whole("/in/c"));
  s.tick();
  CHECK(s.state(id) == "RUNNING");
  Call first = third;
  first.item = 1;
  first.start = 1;
  s.push(first, whole("/in/a"));
  s.tick();

  CHECK(s.trail(id) == "PENDING > RUNNING > COMPLETED");
  CHECK(s.items(id) == "COMPLETED SKIPPED COMPLETED");
  CHECK(counts(s, id) == "3 of 3: 2 downloaded, 1 skipped, 0 failed, 0 cancelled");
  CHECK(s.host_slots("h1") + s.host_slots("h3") == 0);
}

TEST_CASE("S2-18, S2-20: its events come in the document's order, JOB_DONE once and last") {
  Stage s;
  const JobId id = running(s, {item("a", "h")});
  s.reply("http.start", whole("/in/a"));
  s.live(10s);
  CHECK(s.event_types(id) == "JOB_ADDED MOVED JOB_STARTED ITEM_DONE JOB_PROGRESS MOVED JOB_DONE");
}

TEST_CASE("S2-2: a batch that found nothing, or only what it skips, is COMPLETED at once") {
  Stage s;
  const JobId none = running(s, {});
  CHECK(s.trail(none) == "PENDING > RUNNING > COMPLETED");
  CHECK(counts(s, none) == "0 of 0: 0 downloaded, 0 skipped, 0 failed, 0 cancelled");

  FoundItem unwanted = item("a", "h");
  unwanted.skip = "too_small";
  const JobId skips = running(s, {unwanted});
  CHECK(s.trail(skips) == "PENDING > RUNNING > COMPLETED");
  CHECK(s.count("http.start") == 0);
}

TEST_CASE("A2-7: a batch with a failed item is COMPLETED, and the item says why") {
  Stage s;
  const JobId id = running(s, {item("a", "h1"), item("b", "h2")});
  s.reply("http.start", failed(FaultKind::permanent, "http_404"));
  Call first = s.last("http.start");
  first.item = 1;
  first.start = 1;
  s.push(first, whole("/in/a"));
  s.tick();

  CHECK(s.state(id) == "COMPLETED");
  CHECK(counts(s, id) == "2 of 2: 1 downloaded, 0 skipped, 1 failed, 0 cancelled");
  CHECK(s.store().items().list(id, "FAILED", 0, 10).at(0).reason == "http_404");
}

TEST_CASE("S2-21: an item is tried at 0, 1, 3, 7 and 15 s, and failed after the fifth") {
  Stage s{kNoLimits};
  const JobId id = running(s, {item("a", "h")});
  std::size_t starts = 1;
  for (const Millis wait : {Millis{1s}, Millis{2s}, Millis{4s}, Millis{8s}}) {
    s.reply("http.start", failed(FaultKind::retryable, "timeout"));
    s.after(wait - 1ms);
    CHECK(s.count("http.start") == starts);
    s.after(1ms);
    CHECK(s.count("http.start") == ++starts);
  }
  CHECK(first_item(s, id).attempt == 4);
  CHECK(s.items(id) == "DOWNLOADING");

  s.reply("http.start", failed(FaultKind::retryable, "timeout"));
  CHECK(s.items(id) == "FAILED");
  CHECK(s.state(id) == "COMPLETED");
  CHECK(s.job(id).version.attempt == 0);
}

TEST_CASE("S2-23: a host sees starts 1 s apart and two at once; a slot given back is used") {
  Stage s;
  running(s, {item("a", "h"), item("b", "h"), item("c", "h")});
  CHECK(s.count("http.start") == 1);
  s.after(999ms);
  CHECK(s.count("http.start") == 1);
  s.after(1ms);
  CHECK(s.count("http.start") == 2);
  s.live(10s);
  CHECK(s.count("http.start") == 2);
  CHECK(s.host_slots("h") == 2);

  s.reply("http.start", whole("/in/b"));
  CHECK(s.count("http.start") == 3);
  CHECK(s.host_slots("h") == 2);
}

TEST_CASE("A2-12, Z-11: www, port and case are one host, and its limit is shared by all jobs") {
  Stage s;
  running(s, {item("a", "example.com"), item("b", "WWW.Example.com:8080")});
  CHECK(s.count("http.start") == 1);
  running(s, {item("c", "example.com")});
  CHECK(s.count("http.start") == 1);
  s.after(1s);
  CHECK(s.count("http.start") == 2);
  s.live(5s);
  CHECK(s.count("http.start") == 2);
}

TEST_CASE("promise 17: of 100 items 16 are in transfer at once, and one that ends lets one start") {
  Stage s{kNoLimits};
  std::vector<FoundItem> items;
  for (int i = 0; i < 100; ++i) items.push_back(item(std::to_string(i), "h"));
  running(s, items);
  CHECK(s.count("http.start") == 16);
  s.tick();
  CHECK(s.count("http.start") == 16);
  s.reply("http.start", whole("/in/x"));
  CHECK(s.count("http.start") == 17);
}

TEST_CASE("Z-8: a full disk gives the batch back: its own reason, due in 30 s, no JOB_ERROR") {
  Stage s;
  const JobId id = running(s, {item("a", "h1"), item("b", "h2")});
  Call first = s.last("http.start");
  first.item = first.start = 1;
  s.push(first, failed(FaultKind::environment, "disk_full"));
  s.reply("http.start", failed(FaultKind::environment, "disk_full"));

  CHECK(s.trail(id) == "PENDING > RUNNING > PENDING");
  CHECK(s.job(id).reason == "disk_full");
  CHECK((s.job(id).due_at == s.clock.now() + 30s));
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.items(id) == "PENDING PENDING");
  CHECK(first_item(s, id).attempt == 0);
  CHECK(s.event_types(id).find("JOB_ERROR") == std::string::npos);
  CHECK(s.count("http.stop") == 0);
  CHECK(s.host_slots("h1") + s.host_slots("h2") == 0);

  s.live(29'999ms);
  CHECK(s.count("http.start") == 2);
  s.after(1ms);
  CHECK(s.count("http.start") == 4);
  CHECK(s.count("http.plan") == 1);
}

TEST_CASE("a plan that fails for now is tried five times in all, 30 s apart") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  for (int i = 1; i < 5; ++i) {
    s.reply("http.plan", failed(FaultKind::retryable, "http_503"));
    CHECK(s.state(id) == "PENDING");
    s.live(30s);
  }
  CHECK(s.count("http.plan") == 5);
  s.reply("http.plan", failed(FaultKind::retryable, "http_503"));
  CHECK(s.state(id) == "FAILED");
  CHECK(s.job(id).reason == "http_503");
}

TEST_CASE("Z-8: a plan that our surroundings spoil is tried until they are mended") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  for (int i = 0; i < 6; ++i) {
    s.reply("http.plan", failed(FaultKind::environment, "network_down"));
    s.live(30s);
  }
  CHECK(s.state(id) == "RUNNING");
  CHECK(s.count("http.plan") == 7);
}

TEST_CASE("a plan that may work later is asked for again in 30 s; one that cannot ends the job") {
  Stage s;
  const JobId later = s.add(kBatch);
  s.tick();
  s.reply("http.plan", failed(FaultKind::retryable, "http_503"));
  CHECK(s.trail(later) == "PENDING > RUNNING > PENDING");
  s.live(29'999ms);
  CHECK(s.count("http.plan") == 1);
  s.after(1ms);
  CHECK(s.count("http.plan") == 2);

  const JobId never = s.add(kBatch);
  s.tick();
  s.reply("http.plan", failed(FaultKind::permanent, "unsupported_url"));
  CHECK(s.trail(never) == "PENDING > RUNNING > FAILED");
  CHECK(s.event_types(never) == "JOB_ADDED MOVED JOB_STARTED MOVED JOB_ERROR JOB_DONE");
}

TEST_CASE("Z-10: items found while others download are added; the total is final with the last") {
  Stage s{kNoLimits};
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {item("a", "h")}, .complete = false});
  CHECK(s.count("http.start") == 1);
  s.reply("http.start", whole("/in/a"));
  CHECK(s.state(id) == "RUNNING");  // All known items are done, but the listing is not complete.

  s.reply("http.plan", Planned{.items = {item("a", "h"), item("b", "h")}, .complete = true});
  CHECK(s.count("http.start") == 2);
  s.reply("http.start", whole("/in/b"));
  CHECK(s.trail(id) == "PENDING > RUNNING > COMPLETED");
  CHECK(counts(s, id) == "2 of 2: 2 downloaded, 0 skipped, 0 failed, 0 cancelled");
}

TEST_CASE(
    "Z-7, S2-27: a lost worker's batch is told as an error, and only what is left is fetched") {
  Stage s;
  const JobId id = running(s, {item("a", "h1"), item("b", "h2")});
  s.reply("http.start", whole("/in/b"));
  s.asked();
  s.crash();
  s.hire();
  s.live(9s);

  CHECK(s.trail(id) == "PENDING > RUNNING > PENDING > RUNNING");
  CHECK(s.asked() == "http.start 1.1");
  CHECK(s.items(id) == "DOWNLOADING COMPLETED");
  CHECK(s.job(id).version.attempt == 1);
  CHECK(s.event_types(id) ==
        "JOB_ADDED MOVED JOB_STARTED ITEM_DONE JOB_PROGRESS MOVED JOB_ERROR MOVED JOB_STARTED");
  s.reply("http.start", whole("/in/a"));
  CHECK(s.state(id) == "COMPLETED");
}

TEST_CASE("Z-7: the fourth lost worker gives a batch back, the fifth ends it as worker_crashed") {
  Stage s;
  const JobId id = running(s, {item("a", "h")});
  for (int lost = 1; lost <= 5; ++lost) {
    CHECK(s.state(id) == "RUNNING");
    s.crash();
    s.hire();
    s.live(9s);
    CHECK(s.job(id).version.attempt == lost);
  }
  CHECK(s.state(id) == "FAILED");
  CHECK(s.job(id).reason == "worker_crashed");
  CHECK(s.items(id) == "FAILED");
  CHECK(first_item(s, id).reason == "worker_crashed");
}

TEST_CASE(
    "S2-31: parts of a batch that ends as worker_crashed stay where later jobs look for them") {
  Stage s{flow::Settings{}, {}, flow::HandlerSettings{.batch = {.past_parts = PastParts::find}}};
  const JobId id = running(s, {item("a", "h")});
  for (int lost = 1; lost <= 5; ++lost) {
    s.asked();
    s.crash();
    s.hire();
    s.live(9s);
  }
  REQUIRE(s.state(id) == "FAILED");

  CHECK(s.asked().find("http.stop") == std::string::npos);
  CHECK(s.intents(id) == "clear open");
}

TEST_CASE("promise 15: what a batch left that ends as worker_crashed is removed, once") {
  Stage s;
  const JobId id = running(s, {item("a", "h")});
  for (int lost = 1; lost <= 4; ++lost) {
    s.crash();
    s.hire();
    s.live(9s);
  }
  s.asked();
  s.crash();
  s.hire();
  s.http_answers_stops = false;
  s.live(9s);
  REQUIRE(s.state(id) == "FAILED");

  CHECK(s.last("http.stop").item == 0);
  CHECK(s.last("http.stop").start == 0);
  CHECK((s.last("http.stop").leftovers == Leftovers::remove));
  CHECK(s.intents(id) == "clear open");
  s.crash();  // Before it was told that they are gone.
  s.hire();
  s.http_answers_stops = true;
  s.after(1s);
  CHECK(s.intents(id) == "clear done");
  s.asked();
  s.live(5s);
  CHECK(s.asked().empty());
}

TEST_CASE("S3-24, S2-30: an item that says nothing for 15 min has failed a try, not before") {
  Stage s{kNoLimits};
  const JobId id = running(s, {item("a", "h")});
  s.after(899'999ms);
  CHECK(first_item(s, id).attempt == 0);
  s.after(1ms);
  CHECK(first_item(s, id).attempt == 1);
  CHECK(first_item(s, id).reason == "no_answer");
  CHECK(s.count("http.stop") == 1);  // Before its next start.
  s.after(1s);
  CHECK(s.count("http.start") == 2);
}

}  // namespace haul::testing
