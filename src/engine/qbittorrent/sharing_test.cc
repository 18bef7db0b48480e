// The client's share rule: what its limits mean, and when they are reached (A1-9).

#include "engine/qbittorrent/sharing.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "engine/qbittorrent/torrent.h"

namespace haul::qbittorrent {
namespace {

constexpr Time kNow = from_unix_ms(1'770'000'000'000);

// "met", the fault's code, or the seeding in text.
std::string judged(const Sharing& sharing) {
  const auto seeding = judge_sharing(sharing, kNow);
  if (!seeding) return seeding.error().code;
  if (!*seeding) return "met";
  const Seeding& told = **seeding;
  return fmt::format("{}{}", told.detail,
                     told.left ? fmt::format(" | {} s left", told.left->count() / 1'000) : "");
}

Sharing by_ratio(double ratio, ShareLimit limit) {
  return {.ratio = ratio, .seeded_s = {}, .active_at_s = {}, .ratio_limit = limit};
}

Sharing by_time(std::int64_t seeded_s, ShareLimit limit) {
  return {.ratio = 0.0, .seeded_s = seeded_s, .active_at_s = {}, .time_limit = limit};
}

Sharing read(const std::string& members) {
  const auto torrents = read_torrents(
      fmt::format(R"([{{"hash":"0123456789abcdef0123456789abcdef01234567",{}}}])", members));
  REQUIRE(torrents.has_value());
  REQUIRE(torrents->size() == 1);
  return torrents->front().sharing;
}

}  // namespace

TEST_CASE("A1-9: a torrent without any limit may go at once") {
  CHECK(judged({}) == "met");
  CHECK(judged(by_ratio(0, {-1, -1})) == "met");
  CHECK(judged(by_ratio(0, {-2, -1})) == "met");
  CHECK(judged(by_time(0, {-1, -1})) == "met");
  CHECK(judged(by_time(0, {-2, -1})) == "met");
}

TEST_CASE("A1-9: the ratio counts against the torrent's own limit, or else the one in force") {
  CHECK(judged(by_ratio(0.99, {1, 1})) == "ratio 0.99 of 1.00");
  CHECK(judged(by_ratio(1, {1, 1})) == "met");
  CHECK(judged(by_ratio(0.5, {-2, 2})) == "ratio 0.50 of 2.00");
  CHECK(judged(by_ratio(2, {-2, 2})) == "met");
  CHECK(judged(by_ratio(0.5, {-1, 2})) == "met");  // -1: none, whatever the client's global one is.
  CHECK(judged(by_ratio(0, {0, 0})) == "met");
  CHECK(judged(by_ratio(-1, {2, 2})) == "met");  // -1: more than the client can show.
}

TEST_CASE("A1-9: the time is counted in minutes, and the rest of it is known") {
  CHECK(judged(by_time(59, {1, 1})) == "seeded 1 min of 1 min | 1 s left");
  CHECK(judged(by_time(60, {1, 1})) == "met");
  CHECK(judged(by_time(7'200, {-2, 1'440})) == "seeded 2 h of 24 h | 79200 s left");
  CHECK(judged(by_time(0, {0, 0})) == "met");
}

TEST_CASE("A1-9: the time left is a hundred years at most, however large the limit is") {
  CHECK(judged(by_time(0, {52'560'000, -1})).ends_with(" | 3153600000 s left"));
  CHECK(judged(by_time(0, {52'560'001, -1})).ends_with(" | 3153600000 s left"));
  CHECK(judged(by_time(0, {1e300, -1})).ends_with(" | 3153600000 s left"));
}

TEST_CASE("A1-9: the first limit that is reached counts; the time left is that of the time") {
  Sharing both = by_ratio(0.5, {-2, 1});
  both.time_limit = {-2, 10};
  both.seeded_s = 60;
  CHECK(judged(both) == "ratio 0.50 of 1.00, seeded 1 min of 10 min | 540 s left");
  both.ratio = 1;
  CHECK(judged(both) == "met");
  both.ratio = 0.5;
  both.seeded_s = 600;
  CHECK(judged(both) == "met");
}

TEST_CASE("A1-9: a limit on inactivity counts from the last activity, and never before one") {
  Sharing idle{.ratio = 0.0, .seeded_s = 0, .active_at_s = {}};
  idle.inactive_limit = {-2, 30};
  CHECK(judged(idle) == "inactive 0 min of 30 min");
  idle.active_at_s = to_unix_ms(kNow) / 1'000 - 29 * 60;
  CHECK(judged(idle) == "inactive 29 min of 30 min");
  idle.active_at_s = to_unix_ms(kNow) / 1'000 - 30 * 60;
  CHECK(judged(idle) == "met");
}

TEST_CASE("A1-9: a torrent that a user stopped early waits, and how long is not known") {
  Sharing stopped = by_time(60, {-2, 10});
  stopped.is_stopped = true;
  CHECK(judged(stopped) == "seeded 1 min of 10 min, stopped in the client, so it does not go on");
  stopped.seeded_s = 600;
  CHECK(judged(stopped) == "met");  // The client stops what has reached its limit.
}

TEST_CASE("a client that has a limit and does not say which is not believed to have none") {
  CHECK(judged(by_ratio(9, {-2, std::nullopt})) == "client_garbage");
  CHECK(judged(by_time(999'999, {-2, std::nullopt})) == "client_garbage");
  CHECK(judged(by_ratio(0, {std::nullopt, 1})) == "ratio 0.00 of 1.00");
}

TEST_CASE("the limits are read as the client sends them, and anything else is no number") {
  CHECK(read(R"("ratio":0.25,"ratio_limit":-2,"max_ratio":1.5,"seeding_time":7,"state":"pausedUP",
                "seeding_time_limit":-1,"max_seeding_time":-1,"last_activity":5,
                "inactive_seeding_time_limit":-2,"max_inactive_seeding_time":20)") ==
        Sharing{.ratio = 0.25,
                .seeded_s = 7,
                .active_at_s = 5,
                .ratio_limit = {-2, 1.5},
                .time_limit = {-1, -1},
                .inactive_limit = {-2, 20},
                .is_stopped = true});
  CHECK(read(R"("ratio":"1","max_ratio":null,"ratio_limit":[],"last_activity":0)") == Sharing{});
}

}  // namespace haul::qbittorrent
