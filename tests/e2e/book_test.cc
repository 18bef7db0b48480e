// Books through a real qBittorrent: what a user would see, and what the client holds.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "base/clock.h"
#include "support/client/book_bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

TEST_CASE("000: a torrent's file becomes a book in the library, with its bytes") {
  BookBench b;
  const RealTorrent torrent = b.swarm.make("emma.epub", 300'000, Swarm::Seed::fast);
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.arrives(id));

  CHECK(content_of(b.client.done() / "emma.epub") == b.swarm.content(torrent));
  CHECK(b.client.torrents() == std::map<std::string, std::string>{{torrent.v1, b.tag(id)}});
  CHECK(b.trail(id) == "queued > downloading > completed");
  CHECK(b.sql("SELECT status, external_job_id, source, failure_reason, first_not_found_at_utc "
              "FROM contract_book_download_jobs") ==
        "completed|" + torrent.v1 + "|tracker|NULL|NULL");
  CHECK(b.sql("SELECT * FROM contract_book_media_assets") ==
        "b1|text|available|" + (b.client.done() / "emma.epub").string() + "|https://t.example/1");
  CHECK(b.sql("SELECT * FROM contract_books") == "b1|Emma|Library");
  CHECK(b.sql("SELECT kind, state FROM intents") == "hand_over|done");
  CHECK(b.daemon.stop() == 0);
}

TEST_CASE("a magnet link waits for its metadata, and then arrives") {
  BookBench b;
  const RealTorrent torrent = b.swarm.make("persuasion.epub", 200'000, Swarm::Seed::none);
  const std::string id = b.add("magnet:?xt=urn:btih:" + torrent.v1);
  REQUIRE(b.why_comes_to(id, "waiting_for_metadata"));
  CHECK(b.state(id) == "queued");

  const std::uint16_t port = b.swarm.seed(torrent);
  b.client.act("torrents/addPeers", fmt::format("hashes={}&peers=127.0.0.1:{}", torrent.v1, port));
  REQUIRE(b.arrives(id));
  CHECK(content_of(b.client.done() / "persuasion.epub") == b.swarm.content(torrent));
  CHECK(b.trail(id) == "queued > downloading > completed");
}

TEST_CASE(
    "Q9: a hybrid torrent by a link of its first version changes its id, and the job follows") {
  BookBench b;
  const RealTorrent torrent =
      b.swarm.make("hybrid.epub", 200'000, Swarm::Seed::none, TorrentVersion::hybrid);
  const std::string id = b.add("magnet:?xt=urn:btih:" + torrent.v1);
  REQUIRE(b.why_comes_to(id, "waiting_for_metadata"));
  CHECK(b.sql("SELECT handle FROM jobs") == torrent.v1);

  const std::uint16_t port = b.swarm.seed(torrent);
  b.client.act("torrents/addPeers", fmt::format("hashes={}&peers=127.0.0.1:{}", torrent.v1, port));
  REQUIRE(b.arrives(id));
  CHECK(b.sql("SELECT handle FROM jobs") == torrent.id());
  CHECK(b.sql("SELECT missing_since FROM jobs") == "NULL");
  CHECK(content_of(b.client.done() / "hybrid.epub") == b.swarm.content(torrent));
}

TEST_CASE("torrents of every version, of a file and of a folder, complete by their file") {
  BookBench b;
  int n = 0;
  for (const TorrentVersion version :
       {TorrentVersion::v1, TorrentVersion::v2, TorrentVersion::hybrid}) {
    const RealTorrent folder = b.swarm.make_folder(fmt::format("folder{}", ++n), version);
    const std::string id = b.add(b.swarm.url_of(folder), fmt::format("f{}", n));
    REQUIRE(b.arrives(id));
    CHECK(b.sql("SELECT handle FROM jobs WHERE id = " + id) == folder.id());
    CHECK(content_of(b.client.done() / folder.name / "two.txt") == std::string(50'001, '2'));
    const RealTorrent file =
        b.swarm.make(fmt::format("file{}", n), 100'001, Swarm::Seed::fast, version);
    const std::string other = b.add(b.swarm.url_of(file), fmt::format("g{}", n));
    REQUIRE(b.arrives(other));
    CHECK(b.sql("SELECT handle FROM jobs WHERE id = " + other) == file.id());
  }
}

TEST_CASE("S0-7 to S0-9: removed behind haul's back it fails after the grace, not before") {
  BookBench b{{.poll = "200ms", .grace = "4s"}};
  const RealTorrent torrent = b.swarm.make("slow.epub", 20'000'000, Swarm::Seed::slow);
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.daemon.comes_to(id, "downloading"));

  b.client.remove(torrent.v1);
  REQUIRE(b.why_comes_to(id, "missing"));
  REQUIRE(b.daemon.comes_to(id, "failed"));

  CHECK(b.sql("SELECT failure_reason FROM contract_book_download_jobs") == "missing_external_job");
  // By the daemon's clock, the job fails at least the grace after the mark, and not much later.
  const std::int64_t lasted = std::stoll(b.sql("SELECT ended_at - missing_since FROM jobs"));
  CHECK(lasted >= 4'000);
  CHECK(lasted < 20'000);
}

TEST_CASE("S0-9: put back inside the grace it goes on as if nothing had been") {
  BookBench b{{.poll = "200ms", .grace = "60s"}};
  const RealTorrent torrent = b.swarm.make("back.epub", 1'000'000, Swarm::Seed::slow);
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.daemon.comes_to(id, "downloading"));

  b.client.remove(torrent.v1);
  REQUIRE(b.why_comes_to(id, "missing"));
  b.client.add(torrent.file);
  REQUIRE(b.arrives(id));
  CHECK(b.sql("SELECT missing_since FROM jobs") == "NULL");
}

TEST_CASE("a client that is killed in the middle and started again completes what it had") {
  BookBench b{{.poll = "200ms", .grace = "1s"}};
  const RealTorrent torrent = b.swarm.make("killed.epub", 1'500'000, Swarm::Seed::slow);
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.daemon.comes_to(id, "downloading"));

  b.client.kill();
  REQUIRE(b.why_comes_to(id, "cannot_look"));
  CHECK(b.daemon.get("/health/ready").body().find("client_unreachable") != std::string::npos);
  CHECK(b.state(id) == "downloading");  // Unreachable is not missing.
  b.client.start();
  REQUIRE(b.arrives(id));
  CHECK(content_of(b.client.done() / "killed.epub") == b.swarm.content(torrent));
  CHECK(b.daemon.get("/health/ready").body() == R"({"status":"ready"})");
}

TEST_CASE("Z-2: finished while queued is two events in one cycle") {
  BookBench b;
  const RealTorrent torrent = b.swarm.make("there.epub", 100'000, Swarm::Seed::fast);
  b.client.add(torrent.file);
  REQUIRE(b.client.comes_to(torrent.v1, "stalledUP"));
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.arrives(id));

  CHECK(b.trail(id) == "queued > downloading > completed");
  CHECK(b.sql("SELECT count(*), count(DISTINCT at) FROM events WHERE type = 'MOVED'") == "2|1");
  // The torrent was in the client before, so haul tags it "found" and will never remove it.
  CHECK(b.client.torrents().at(torrent.v1) == b.tag(id) + ", " + b.tag("found"));
}

TEST_CASE("S0-11, S0-12: cancel while queued and while downloading, files kept or not") {
  BookBench b;
  const RealTorrent waits = b.swarm.make("waits.epub", 100'000, Swarm::Seed::none);
  const std::string queued = b.add("magnet:?xt=urn:btih:" + waits.v1);
  REQUIRE(b.why_comes_to(queued, "waiting_for_metadata"));
  CHECK(b.daemon.post("/api/v1/jobs/" + queued + "/cancel").status() == 202);
  REQUIRE(b.daemon.comes_to(queued, "canceled"));
  CHECK(b.client.torrents().empty());

  const RealTorrent kept = b.swarm.make("kept.epub", 3'000'000, Swarm::Seed::slow);
  const std::string id = b.add(b.swarm.url_of(kept), "b2");
  REQUIRE(b.daemon.comes_to(id, "downloading"));
  REQUIRE(b.has_bytes("kept.epub"));
  b.daemon.post("/api/v1/jobs/" + id + "/cancel");
  REQUIRE(b.daemon.comes_to(id, "canceled"));
  CHECK(b.client.torrents().empty());
  CHECK(b.has_bytes("kept.epub"));

  const RealTorrent gone = b.swarm.make("gone.epub", 3'000'000, Swarm::Seed::slow);
  const std::string other = b.add(b.swarm.url_of(gone), "b3", R"(,"delete_files_on_cancel":true)");
  REQUIRE(b.daemon.comes_to(other, "downloading"));
  REQUIRE(b.has_bytes("gone.epub"));
  b.daemon.post("/api/v1/jobs/" + other + "/cancel");
  REQUIRE(b.daemon.comes_to(other, "canceled"));
  CHECK(comes_true([&] { return b.bytes_of("gone.epub") == 0; }));
  CHECK(b.trail(other) == "queued > downloading > canceled");
}

TEST_CASE("S0-12: a cancel that the client does not confirm is kept, and done when it is back") {
  BookBench b;
  const RealTorrent torrent = b.swarm.make("later.epub", 3'000'000, Swarm::Seed::slow);
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.daemon.comes_to(id, "downloading"));
  b.client.kill();
  CHECK(b.daemon.post("/api/v1/jobs/" + id + "/cancel").status() == 202);
  REQUIRE(b.why_comes_to(id, "cancel_asked"));
  CHECK(b.state(id) == "downloading");
  b.daemon.kill();  // The cancel is durable.
  b.daemon.start();
  b.client.start();
  REQUIRE(b.daemon.comes_to(id, "canceled"));
  CHECK(b.client.torrents().empty());
}

TEST_CASE("a book that is added while the client is off waits for it, and arrives once it is on") {
  BookBench b;
  const RealTorrent torrent = b.swarm.make("patient.epub", 100'000, Swarm::Seed::fast);
  b.client.kill();
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.why_comes_to(id, "hand_over"));
  CHECK(b.state(id) == "queued");
  CHECK(member_of(b.daemon.job(id), "attempt") == "0");

  b.client.start();
  REQUIRE(b.arrives(id));
  CHECK(content_of(b.client.done() / "patient.epub") == b.swarm.content(torrent));
  CHECK(b.trail(id) == "queued > downloading > completed");
}

TEST_CASE("a wrong password is tried once, is a clear trouble, and no ban") {
  BookBench b{{.password = "not-the-word"}};
  const RealTorrent torrent = b.swarm.make("never.epub", 1'000, Swarm::Seed::fast);
  const std::string id = b.add(b.swarm.url_of(torrent));
  REQUIRE(b.why_comes_to(id, "hand_over"));
  CHECK(comes_true([&] {
    return b.daemon.get("/health/ready").body().find("client_refused_login") != std::string::npos;
  }));
  for (int i = 2; i < 8; ++i) {  // Each job needs the client; five failed logins would be a ban.
    const std::string other = b.add(b.swarm.url_of(torrent), fmt::format("b{}", i));
    CHECK(comes_true([&] {
      return member_of(b.daemon.get("/api/v1/jobs/" + other + "/why").body(), "reason") ==
             "client_refused_login";
    }));
  }
  CHECK(b.client.lets_in());
  CHECK(b.state(id) == "queued");
  CHECK(member_of(b.daemon.get("/api/v1/jobs/" + id + "/why").body(), "reason") ==
        "client_refused_login");

  const Finished doctor = b.doctor();
  CHECK(doctor.code == 1);
  CHECK(doctor.out.find("client_refused_login") != std::string::npos);
  CHECK((doctor.out + doctor.err).find("not-the-word") == std::string::npos);
  CHECK(b.client.lets_in());
}

TEST_CASE("haul doctor says that the client lets it in, and which API it has") {
  BookBench b;
  const Finished doctor = b.doctor();
  CHECK(doctor.out.find("accepts haul at " + b.client.url() + ", API 2.8.19") != std::string::npos);
  b.client.kill();
  const Finished later = b.doctor();
  CHECK(later.code == 1);
  CHECK(later.out.find("client_unreachable") != std::string::npos);
}

TEST_CASE("without a client books are refused, with the word for it") {
  const Daemon daemon;
  const RawReply reply = daemon.post("/api/v1/jobs", BookBench::request("magnet:?x", "b1"));
  CHECK(reply.status() == 422);
  CHECK(member_of(reply.body(), "code") == "not_configured");
}
