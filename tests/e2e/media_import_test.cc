// Imports by hand through a real qBittorrent: a release that haul cannot read waits with the
// command that mends it, and the command imports it.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "support/client/media_bench.h"
#include "support/store/invariants.h"

using namespace haul;
using namespace haul::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

Finished run_at(MediaBench& b, std::vector<std::string> words) {
  words.insert(words.begin(), HAUL_BINARY);
  words.insert(words.end(), {"--url", fmt::format("http://127.0.0.1:{}", b.daemon.port()), "--data",
                             b.daemon.data().string()});
  return run_program(words);
}

RawReply import(MediaBench& b, const std::string& id, const std::string& body) {
  return b.daemon.post("/api/v1/jobs/" + id + "/import", body);
}

void check_store(MediaBench& b) {
  CHECK(b.sql("SELECT count(*) FROM intents WHERE state <> 'done'") == "0");
  CHECK(b.daemon.stop() == 0);
  Sql store{b.daemon.data() / "haul.db"};
  CHECK(broken_invariants(store).empty());
}

}  // namespace

TEST_CASE("S1-21: a pack without numbers waits, and the command that why names imports it") {
  MediaBench b{{.link = "hardlink", .by = IndexedBy::jellyfin}};
  const RealTorrent torrent =
      b.swarm.make_folder("Obscure", {{"first.mkv", 400'000}, {"second.mkv", 500'000}});
  const std::string id = b.add_series(torrent, "Show");
  REQUIRE(b.why_comes_to(id, "cannot_parse"));
  const std::string fix = fmt::format("haul import {} --file 'Obscure/first.mkv=S01E02'", id);
  CHECK_MESSAGE(b.why_text(id).find(fix) != std::string::npos, b.why_text(id));
  CHECK(b.why_text(id).find(fmt::format("haul import {} --as S01E02", id)) != std::string::npos);

  const Finished unclear = run_at(b, {"import", id, "--dry-run"});
  CHECK(unclear.code == 1);
  CHECK_MESSAGE(unclear.err.find(fix) != std::string::npos, unclear.err);
  CHECK(run_at(b, {"import", id, "--as", "S01E01"}).err.find("(ambiguous)") != std::string::npos);

  const std::vector<std::string> said = {"--file", "first.mkv=S01E01", "--file",
                                         "Obscure/second.mkv=S01E02"};
  std::vector<std::string> dry = {"import", id, "--dry-run", "--json"};
  dry.insert(dry.end(), said.begin(), said.end());
  const Finished shown = run_at(b, dry);
  CHECK(shown.code == 0);
  const json plan = json::parse(shown.out);
  REQUIRE(plan["files"].size() == 2);
  CHECK(plan["problem"].is_null());
  CHECK(plan["files"][0]["source"] == "Obscure/first.mkv");
  CHECK(plan["files"][0]["how"] == "hardlink");
  CHECK(plan["files"][0]["size"] == 400'000);
  CHECK_FALSE(fs::exists(b.series() / "Show"));
  CHECK(b.state(id) == "completed");

  std::vector<std::string> words = {"import", id};
  words.insert(words.end(), said.begin(), said.end());
  CHECK(run_at(b, words).out.starts_with(fmt::format("haul will import job {} like this", id)));
  REQUIRE(b.cleaned(id));

  CHECK(files_below(b.series() / "Show") ==
        std::set<std::string>{"Season 01/Show - S01E01.mkv", "Season 01/Show - S01E02.mkv"});
  for (int i = 0; i < 2; ++i) {
    const fs::path target = plan["files"][i]["target"].get<std::string>();
    const std::string name = i == 0 ? "first.mkv" : "second.mkv";
    CHECK(content_of(target) == b.swarm.content(torrent, name));
  }
  CHECK(fs::is_empty(b.client.done()));
  CHECK(b.told(id, "cleaned", "$.proof.by") == "jellyfin");
  CHECK(b.told(id, "cleaned", "$.proof.match") == "path");
  CHECK(import(b, id, "{}").status() == 409);
  check_store(b);
}

TEST_CASE("S1-21, F01: what was said during the download survives a kill, and names the episode") {
  MediaBench b{{.by = IndexedBy::jellyfin}};
  const RealTorrent torrent =
      b.swarm.make("Show.S01E01.1080p.WEB-DL.x264-GRP.mkv", 2'000'000, Swarm::Seed::slow);
  const std::string id = b.add_series(torrent, "Show");
  REQUIRE(b.has_bytes(torrent.name));

  const RawReply early = import(b, id, R"({"as":"S02E05","dry_run":true})");
  CHECK(early.status() == 200);
  CHECK(json::parse(early.body())["problem"]["code"] == "files_unknown");
  CHECK(import(b, id, R"({"as":"banana"})").status() == 422);
  CHECK(import(b, id, R"({"as":"S02E05"})").status() == 202);
  b.daemon.kill();
  b.daemon.start();
  REQUIRE(b.cleaned(id));

  CHECK(files_below(b.series() / "Show") == std::set<std::string>{"Season 02/Show - S02E05.mkv"});
  CHECK(b.sql("SELECT json_extract(data, '$.as') FROM events WHERE type = 'IMPORT_ASKED'") ==
        "S02E05");
  check_store(b);
}

TEST_CASE("Z-18: a film that is proven by its title is cleaned, and its event says that") {
  MediaBench b{{.more = {"HAUL__SINK__PLEX__MATCH=title"}}};
  b.plex_port.with([&] {
    b.plex.scans_at_once = false;
    b.plex.add({.section = "1", .title = "Emma", .file = "/data/movies/Emma/old.mkv", .size = 7});
  });
  const RealTorrent torrent =
      b.swarm.make("Emma.2020.1080p.WEB-DL.x264-GRP.mkv", 300'000, Swarm::Seed::fast);
  const std::string id = b.add_film(torrent, "Emma");
  REQUIRE(b.cleaned(id));

  CHECK(b.told(id, "cleaned", "$.proof.by") == "plex");
  CHECK(b.told(id, "cleaned", "$.proof.match") == "title");
  check_store(b);
}

TEST_CASE("Z-30: a series is refused at the add if only films have a root") {
  MediaBench b{{.has_series = false}};
  const auto add = [&](const std::string& what) {
    return b.daemon.post("/api/v1/jobs",
                         fmt::format(R"({{"lifecycle":"media","request":{{{},"title":"t",)"
                                     R"("uri":"magnet:?xt=urn:btih:{}"}}}})",
                                     what, std::string(40, 'a')));
  };

  for (const char* series :
       {R"("kind":"series","release_name":"r")", R"("release_name":"Show.S01E02.1080p")",
        R"("season":1,"release_name":"r")"}) {
    const RawReply refused = add(series);
    CHECK(refused.status() == 422);
    CHECK(member_of(refused.body(), "code") == "not_configured");
    CHECK(member_of(refused.body(), "detail") ==
          "this daemon cannot run this media job: configure library.series.root");
  }
  CHECK(b.sql("SELECT count(*) FROM jobs") == "0");
  CHECK(add(R"("kind":"movie","release_name":"r")").status() == 201);
}
