// Stuck: in a state strictly longer than its rule allows (S1-13, S1-14).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string stuck(Bench& b, const std::vector<StuckRule>& rules, std::size_t limit = 100) {
  std::string text;
  for (const Job& job : b.reader().stuck(rules, b.now(), limit))
    text += (text.empty() ? "" : " ") + std::to_string(job.version.id.value);
  return text;
}

}  // namespace

TEST_CASE("S1-13: the thresholds are 1 h, 24 h, 1 h, 24 h; besides, a running image has 1 h") {
  std::string rules;
  for (const StuckRule& rule : default_stuck_rules())
    rules += rule.lifecycle + " " + rule.state + " " + std::to_string(rule.after.count()) + "\n";

  CHECK(rules ==
        "media queued 3600\nmedia downloading 86400\nmedia completed 3600\n"
        "media imported 86400\nimage running 3600\n");
}

TEST_CASE("S1-13: a job is stuck 1 ms after its threshold, at exactly the threshold not yet") {
  struct Case {
    const char* state;
    Millis after;
  };
  for (const auto& [state, after] : {Case{"queued", 1h},
                                     {"downloading", 24h},
                                     {"completed", 1h},
                                     {"imported", 24h},
                                     {"running", 1h}}) {
    CAPTURE(state);
    Bench b;
    b.reach(kMedia.find(state) ? kMedia : kImage, state);

    b.after(after - 1ms);
    CHECK(stuck(b, default_stuck_rules()).empty());
    b.after(1ms);
    CHECK(stuck(b, default_stuck_rules()).empty());
    b.after(1ms);
    CHECK(stuck(b, default_stuck_rules()) == "1");
  }
}

TEST_CASE("S1-13: failed and cleaned are never stuck, and no job of another lifecycle") {
  Bench b;
  b.reach(kMedia, "failed");
  b.reach(kMedia, "cleaned");
  b.reach(kBook, "queued");
  b.reach(kBatch, "RUNNING");

  b.after(10'000h);

  CHECK(stuck(b, default_stuck_rules()).empty());
}

TEST_CASE("S1-13: a move starts the time anew; an observation, a pause or an adoption does not") {
  Bench b;
  const JobId id = b.add(kMedia);
  b.after(2h);
  const Observation seen{.version = b.version(id), .handle = "hash"};
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);
  REQUIRE(b.jobs().pause(b.version(id), b.now()).has_value());
  CHECK(stuck(b, default_stuck_rules()) == "1");

  REQUIRE(b.ask(id, On::started).has_value());
  CHECK(stuck(b, default_stuck_rules()).empty());
}

TEST_CASE("S1-14: the longest stuck come first, over all rules, at most the limit") {
  Bench b;
  b.after(3h);
  b.reach(kMedia, "downloading");
  b.after(-1h);
  b.add(kMedia);
  b.after(-1h);
  b.reach(kMedia, "downloading");
  b.after(-1h);
  b.add(kMedia);
  b.after(1000h);

  CHECK(stuck(b, default_stuck_rules()) == "4 3 2 1");
  CHECK(stuck(b, default_stuck_rules(), 2) == "4 3");
  CHECK(stuck(b, default_stuck_rules(), 0).empty());
}

TEST_CASE("S1-13: rules are the caller's: another threshold, another lifecycle, none at all") {
  Bench b;
  b.add(kMedia);
  b.add(kBook);
  b.after(10s);

  CHECK(stuck(b, {{"media", "queued", 9s}}) == "1");
  CHECK(stuck(b, {{"media", "queued", 10s}}).empty());
  CHECK(stuck(b, {{"book", "queued", 1s}, {"media", "queued", 1s}}).size() == 3);
  CHECK(stuck(b, {}).empty());
}

TEST_CASE("promise 6: a clock set back makes nothing stuck") {
  Bench b;
  b.add(kMedia);

  b.after(-10'000h);

  CHECK(stuck(b, default_stuck_rules()).empty());
}
