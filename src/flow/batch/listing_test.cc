// A listing that breaks off: haul keeps and fetches what it found, and repeats the listing. A job
// whose listing never completes fails and says so.

#include <doctest/doctest.h>

#include <algorithm>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

FoundItem item(const std::string& key) { return {.key = key, .url = "https://h/" + key}; }

Failed broke() { return failed(FaultKind::retryable, "http_503"); }

// One item was found before the listing broke off; it is being fetched.
JobId broken_off(Stage& s, Failed why = broke()) {
  const JobId id = s.add(kBatch);
  s.tick();
  const Call plan = s.last("http.plan");
  s.push(plan, Planned{.items = {item("a")}, .complete = false});
  s.push(plan, std::move(why));
  s.tick();
  return id;
}

void break_off_again(Stage& s, int times) {
  for (int i = 0; i < times; ++i) {
    s.live(30s);
    s.reply("http.plan", broke());
  }
}

}  // namespace

TEST_CASE("a listing that breaks off is repeated after 30 s, and what it found comes meanwhile") {
  Stage s;
  const JobId id = broken_off(s);
  s.reply("http.start", whole("/in/a"));
  CHECK(s.items(id) == "COMPLETED");
  CHECK(s.state(id) == "RUNNING");

  s.live(29s);
  CHECK(s.count("http.plan") == 1);
  s.live(1s);
  REQUIRE(s.count("http.plan") == 2);

  s.reply("http.plan", Planned{.items = {item("a"), item("b")}});
  s.reply("http.start", whole("/in/b"));
  CHECK(s.trail(id) == "PENDING > RUNNING > COMPLETED");
  CHECK(s.items(id) == "COMPLETED COMPLETED");
  CHECK(s.count("http.start") == 2);
}

TEST_CASE("a listing that breaks off five times fails the job once all that it found is done") {
  Stage s;
  const JobId id = broken_off(s);
  break_off_again(s, 3);
  s.live(30s);
  CHECK(s.count("http.plan") == 5);
  s.reply("http.plan", broke());
  s.live(2min);
  CHECK(s.count("http.plan") == 5);
  CHECK(s.state(id) == "RUNNING");

  s.reply("http.start", whole("/in/a"));

  CHECK(s.trail(id) == "PENDING > RUNNING > FAILED");
  CHECK(s.job(id).reason == "listing_incomplete");
  CHECK(s.job(id).detail.find("http_503") != std::string::npos);
  CHECK(s.items(id) == "COMPLETED");
}

TEST_CASE("a listing that breaks off for good is not repeated; what it found is fetched") {
  Stage s;
  const JobId id = broken_off(s, failed(FaultKind::permanent, "http_404"));
  s.live(2min);
  CHECK(s.count("http.plan") == 1);
  CHECK(s.state(id) == "RUNNING");

  s.reply("http.start", whole("/in/a"));
  CHECK(s.job(id).reason == "listing_incomplete");
  CHECK(s.items(id) == "COMPLETED");
}

TEST_CASE("that a listing was tried often enough is known to the worker that comes after a crash") {
  Stage s;
  const JobId id = broken_off(s);
  break_off_again(s, 4);
  REQUIRE(s.count("http.plan") == 5);
  s.crash();
  s.hire();
  s.live(2min);

  CHECK(s.count("http.plan") == 5);
  s.reply("http.start", whole("/in/a"));
  CHECK(s.state(id) == "FAILED");
  CHECK(s.job(id).reason == "listing_incomplete");
}

TEST_CASE("S2-12: a cancel while a listing waits for its next try ends the job, and the listing") {
  Stage s;
  const JobId id = broken_off(s);
  flow::cancel(s.store(), id, s.clock.now());
  s.live(2min);

  CHECK(s.state(id) == "CANCELLED");
  CHECK(s.count("http.plan") == 1);
}

TEST_CASE("a server that asks for more patience gets it before a listing is repeated") {
  Stage s;
  Failed patient = broke();
  patient.wait_ms = 60'000;
  broken_off(s, patient);

  s.live(59s);
  CHECK(s.count("http.plan") == 1);
  s.live(1s);
  CHECK(s.count("http.plan") == 2);
}

TEST_CASE("a listing that fails before its first item gives the job back for 30 s, or as asked") {
  for (const Millis asked : {Millis{0}, Millis{30'000}, Millis{60'000}}) {
    Stage s;
    const JobId id = s.add(kBatch);
    s.tick();
    Failed patient = broke();
    patient.wait_ms = asked.count();
    s.reply("http.plan", patient);
    CHECK(s.state(id) == "PENDING");
    CHECK((s.job(id).due_at == s.clock.now() + std::max(asked, Millis{30'000})));
  }
}

TEST_CASE("what a former listing says late is not taken for the present one's end") {
  Stage s;
  const JobId id = broken_off(s);
  const Call former = s.last("http.plan");
  s.reply("http.start", whole("/in/a"));
  s.live(30s);
  REQUIRE(s.count("http.plan") == 2);

  s.push(former, Planned{});
  s.tick();
  CHECK(s.state(id) == "RUNNING");
}

TEST_CASE("Z-8: a full disk while listing gives the job back, and burns no try of the listing") {
  Stage s;
  const JobId id = broken_off(s, failed(FaultKind::environment, "disk_full"));
  CHECK(s.state(id) == "PENDING");
  CHECK(s.intents(id).empty());
}

}  // namespace haul::testing
