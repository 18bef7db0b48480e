// What the client says about a torrent, and the sight it becomes.

#include "engine/qbittorrent/torrent.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "engine/qbittorrent/sight_of.h"

namespace haul::qbittorrent {
namespace {

const std::string kId = "0123456789abcdef0123456789abcdef01234567";
constexpr Time kNow = from_unix_ms(1'770'000'000'000);

std::string entry(std::string_view members) {
  return fmt::format(R"({{"hash":"{}"{}{}}})", kId, members.empty() ? "" : ",", members);
}

Torrent one(std::string_view members) {
  const auto torrents = read_torrents("[" + entry(members) + "]");
  REQUIRE(torrents.has_value());
  REQUIRE(torrents->size() == 1);
  return torrents->front();
}

// The sight of a torrent. By default its file of ten bytes is in place.
std::string told(const Torrent& torrent, const FoundFiles& found = {"/d/a", 10, ""}) {
  const What what = sight_of(torrent, found, kNow);
  if (const auto* waiting = std::get_if<Waiting>(&what)) return "waiting " + waiting->code;
  if (const auto* moving = std::get_if<Moving>(&what))
    return fmt::format(
        "moving {}/{}{}", moving->have, moving->size.value_or(-1),
        moving->stalled
            ? fmt::format(" stalled {}", moving->stalled_for.value_or(Millis{-1}).count())
            : "");
  if (const auto* finished = std::get_if<Finished>(&what))
    return finished->in_place ? "finished " + finished->path : "pending " + finished->why_not;
  if (const auto* failed = std::get_if<Failed>(&what)) return "failed " + failed->fault.code;
  return "?";
}

std::string told_of(std::string_view state, std::string_view more) {
  return told(one(fmt::format(R"("state":"{}",{})", state, more)));
}

constexpr std::string_view kHalf =
    R"("size":10,"completed":5,"amount_left":5,"progress":0.5,"save_path":"/d")";
constexpr std::string_view kWhole =
    R"("size":10,"completed":10,"amount_left":0,"progress":1,"save_path":"/d")";

}  // namespace

TEST_CASE("A0-3, Q11: every word of the client's has its meaning, half way") {
  struct Row {
    const char* state;
    const char* told;
  };
  for (const Row& row : {Row{"metaDL", "waiting waiting_for_metadata"},
                         {"forcedMetaDL", "waiting waiting_for_metadata"},
                         {"queuedDL", "waiting queued_in_client"},
                         {"pausedDL", "waiting stopped_in_client"},
                         {"stoppedDL", "waiting stopped_in_client"},
                         {"checkingDL", "waiting checking_in_client"},
                         {"checkingUP", "waiting checking_in_client"},
                         {"checkingResumeData", "waiting client_restarting"},
                         {"downloading", "moving 5/10"},
                         {"forcedDL", "moving 5/10"},
                         {"allocating", "moving 5/10"},
                         {"stalledDL", "moving 5/10 stalled -1"},
                         {"moving", "moving 5/10"},
                         {"error", "failed engine_error"},
                         {"missingFiles", "failed missing_files"},
                         {"unknown", "waiting unknown_in_client"},
                         {"aWordOf2031", "waiting unknown_in_client"},
                         {"", "waiting unknown_in_client"}})
    CHECK_MESSAGE(told_of(row.state, kHalf) == row.told, row.state);
}

TEST_CASE("A0-3, Q11: finished are six words, and neither checking nor moving is one of them") {
  for (const char* state :
       {"uploading", "stalledUP", "forcedUP", "queuedUP", "pausedUP", "stoppedUP"})
    CHECK_MESSAGE(told_of(state, kWhole) == "finished /d/a", state);
  CHECK(told_of("checkingUP", kWhole) == "waiting checking_in_client");
  CHECK(told_of("moving", kWhole) == "waiting moving_in_client");
}

TEST_CASE("Z-2, Q14, Q17: a finished word counts only with nothing left") {
  for (const char* left : {"5", "1", "-1", "null", "\"0\"", "0.5", "[]"})
    CHECK_MESSAGE(told_of("stalledUP", fmt::format(R"("size":10,"completed":10,"amount_left":{})",
                                                   left)) == "moving 10/10",
                  left);
  CHECK(told_of("uploading", R"("size":10,"completed":10,"amount_left":0,"progress":0.99999)") ==
        "finished /d/a");
  CHECK(told_of("stalledUP", R"("completed":10)") == "moving 10/-1");
}

TEST_CASE("Q16: a size of -1, 0 or 2^63 is not known, and never completes") {
  for (const char* size : {"-1", "0", "9223372036854775808", "1e300", "\"10\"", "null"})
    CHECK_MESSAGE(
        told_of("stalledUP", fmt::format(R"("size":{},"amount_left":0)", size)) == "moving 0/-1",
        size);
}

TEST_CASE("a finished file that is not in its place says why") {
  const Torrent torrent = one(fmt::format(R"("state":"stalledUP",{})", kWhole));
  CHECK(told(torrent, {"", 0, "asset_pending"}) == "pending asset_pending");
  CHECK(told(torrent, {"", 0, "path_refused"}) == "pending path_refused");
}

TEST_CASE("stalled says since when, unless the client's clock is ahead") {
  CHECK(told_of("stalledDL", fmt::format(R"({},"last_activity":1769999160)", kHalf)) ==
        "moving 5/10 stalled 840000");
  CHECK(told_of("stalledDL", fmt::format(R"({},"last_activity":1770000001)", kHalf)) ==
        "moving 5/10 stalled -1");
}

TEST_CASE("Q2, Q24: what is not a list is garbage, and says nothing of any torrent") {
  for (const char* body : {"null", "{}", "<!DOCTYPE html><html>", "", "[{\"hash\":", "Forbidden"}) {
    const auto torrents = read_torrents(body);
    REQUIRE_FALSE(torrents.has_value());
    CHECK(torrents.error().code == "client_garbage");
  }
  CHECK(read_torrents("[]").value().empty());
}

TEST_CASE("S0-24: one bad entry never spoils the others") {
  const auto torrents = read_torrents(
      fmt::format(R"([null,5,[],{{"hash":7}},{{"hash":"short"}},{{"hash":["{}"]}},{{}},{}])", kId,
                  entry(R"("state":{"a":1},"tags":7,"size":"x","save_path":null)")));
  REQUIRE(torrents.has_value());
  REQUIRE(torrents->size() == 1);
  CHECK(torrents->front().id == kId);
  CHECK(torrents->front().state == TorrentState::unknown);
}

TEST_CASE("Q9: a torrent is known by its id and by both its hashes, cut or whole") {
  const std::string v2(64, 'b');
  const Torrent torrent =
      one(fmt::format(R"("infohash_v1":"{}","infohash_v2":"{}")", std::string(40, 'A'), v2));
  CHECK(torrent.is(kId));
  CHECK(torrent.is(std::string(40, 'a')));
  CHECK(torrent.is(v2));
  CHECK(torrent.is(v2.substr(0, 40)));
  CHECK_FALSE(torrent.is(std::string(40, 'c')));
  CHECK_FALSE(torrent.is(""));
}

TEST_CASE("tags are a list in one text, and an order's tag has its store and its job") {
  const Torrent torrent = one(R"("tags":"a b, haul-a1b2c3d4e5f6-7,haul-12")");
  CHECK(torrent.has_tag("haul-a1b2c3d4e5f6-7"));
  CHECK(torrent.has_tag("haul-12"));
  CHECK_FALSE(torrent.has_tag("haul-1"));
  CHECK(is_order_tag("haul-a1b2c3d4e5f6-7", "a1b2c3d4e5f6"));
  for (const char* tag : {"haul-a1b2c3d4e5f6-", "haul-a1b2c3d4e5f6-found", "haul-a1b2c3d4e5f6-7x",
                          "haul-ffffffffffff-7", "haul-7", "haul-", "7"})
    CHECK_FALSE(is_order_tag(tag, "a1b2c3d4e5f6"));
  CHECK(found_tag("a1b2c3d4e5f6") == "haul-a1b2c3d4e5f6-found");
}

}  // namespace haul::qbittorrent
