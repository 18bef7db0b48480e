// haul doctor paths with the real binary, its configuration in a file, a qBittorrent 5 and a media
// server that see the folders under other names.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "support/client/fake_qbittorrent.h"
#include "support/client/media_bench.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

class PathsBench : public MediaPlaces {
 public:
  explicit PathsBench(FakeQbittorrent::Shape shape = FakeQbittorrent::Shape::v5) : client{shape} {
    const std::vector<std::string> map{"/downloads=" + downloads.path().string()};
    client_port.with([&] { client.disk = PathMap::parse(map).value(); });
  }

  TempFolder downloads;
  TempFolder own;
  FakeQbittorrent client;
  FakeOnPort client_port{[this](const io::HttpRequest& sent) { return client.answer(sent); }};

  // Lines 5 and 11 have the maps.
  Finished doctor(const std::string& client_map, const std::string& server_map,
                  const std::string& server = "plex") {
    const bool is_plex = server == "plex";
    const fs::path file = own / "haul.toml";
    fs::remove(file);
    std::ofstream{file} << fmt::format(
        "[engine.qbittorrent]\nurl = \"{}\"\nusername = \"admin\"\npassword = \"secret\"\n"
        "path_map = [\"{}\"]\n[importer]\ndownload_root = \"{}\"\n[library]\n"
        "movies.root = \"{}\"\n[sink.{}]\npath_map = [\"{}\"]\nurl = \"{}\"\ntoken = \"{}\"\n",
        client_port.url(), client_map, downloads.path().string(), movies().string(), server,
        server_map, (is_plex ? plex_port : jellyfin_port).url(),
        is_plex ? plex.token : jellyfin.api_key);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    return run_program({HAUL_BINARY, "doctor", "paths", "--json", "--config", file.string(),
                        "--data", (own / "data").string()});
  }
  std::string right_client() const { return "/downloads=" + downloads.path().string(); }
  std::string right_server() const { return "/data/movies=" + movies().string(); }
  std::string at(int line) const {
    return fmt::format(R"("at":"{}:{}")", (own / "haul.toml").string(), line);
  }
  // No probe is left behind.
  bool is_clean() const { return fs::is_empty(downloads.path()) && fs::is_empty(movies()); }
};

bool has(const Finished& run, const std::string& text) {
  if (run.out.find(text) != std::string::npos) return true;
  MESSAGE(run.out << run.err);
  return false;
}

}  // namespace

TEST_CASE("S1-23: right mappings are proven with a file, by qBittorrent 5, Plex and Jellyfin") {
  for (const char* server : {"plex", "jellyfin"}) {
    PathsBench b;
    const Finished run = b.doctor(b.right_client(), b.right_server(), server);
    CHECK(run.code == 0);
    CHECK(has(run, R"("healthy":true)"));
    CHECK(has(run, "qBittorrent sees haul's file there"));
    CHECK(has(run, fmt::format("{} sees haul's file there",
                               server == std::string{"plex"} ? "Plex" : "Jellyfin")));
    CHECK(run.out.find(R"("health":"note")") == std::string::npos);
    CHECK(run.out.find("secret") == std::string::npos);
    CHECK(b.is_clean());
  }
}

TEST_CASE("S1-20, S1-23: a wrong mapping is named by its key and its line in the file") {
  PathsBench b;
  const Finished client = b.doctor("/downloads=/srv/none", b.right_server());
  CHECK(client.code == 1);
  CHECK(has(client, R"("setting":"importer.download_root")"));
  CHECK(has(client, b.at(7)));

  const Finished nowhere = b.doctor("/nowhere=" + b.downloads.path().string(), b.right_server());
  CHECK(nowhere.code == 1);
  CHECK(has(nowhere, R"("setting":"engine.qbittorrent.path_map",)" + b.at(5)));

  fs::create_directory(b.series() / "films");
  b.plex_port.with([&] { b.plex.sections.front().locations = {"/data/series/films"}; });
  const Finished server = b.doctor(b.right_client(), "/data/series/films=" + b.movies().string());
  CHECK(server.code == 1);
  CHECK(has(server, "Plex does not see in /data/series/films the file that haul wrote to"));
  CHECK(has(server, R"("setting":"sink.plex.path_map",)" + b.at(11)));
  CHECK(b.is_clean());
}

TEST_CASE("S1-23: a qBittorrent and a Plex that list no folders leave the file unproven") {
  PathsBench b{FakeQbittorrent::Shape::v4};
  b.plex_port.with([&] { b.plex.lists_folders = false; });
  const Finished run = b.doctor(b.right_client(), b.right_server());
  CHECK(run.code == 0);
  CHECK(has(run, "not proven with a file: this qBittorrent does not list folders"));
  CHECK(has(run, "Plex has a library with this folder"));
  CHECK(has(run, "puts finished downloads into /downloads, which is"));
  CHECK(b.is_clean());
}

}  // namespace haul::testing
