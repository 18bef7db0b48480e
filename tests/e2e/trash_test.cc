// Z-4: a film's download in the trash, over the API and the command line, with a real qBittorrent;
// and a library whose disk is not mounted.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/client/media_bench.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

std::string release_of(const std::string& title) {
  return title + ".2020.1080p.WEB-DL.x264-GRP.mkv";
}

Finished run_trash(const MediaBench& b, std::vector<std::string> words) {
  words.insert(words.begin(), {HAUL_BINARY, "trash"});
  words.insert(words.end(), {"--url", fmt::format("http://127.0.0.1:{}", b.daemon.port()), "--data",
                             b.daemon.data().string()});
  return run_program(words);
}

}  // namespace

TEST_CASE("Z-4: a trashed download is listed, restored after a crash, and emptied") {
  MediaBench b{{.link = "hardlink", .more = {"HAUL__IMPORTER__TRASH_DAYS=7"}}};
  const RealTorrent torrent = b.swarm.make(release_of("Emma"), 300'000, Swarm::Seed::fast);
  const std::string content = b.swarm.content(torrent);
  const fs::path source = b.client.done() / torrent.name;
  const std::string id = b.add_film(torrent, "Emma");
  REQUIRE(b.cleaned(id));
  CHECK(b.reason(id, "cleaned") == "trashed");
  CHECK_FALSE(fs::exists(source));

  const std::string list{b.daemon.get("/api/v1/trash").body()};
  CHECK(list.find(fmt::format(R"("job":{},"path":"{}","size":300000)", id, torrent.name)) !=
        std::string::npos);
  CHECK(list.find(R"("leaves_at":null)") == std::string::npos);
  CHECK(run_trash(b, {"ls"}).out.find(torrent.name) != std::string::npos);
  CHECK(run_trash(b, {"empty", "--older-than", "1d"}).out == "Deleted 0 files, 0 B\n");

  b.daemon.kill();
  b.daemon.start();
  const Finished restored = run_trash(b, {"restore", id});
  CHECK(restored.code == 0);
  CHECK(restored.out == "Restored " + torrent.name + "\n");
  CHECK(content_of(source) == content);
  CHECK(run_trash(b, {"restore", id}).code == 1);
  CHECK(run_trash(b, {"ls"}).out == "The trash is empty.\n");
}

TEST_CASE("Z-4: emptying the trash leaves the library's file, which was the same") {
  MediaBench b{{.link = "hardlink", .more = {"HAUL__IMPORTER__TRASH_DAYS=7"}}};
  const RealTorrent torrent = b.swarm.make(release_of("Persuasion"), 300'000, Swarm::Seed::fast);
  const std::string content = b.swarm.content(torrent);
  const std::string id = b.add_film(torrent, "Persuasion");
  REQUIRE(b.cleaned(id));

  const Finished emptied = run_trash(b, {"empty", "--json"});

  CHECK(emptied.code == 0);
  CHECK(emptied.out == R"({"files":1,"bytes":300000,"kept":[],"more":false})"
                       "\n");
  CHECK(files_below(b.client.done()).empty());
  const std::string name = "Persuasion (2020)";
  CHECK(content_of(b.movies() / name / (name + " [WEBDL-1080p].mkv")) == content);
}

TEST_CASE("F28: a film waits for a library that is not mounted, and then goes on") {
  MediaBench b;
  const RealTorrent first = b.swarm.make(release_of("Emma"), 300'000, Swarm::Seed::fast);
  REQUIRE(b.cleaned(b.add_film(first, "Emma")));
  REQUIRE(fs::exists(b.movies() / ".haul-root"));
  const fs::path disk = b.movies().parent_path() / "disk";
  fs::rename(b.movies(), disk);
  fs::create_directory(b.movies());  // The empty mount point.

  const RealTorrent second = b.swarm.make(release_of("Persuasion"), 300'000, Swarm::Seed::fast);
  const std::string id = b.add_film(second, "Persuasion");
  REQUIRE(b.why_comes_to(id, "root_not_mounted"));
  CHECK(b.state(id) == "completed");
  CHECK(fs::is_empty(b.movies()));

  fs::remove(b.movies());
  fs::rename(disk, b.movies());
  b.daemon.post("/api/v1/jobs/" + id + "/import", "{}");  // Now, and not after its wait.
  REQUIRE(b.cleaned(id));
  const std::string name = "Persuasion (2020)";
  CHECK(fs::exists(b.movies() / name / (name + " [WEBDL-1080p].mkv")));
}
