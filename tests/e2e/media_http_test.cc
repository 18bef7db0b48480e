// Films that haul fetches itself, over HTTP: no torrent client is configured. A batch fetches the
// file, its number is the film's handle, and its file counts as the film's own.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "support/client/media_bench.h"
#include "support/server/fault_server.h"
#include "support/store/invariants.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr const char* kWholeTrail = "queued > downloading > completed > imported > cleaned";

class WebFilmBench : public MediaPlaces {
 public:
  explicit WebFilmBench(const MediaBenchSettings& settings = {}) : daemon{environment(settings)} {}

  FaultServer web;
  TempFolder downloads;
  Daemon daemon;

  static std::string name(const std::string& title) {
    return title + ".2020.1080p.WEB-DL.x264-GRP.mkv";
  }
  // Adds a film whose file the web server has, with these switches.
  RawReply add(const std::string& title, const std::string& switches,
               const std::string& more = R"(,"engine":"http")") {
    return daemon.post(
        "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"media","request":{{"kind":"movie","year":2020,"title":"{}",)"
                    R"("release_name":"{}","uri":"{}"{}}}}})",
                    title, name(title), web.url("/f/" + name(title) + "?" + switches), more));
  }
  std::string add_film(const std::string& title, const std::string& switches) {
    const RawReply reply = add(title, switches);
    if (reply.status() != 201) MESSAGE(reply.bytes);
    return member_of(reply.body(), "id");
  }
  bool comes_to(const std::string& id, const std::string& state) {
    if (daemon.comes_to(id, state)) return true;
    MESSAGE(daemon.job(id) << "\n" << daemon.get("/api/v1/jobs/" + id + "/why").body());
    return false;
  }
  fs::path copy_of(const std::string& title) const {
    const std::string folder = title + " (2020)";
    return movies() / folder / (folder + " [WEBDL-1080p].mkv");
  }
  std::string sql(const std::string& ask) { return Sql{daemon.data() / "haul.db"}.ask(ask); }
  std::string member(const std::string& id, const std::string& of) {
    return member_of(daemon.job(id), of);
  }
  std::string trail(const std::string& id) {
    return sql(
        "SELECT group_concat(to_state, ' > ') FROM (SELECT to_state FROM events WHERE job = " + id +
        " AND to_state IS NOT NULL ORDER BY id)");
  }
  // Of its first batch, below the download root.
  std::string folder_of(const std::string& id) {
    return fmt::format("haul-{}-{}", sql("SELECT value FROM meta WHERE name = 'store_id'"), id);
  }
  // The states of all batches: "CANCELLED COMPLETED". Empty if there is none.
  std::string batches() {
    return sql(
        "SELECT coalesce(group_concat(state, ' '), '') FROM (SELECT state FROM jobs WHERE "
        "lifecycle = "
        "'batch' ORDER BY id)");
  }
  // The film's batch has begun to fetch, as seen by the web server and on the disk.
  bool has_begun() {
    return comes_true([&] { return !web.log().empty() && batches().ends_with("RUNNING"); });
  }
  void check_store() {
    CHECK(daemon.stop() == 0);
    Sql store{daemon.data() / "haul.db"};
    CHECK(broken_invariants(store).empty());
  }

 private:
  std::vector<std::string> environment(const MediaBenchSettings& settings) const {
    std::vector<std::string> all = environment_of(settings);
    all.push_back("HAUL__IMPORTER__DOWNLOAD_ROOT=" + downloads.path().string());
    all.emplace_back("HAUL__ENGINE__QBITTORRENT__POLL=100ms");
    return all;
  }
};

}  // namespace

TEST_CASE(
    "engine http: a film is fetched by a batch, linked, proven by Plex, and its source goes") {
  WebFilmBench b{{.link = "hardlink"}};
  constexpr std::size_t kSize = 300'000;
  const std::string id = b.add_film("Emma", fmt::format("size={}", kSize));
  REQUIRE(b.comes_to(id, "cleaned"));

  CHECK(b.trail(id) == kWholeTrail);
  CHECK(content_of(b.copy_of("Emma")) == FaultServer::content(WebFilmBench::name("Emma"), kSize));
  CHECK(fs::is_empty(b.downloads.path()));
  const std::string batch = b.member(id, "handle");
  CHECK(b.member(batch, "lifecycle") == "batch");
  CHECK(b.member(batch, "state") == "COMPLETED");
  CHECK(b.member(batch, "owner") == b.member(id, "owner"));
  CHECK(b.batches() == "COMPLETED");
  CHECK(b.sql("SELECT path FROM files WHERE job = " + id) ==
        b.folder_of(id) + "/" + WebFilmBench::name("Emma"));
  CHECK(b.sql("SELECT reason FROM events WHERE to_state = 'cleaned'") == "deleted");
  b.check_store();
}

TEST_CASE("Z-30: without a torrent client, only films that ask for the http engine are taken") {
  WebFilmBench b;
  const RawReply refused = b.add("Emma", "size=10", "");
  CHECK(refused.status() == 422);
  CHECK(refused.body().find("configure engine.qbittorrent.url") != std::string::npos);
  CHECK(member_of(b.daemon.get("/api/v1/lifecycles/media").body(), "not_ready").empty());
  CHECK_FALSE(member_of(b.daemon.get("/api/v1/lifecycles/book").body(), "not_ready").empty());

  const RawReply magnet = b.daemon.post(
      "/api/v1/jobs", R"({"lifecycle":"media","request":{"title":"x","release_name":"x",)"
                      R"("engine":"http","uri":"magnet:?xt=urn:btih:x"}})");
  CHECK(magnet.status() == 422);
  CHECK(member_of(magnet.body(), "code") == "bad_uri");
  CHECK(b.batches().empty());
}

TEST_CASE("promise 5: killed while a film is fetched, haul goes on with the same batch") {
  WebFilmBench b;
  constexpr std::size_t kSize = 2'000'000;
  const std::string id = b.add_film("Emma", fmt::format("size={}&limit_rate=1000000", kSize));
  REQUIRE(b.has_begun());
  b.daemon.kill();
  CHECK_FALSE(fs::exists(b.copy_of("Emma")));
  b.daemon.start();
  REQUIRE(b.comes_to(id, "cleaned"));

  CHECK(b.trail(id) == kWholeTrail);
  CHECK(b.batches() == "COMPLETED");
  CHECK(content_of(b.copy_of("Emma")) == FaultServer::content(WebFilmBench::name("Emma"), kSize));
  CHECK(fs::is_empty(b.downloads.path()));
  b.check_store();
}

TEST_CASE("promise 15: a film that is cancelled cancels its batch, and a retry fetches it anew") {
  WebFilmBench b;
  const std::string id = b.add_film("Emma", "size=2000000&stall_after=1000&stall_times=1");
  REQUIRE(b.has_begun());
  REQUIRE(comes_true([&] { return b.member(id, "state") == "downloading"; }));

  CHECK(b.daemon.post("/api/v1/jobs/" + id + "/cancel").status() == 202);
  REQUIRE(b.comes_to(id, "failed"));
  CHECK(b.member(id, "reason") == "canceled");
  CHECK(b.batches() == "CANCELLED");
  REQUIRE(comes_true([&] { return files_below(b.downloads.path()).empty(); }));

  CHECK(b.daemon.post("/api/v1/jobs/" + id + "/retry").status() == 200);
  REQUIRE(b.comes_to(id, "cleaned"));
  CHECK(b.batches() == "CANCELLED COMPLETED");
  CHECK(content_of(b.copy_of("Emma")) ==
        FaultServer::content(WebFilmBench::name("Emma"), 2'000'000));
  b.check_store();
}

TEST_CASE("engine http: a file that the server does not have fails the film, and says why") {
  WebFilmBench b;
  const std::string id = b.add_film("Emma", "status=404");
  REQUIRE(b.comes_to(id, "failed"));

  CHECK(b.member(id, "reason") == "http_404");
  CHECK(b.member(id, "detail").starts_with("job " + b.member(id, "handle")));
  CHECK(files_below(b.downloads.path()).empty());
  CHECK(files_below(b.movies()).empty());
}

TEST_CASE("engine http: a retry takes the fetched file, but not another one of its size") {
  for (const bool is_replaced : {false, true}) {
    WebFilmBench b;
    constexpr std::size_t kSize = 300'000;
    fs::create_directories(b.copy_of("Emma").parent_path());
    std::ofstream{b.copy_of("Emma")} << "a file of the user";
    const std::string id = b.add_film("Emma", fmt::format("size={}", kSize));
    REQUIRE(comes_true([&] {
      return member_of(b.daemon.get("/api/v1/jobs/" + id + "/why").body(), "code") ==
             "destination_taken";
    }));
    CHECK(b.daemon.post("/api/v1/jobs/" + id + "/cancel").status() == 202);
    REQUIRE(b.comes_to(id, "failed"));

    fs::remove(b.copy_of("Emma"));
    const fs::path source = b.downloads.path() / b.folder_of(id) / WebFilmBench::name("Emma");
    REQUIRE(fs::exists(source));
    if (is_replaced) {
      std::ofstream{source.string() + ".new"} << std::string(kSize, 'x');
      fs::rename(source.string() + ".new", source);
    }
    CHECK(b.daemon.post("/api/v1/jobs/" + id + "/retry").status() == 200);
    REQUIRE(b.comes_to(id, "cleaned"));

    CHECK(b.batches() == (is_replaced ? "COMPLETED COMPLETED" : "COMPLETED"));
    CHECK(content_of(b.copy_of("Emma")) == FaultServer::content(WebFilmBench::name("Emma"), kSize));
    CHECK(fs::exists(source) == is_replaced);  // haul did not fetch this one.
    b.check_store();
  }
}
