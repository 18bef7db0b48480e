// Limits per host: how many at once, how far apart, and a clock that may jump (S2-23, Z-11, A2-13).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr HostRule kRule{.at_once = 2, .apart = 1000ms};
constexpr HostRule kTight{.at_once = 2, .apart = 0ms};

// A store, and takes that return "ok" or how many milliseconds to wait.
struct Gate {
  Bench b;
  WorkerId other = b.store().workers().enlist("other", b.now());

  Limits& limits() { return b.store().limits(); }
  std::string take(const HostRule& rule = kRule, const std::string& host = "h") {
    return take_as(b.worker(), rule, host);
  }
  std::string take_as(WorkerId worker, const HostRule& rule = kRule,
                      const std::string& host = "h") {
    const auto answer = limits().take(host, rule, worker, b.now());
    return answer ? "ok" : std::to_string((answer.error() - b.now()).count());
  }
  std::size_t held() { return limits().use("h").held; }
};

}  // namespace

TEST_CASE("a host that was never asked is free and unknown") {
  Gate g;

  CHECK((g.limits().use("h") == HostUse{}));
  CHECK(g.take() == "ok");
  CHECK((g.limits().use("h") == HostUse{.held = 1, .started_at = g.b.now()}));
}

TEST_CASE(
    "S2-23: two starts are 1,000 ms apart, not 999; a refused one does not push the next back") {
  Gate g;
  CHECK(g.take() == "ok");

  CHECK(g.take() == "1000");
  g.b.after(999ms);
  CHECK(g.take() == "1");
  g.b.after(1ms);
  CHECK(g.take() == "ok");
}

TEST_CASE("S2-23: two at once, of all workers together; the third waits for one to be given back") {
  Gate g;
  CHECK(g.take(kTight) == "ok");
  CHECK(g.take_as(g.other, kTight) == "ok");
  CHECK(g.take(kTight) != "ok");
  CHECK(g.take_as(g.other, kTight) != "ok");
  CHECK(g.held() == 2);

  g.limits().give("h", g.other);
  CHECK(g.take(kTight) == "ok");
  CHECK(g.take(kTight) != "ok");
}

TEST_CASE("a full host says when to ask again: later than now, at most a second") {
  Gate g;
  CHECK(g.take(kTight) == "ok");
  CHECK(g.take(kTight) == "ok");

  const auto wait = g.limits().take("h", kTight, g.b.worker(), g.b.now());

  CHECK((wait.error() > g.b.now()));
  CHECK((wait.error() <= g.b.now() + 1s));
}

TEST_CASE("Z-11: a rule is the asker's own: a tighter one waits where a looser one goes") {
  Gate g;
  CHECK(g.take({.at_once = 3, .apart = 0ms}) == "ok");

  CHECK(g.take({.at_once = 1, .apart = 0ms}) != "ok");
  CHECK(g.take({.at_once = 3, .apart = 500ms}) == "500");
  CHECK(g.take({.at_once = 3, .apart = 0ms}) == "ok");
}

TEST_CASE("a rule of none at once is one at once: no host is locked for ever") {
  Gate g;

  CHECK(g.take({.at_once = 0, .apart = 0ms}) == "ok");
  CHECK(g.take({.at_once = 0, .apart = 0ms}) != "ok");
}

TEST_CASE("hosts do not wait for each other") {
  Gate g;

  CHECK(g.take(kRule, "a") == "ok");
  CHECK(g.take(kRule, "b") == "ok");
}

TEST_CASE("giving back twice, or what was never held, changes nothing") {
  Gate g;
  CHECK(g.take(kTight) == "ok");
  CHECK(g.take_as(g.other, kTight) == "ok");

  g.limits().give("h", g.b.worker());
  g.limits().give("h", g.b.worker());
  g.limits().give("nowhere", g.b.worker());

  CHECK(g.held() == 1);
  CHECK(g.take(kTight) == "ok");
  CHECK(g.take(kTight) != "ok");
}

TEST_CASE("one worker's two slots are given back one by one") {
  Gate g;
  CHECK(g.take(kTight) == "ok");
  CHECK(g.take(kTight) == "ok");

  g.limits().give("h", g.b.worker());
  CHECK(g.held() == 1);
  g.limits().give("h", g.b.worker());
  CHECK(g.held() == 0);
}

TEST_CASE("slots are given back together, and never more than are held") {
  Gate g;
  constexpr HostRule kThree{.at_once = 3, .apart = Millis{0}};
  for (int i = 0; i < 3; ++i) CHECK(g.take(kThree) == "ok");

  g.limits().give("h", g.b.worker(), 2);
  CHECK(g.held() == 1);
  g.limits().give("h", g.b.worker(), 2);
  CHECK(g.held() == 0);
}

TEST_CASE("a worker that is gone gives back all its slots, at every host, and no other worker's") {
  Gate g;
  CHECK(g.take(kTight) == "ok");
  CHECK(g.take_as(g.other, kTight) == "ok");
  CHECK(g.take(kTight, "h2") == "ok");

  g.limits().give_all(g.b.worker());

  CHECK(g.held() == 1);
  CHECK(g.limits().use("h2").held == 0);
  g.limits().give_all(g.b.worker());
  CHECK(g.held() == 1);
}

TEST_CASE("a slot given back leaves the distance between starts as it is") {
  Gate g;
  CHECK(g.take() == "ok");

  g.limits().give("h", g.b.worker());

  CHECK(g.take() == "1000");
}

TEST_CASE("S2-22: a host that asked to be left alone is, until that instant and not 1 ms before") {
  Gate g;
  g.limits().block("h", g.b.now() + 30s, g.b.now());

  CHECK(g.take() == "30000");
  g.b.after(29'999ms);
  CHECK(g.take() == "1");
  g.b.after(1ms);
  CHECK(g.take() == "ok");
}

TEST_CASE("S2-22: of two blocks the later time wins, in either order") {
  Gate g;
  g.limits().block("h", g.b.now() + 30s, g.b.now());
  g.limits().block("h", g.b.now() + 10s, g.b.now());
  CHECK(g.take() == "30000");

  g.limits().block("h", g.b.now() + 40s, g.b.now());
  CHECK(g.take() == "40000");
  CHECK((g.limits().use("h").blocked_until == g.b.now() + 40s));
}

TEST_CASE("Z-11: a host that asks for more than ten minutes is left alone too, and at once") {
  Gate g;
  g.limits().block("h", g.b.now() + 11min, g.b.now());

  CHECK(g.take() != "ok");
}

TEST_CASE("a block does not take back slots, nor forget the last start") {
  Gate g;
  CHECK(g.take() == "ok");
  const Time started_at = g.b.now();

  g.b.after(1s);
  g.limits().block("h", g.b.now() + 5s, g.b.now());

  CHECK((g.limits().use("h") == HostUse{1, started_at, g.b.now() + 5s}));
  CHECK(g.take(kRule, "other host") == "ok");
}

TEST_CASE("F10: a clock set back makes the next start wait for the distance, counted from now") {
  Gate g;
  CHECK(g.take() == "ok");

  g.b.after(-1h);

  CHECK(g.take() == "1000");
}

TEST_CASE("F10: a clock set back an hour does not lock the host for an hour") {
  Gate g;
  CHECK(g.take() == "ok");
  g.b.after(-1h);
  CHECK(g.take() == "1000");

  g.b.after(1s);

  CHECK(g.take() == "ok");
}

TEST_CASE("F10: a block from before the clock was set back does not lock the host for an hour") {
  Gate g;
  g.limits().block("h", g.b.now() + 30s, g.b.now());
  g.b.after(-1h);

  const auto wait = g.limits().take("h", kRule, g.b.worker(), g.b.now());

  CHECK((wait || wait.error() <= g.b.now() + 10min));
}

TEST_CASE("F10, S2-22: a block asked for after the clock was set back is obeyed") {
  Gate g;
  g.limits().block("h", g.b.now() + 30s, g.b.now());
  g.b.after(-1h);

  g.limits().block("h", g.b.now() + 40s, g.b.now());

  CHECK(g.take() != "ok");
}

TEST_CASE(
    "hosts that no worker has asked for a day are forgotten, in steps; held and blocked ones not") {
  Gate g;
  for (const char* host : {"a", "b", "c", "d"}) REQUIRE(g.take(kRule, host) == "ok");
  for (const char* host : {"a", "b", "d"}) g.limits().give(host, g.b.worker());
  g.limits().block("d", g.b.now() + 10min, g.b.now());
  const Time before = g.b.now() + 1ms;

  CHECK(g.limits().prune(before - 1ms, "", 10).empty());
  CHECK((g.limits().use("a") != HostUse{}));

  CHECK(g.limits().prune(before, "", 1) == "a");
  CHECK((g.limits().use("a") == HostUse{}));
  CHECK((g.limits().use("b") != HostUse{}));
  CHECK(g.limits().prune(before, "a", 10).empty());
  CHECK((g.limits().use("b") == HostUse{}));
  CHECK(g.limits().use("c").held == 1);
  CHECK((g.limits().use("d") != HostUse{}));
}
