// Many requests for the same book at once, and daemons killed on the way: one job, one torrent,
// nothing left behind.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <set>
#include <thread>

#include "base/json.h"
#include "support/client/book_bench.h"
#include "support/run/proof.h"
#include "support/store/invariants.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

TEST_CASE("S0-13, S0-14: a thousand equal starts at once are one job and one torrent") {
  BookBench b;
  const RealTorrent torrent = b.swarm.make("wanted.epub", 5'000'000, Swarm::Seed::slow);
  const std::string body = BookBench::request(b.swarm.url_of(torrent), "b1");
  std::vector<std::thread> users;
  std::vector<std::map<int, int>> statuses(16);
  std::vector<std::set<std::string>> ids(16);
  for (std::size_t i = 0; i < 16; ++i)
    users.emplace_back([&, i] {
      for (int n = 0; n < 1'000 / 16 + (i < 1'000 % 16 ? 1 : 0); ++n) {
        const RawReply reply = b.daemon.post("/api/v1/jobs", body);
        ++statuses[i][reply.status()];
        ids[i].insert(member_of(reply.body(), "id"));
      }
    });
  for (std::thread& user : users) user.join();

  std::set<std::string> all;
  int made = 0;
  int answered = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    all.insert(ids[i].begin(), ids[i].end());
    made += statuses[i][201];
    answered += statuses[i][200] + statuses[i][201];
  }
  CHECK(all == std::set<std::string>{"1"});
  CHECK(made == 1);
  CHECK(answered == 1'000);
  REQUIRE(b.daemon.comes_to("1", "downloading"));
  CHECK(b.client.torrents() == std::map<std::string, std::string>{{torrent.v1, b.tag("1")}});
  CHECK(b.sql("SELECT count(*) FROM jobs") == "1");
}

TEST_CASE("S0-25: a daemon killed at any moment of a start leaves one torrent, and completes it" *
          doctest::test_suite("proof")) {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  BookBench b;
  for (int round = 0; round < rounds(8, 40); ++round) {
    const RealTorrent torrent =
        b.swarm.make(fmt::format("book{}", round), 100'000, Swarm::Seed::fast);
    const std::string id = b.add(b.swarm.url_of(torrent), fmt::format("b{}", round));
    let_pass(between(random, 0us, std::chrono::microseconds{60ms}));
    b.daemon.kill();
    b.daemon.start();
    REQUIRE(b.arrives(id));
    CHECK(b.client.torrents().at(torrent.v1) == b.tag(id));
  }
  CHECK(b.client.torrents().size() == static_cast<std::size_t>(rounds(8, 40)));
  CHECK(b.daemon.stop() == 0);
  Sql store{b.daemon.data() / "haul.db"};
  CHECK(broken_invariants(store).empty());
}

TEST_CASE("S0-25: killed at any moment of a start that is cancelled, it leaves no torrent" *
          doctest::test_suite("proof")) {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  BookBench b;
  for (int round = 0; round < rounds(4, 20); ++round) {
    const RealTorrent torrent =
        b.swarm.make(fmt::format("book{}", round), 5'000'000, Swarm::Seed::slow);
    const std::string id = b.add(b.swarm.url_of(torrent), fmt::format("b{}", round));
    let_pass(between(random, 0us, std::chrono::microseconds{40ms}));
    CHECK(b.daemon.post("/api/v1/jobs/" + id + "/cancel").status() == 202);
    let_pass(between(random, 0us, std::chrono::microseconds{20ms}));
    b.daemon.kill();
    b.daemon.start();
    REQUIRE(b.daemon.comes_to(id, "canceled"));
    CHECK(b.client.torrents().empty());
  }
}

TEST_CASE("A0-8: two owners share one torrent, and a cancel of one leaves it to the other") {
  BookBench b;
  const RawReply user = b.daemon.post("/api/v1/users", R"({"name":"other","role":"adder"})");
  const std::string owner = member_of(user.body(), "id");
  REQUIRE_FALSE(owner.empty());
  const RealTorrent torrent = b.swarm.make("shared.epub", 1'500'000, Swarm::Seed::slow);
  const std::string mine = b.add(b.swarm.url_of(torrent));
  std::string body = BookBench::request(b.swarm.url_of(torrent), "b1");
  body.insert(body.size() - 1, R"(,"owner":)" + owner);
  const std::string theirs = member_of(b.daemon.post("/api/v1/jobs", body).body(), "id");
  REQUIRE(b.daemon.comes_to(mine, "downloading"));
  REQUIRE(b.daemon.comes_to(theirs, "downloading"));
  CHECK(b.client.torrents().size() == 1);

  b.daemon.post("/api/v1/jobs/" + mine + "/cancel");
  REQUIRE(b.daemon.comes_to(mine, "canceled"));
  CHECK(b.client.torrents() == std::map<std::string, std::string>{{torrent.v1, b.tag(theirs)}});
  REQUIRE(b.arrives(theirs));
}

TEST_CASE("S0-28: a book whose file is removed is missing, and doctor says so first") {
  BookBench b{{.more = {"HAUL__LIBRARY__CHECK_EVERY=1h"}}};
  const RealTorrent torrent = b.swarm.make("gone.epub", 100'000, Swarm::Seed::fast);
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.arrives(id));
  std::ofstream{b.client.done() / "another"} << "x";
  CHECK(b.doctor().out.find("1 files of books, all there") != std::string::npos);
  std::filesystem::remove(b.client.done() / "gone.epub");
  const Finished doctor = b.doctor();
  CHECK(doctor.code == 1);
  CHECK(doctor.out.find("1 of 1 files of books are gone") != std::string::npos);
  CHECK(b.sql("SELECT state FROM contract_books") == "Library");

  b.daemon.stop();
  b.daemon.set("HAUL__LIBRARY__CHECK_EVERY=1s");
  b.daemon.set("HAUL__LIBRARY__MISSING_AFTER=1s");
  b.daemon.start();
  CHECK(comes_true([&] { return b.sql("SELECT state FROM contract_books") == "Archive"; }));
  CHECK(b.sql("SELECT status, storage_path, source_url FROM contract_book_media_assets") ==
        "missing|NULL|https://t.example/1");
  CHECK(b.state(id) == "completed");
}

TEST_CASE("no secret of the client's is in the log, the store, the API or the arguments") {
  BookBench b;
  const RealTorrent torrent = b.swarm.make("quiet.epub", 100'000, Swarm::Seed::fast);
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.arrives(id));
  const std::string arguments = content_of(fmt::format("/proc/{}/cmdline", b.daemon.pid()));
  CHECK(arguments.find(RealQbittorrent::kPassword) == std::string::npos);
  for (const char* path : {"", "/events", "/why", "/result"})
    CHECK(b.daemon.get("/api/v1/jobs/" + id + path).body().find(RealQbittorrent::kPassword) ==
          std::string::npos);
  CHECK(content_of(b.daemon.data() / "haul.db").find(RealQbittorrent::kPassword) ==
        std::string::npos);
  CHECK(content_of(b.daemon.data() / "haul.db-wal").find(RealQbittorrent::kPassword) ==
        std::string::npos);
}
