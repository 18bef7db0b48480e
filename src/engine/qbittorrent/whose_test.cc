// Which torrents are this store's: those with its tag and the order's info-hash, and no others.

#include <doctest/doctest.h>

#include "engine/qbittorrent/withdraw.h"
#include "support/client/client_bench.h"

namespace haul::testing {
namespace {

const std::string kOther = "fedcba9876543210fedcba9876543210fedcba98";
const std::string kTag = "haul-" + kStore + "-7";
const std::string kFound = "haul-" + kStore + "-found";
const std::string kElsewhere = "haul-ffffffffffff-7";

using Tags = std::set<std::string>;

constexpr const char* kFile =
    "d4:infod6:lengthi3e4:name1:a12:piece lengthi16384e6:pieces20:01234567890123456789ee";

FakeReply torrent_file(const io::HttpRequest&) { return {.body = kFile}; }

}  // namespace

TEST_CASE("S0-25: a torrent that a user tagged haul-7 is neither adopted nor removed") {
  for (const std::string& tag : {std::string{"haul-7"}, kElsewhere, kTag}) {
    CAPTURE(tag);
    ClientBench b;
    b.client.torrents[kOther] = {.id = kOther, .state = "stalledUP", .tags = {tag}};

    CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
    CHECK(b.client.torrents.at(kHash).tags == Tags{kTag});
    CHECK(b.look(7) == "7 waiting waiting_for_metadata");
    CHECK(b.stop(b.order(7, kHash)) == "7 stopped");

    CHECK_FALSE(b.client.torrents.contains(kHash));
    CHECK(b.client.torrents.at(kOther).tags == Tags{tag});
  }
}

TEST_CASE("S0-25: a torrent with our tag and another hash does not hide that ours is missing") {
  ClientBench b;
  b.client.torrents[kOther] = {.id = kOther, .state = "stalledUP", .tags = {kTag}};

  CHECK(b.look(7) == "7 missing");
}

TEST_CASE(
    "a cancel before the hand-over was confirmed removes by tag and hash, whatever the address") {
  for (const bool ours : {true, false}) {
    CAPTURE(ours);
    ClientBench b;
    b.web = torrent_file;
    const Order order = b.order(7, "", "https://t.example/a");
    const std::string accepted = b.start(order);
    REQUIRE(accepted.starts_with("7 accepted "));
    const std::string id = accepted.substr(std::string{"7 accepted "}.size());
    if (!ours) {  // Another torrent has the tag instead.
      b.client.torrents.erase(id);
      b.client.torrents[kOther] = {.id = kOther, .tags = {kTag}};
    }

    CHECK(b.stop(order) == "7 stopped");

    CHECK(b.client.count("torrents/delete") == (ours ? 1 : 0));
    CHECK(b.client.torrents.size() == (ours ? 0 : 1));
  }
}

TEST_CASE("a cancel whose torrent file is gone leaves alone what it cannot tell to be its own") {
  ClientBench b;
  b.client.torrents[kOther] = {.id = kOther, .tags = {kTag}};

  CHECK(b.stop(b.order(7, "", "https://t.example/a")) == "7 stopped");

  CHECK(b.client.torrents.at(kOther).tags == Tags{kTag});
  CHECK(b.client.count("torrents/delete") == 0);
}

TEST_CASE("a cancel that cannot read its torrent file now has failed, and is tried again") {
  ClientBench b;
  b.web = torrent_file;
  const Order order = b.order(7, "", "https://t.example/a");
  REQUIRE(b.start(order).starts_with("7 accepted "));

  b.web = [](const io::HttpRequest&) { return FakeReply{.status = 503}; };
  CHECK(b.stop(order) == "7 failed retryable http_503");
  CHECK(b.client.torrents.size() == 1);
  b.web = [](const io::HttpRequest&) {
    return FakeReply{.fault = Fault{FaultKind::environment, "network_down", ""}};
  };
  CHECK(b.stop(order) == "7 failed environment network_down");

  b.web = torrent_file;
  CHECK(b.stop(order) == "7 stopped");
  CHECK(b.client.torrents.empty());
}

TEST_CASE("a cancel removes every torrent that has its tag and its hash") {
  ClientBench b;
  b.client.torrents[kHash] = {.id = kHash, .tags = {kTag}};
  b.client.torrents[kOther] = {.id = kOther, .v1 = kHash, .tags = {kTag}};

  CHECK(b.stop(b.order(7)) == "7 stopped");

  CHECK(b.client.count("torrents/delete") == 2);
  CHECK(b.client.torrents.empty());
}

TEST_CASE("an engine that ends while it waits for the client asks nothing any more") {
  for (const bool stops : {false, true}) {
    CAPTURE(stops);
    ClientBench b;
    b.client.shows_added = false;
    if (stops)
      b.engine().stop(b.order(7), Leftovers::remove, b.letters);
    else
      b.engine().start(b.order(7), b.letters);
    b.loop.run();
    REQUIRE(b.letters.sights.empty());
    const std::size_t asked = b.client.log.size();

    b.end();
    b.clock.pass(Millis{60'000});
    b.loop.run();

    CHECK(b.client.log.size() == asked);
    CHECK(b.letters.sights.empty());
  }
}

TEST_CASE("A0-8: a store that joins another store's torrent never removes it") {
  ClientBench b;
  b.client.torrents[kHash] = {.id = kHash, .tags = {kElsewhere}};

  CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
  CHECK(b.client.torrents.at(kHash).tags == Tags{kElsewhere, kTag, kFound});
  b.client.torrents.at(kHash).tags.erase(kElsewhere);  // The other store has given it up.
  CHECK(b.stop(b.order(7, kHash)) == "7 stopped");

  CHECK(b.client.torrents.at(kHash).tags == Tags{});
  CHECK(b.client.count("torrents/delete") == 0);
}

TEST_CASE("A0-8: its tags decide what becomes of a torrent that an order leaves") {
  using enum qbittorrent::Leaving::Kind;
  const Order order = ClientBench::order(7, kHash);
  const auto leaving = [&](std::vector<std::string> tags) {
    qbittorrent::Torrent torrent;
    torrent.tags = std::move(tags);
    return qbittorrent::judge_leaving(torrent, order);
  };
  CHECK(leaving({}) == qbittorrent::Leaving{nothing, ""});
  CHECK(leaving({kTag + "7"}) == qbittorrent::Leaving{nothing, ""});
  CHECK(leaving({kTag, "x"}) == qbittorrent::Leaving{remove, ""});
  CHECK(leaving({kTag, kTag + "7"}) == qbittorrent::Leaving{untag, kTag});
  CHECK(leaving({kTag, kFound}) == qbittorrent::Leaving{untag, kTag + "," + kFound});
  CHECK(leaving({kTag, kTag + "7", kFound}) == qbittorrent::Leaving{untag, kTag});
  CHECK(leaving({kTag, kElsewhere}) == qbittorrent::Leaving{untag, kTag});
  CHECK(leaving({kTag, "haul-7"}) == qbittorrent::Leaving{untag, kTag});
  CHECK(leaving({kTag, kFound, kElsewhere}) == qbittorrent::Leaving{untag, kTag + "," + kFound});
}

}  // namespace haul::testing
