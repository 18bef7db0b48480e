#include "app/doctor_paths.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "app/probe_file.h"
#include "support/io/temp_folder.h"

namespace haul::app {
namespace {

namespace fs = std::filesystem;
using cli::Finding;
using cli::Health;
using Names = Result<std::vector<std::string>>;

std::unexpected<Fault> fault(FaultKind kind, const char* code) {
  return std::unexpected{Fault{kind, code, "as the test says"}};
}

// Folders of this machine, and two programs in containers that see them under other names: the
// client as /downloads, the server as /data.
struct Machine {
  testing::TempFolder temp;
  PathMap client_sees = map({"/downloads=" + here("torrents")});
  PathMap server_sees = map({"/data=" + temp.path().string()});
  std::string save_path = "/downloads/films";
  std::vector<media_server::ServerLibrary> libraries{
      {.id = "1", .kind = "movie", .folders = {"/data/movies"}}};

  Machine() {
    for (const char* folder : {"torrents/films", "movies", "other"})
      fs::create_directories(temp / folder);
  }

  std::string here(const std::string& folder) const { return (temp / folder).string(); }
  static PathMap map(std::vector<std::string> entries) { return PathMap::parse(entries).value(); }

  // What a program lists that sees the disk like this.
  static Names list(const PathMap& sees, const std::string& folder) {
    const auto path = sees.here(folder);
    std::error_code error;
    if (!path || !fs::is_directory(*path, error))
      return fault(FaultKind::permanent, "no_such_folder");
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator{*path})
      names.push_back(entry.path().filename().string());
    return names;
  }

  DoctorPaths paths(const std::string& client_map, const std::string& server_map) {
    PathsClient client{
        .program = {.name = "qBittorrent",
                    .url = {"engine.qbittorrent.url", "haul.toml:2"},
                    .map = {"engine.qbittorrent.path_map", "haul.toml:3"},
                    .paths = client_map.empty() ? PathMap{} : map({client_map}),
                    .list =
                        [this](const std::string& folder) { return list(client_sees, folder); }},
        .save_path = [this]() -> Result<std::string> { return save_path; }};
    PathsServer server{
        .program = {.name = "Plex",
                    .url = {"sink.plex.url", "haul.toml:8"},
                    .map = {"sink.plex.path_map", "haul.toml:9"},
                    .paths = server_map.empty() ? PathMap{} : map({server_map}),
                    .list =
                        [this](const std::string& folder) { return list(server_sees, folder); }},
        .ask = [this]() -> Result<media_server::ServerProbe> {
          return media_server::ServerProbe{
              .product = "Plex", .version = "1", .libraries = libraries};
        }};
    return {.downloads = PathsFolder{{"importer.download_root", "haul.toml:5"}, here("torrents")},
            .libraries = {{{"library.movies.root", "haul.toml:6"}, here("movies"), "movie"}},
            .client = std::move(client),
            .server = std::move(server)};
  }
  DoctorPaths right() {
    return paths("/downloads=" + here("torrents"), "/data=" + temp.path().string());
  }
  // No file of the doctor's is left, whatever it found.
  bool is_clean() const {
    return std::ranges::none_of(fs::recursive_directory_iterator{temp.path()},
                                [](const auto& entry) { return !entry.is_directory(); });
  }
};

// The findings that are not fine: "wrong sink.plex.path_map haul.toml:9".
std::string not_fine(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings)
    if (finding.health != Health::ok)
      text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ",
                          finding.health == Health::wrong ? "wrong" : "note", finding.setting,
                          finding.at);
  return text;
}

}  // namespace

TEST_CASE("S1-23: right mappings are proven through client, disk and server, and nothing is left") {
  Machine m;
  const auto findings = examine_paths(m.right());

  CHECK(not_fine(findings).empty());
  REQUIRE(findings.size() == 5);
  CHECK(findings[0].detail == "haul writes and reads files in " + m.here("torrents"));
  CHECK(findings[2].detail.find("puts finished downloads into /downloads/films, which is") !=
        std::string::npos);
  CHECK(findings[3].detail ==
        fmt::format("\"/downloads={}\": qBittorrent sees haul's file there", m.here("torrents")));
  CHECK(findings[4].detail ==
        fmt::format("\"/data/movies={}\": Plex sees haul's file there", m.here("movies")));
  CHECK(m.is_clean());
}

TEST_CASE("S1-20, S1-23: a map that leads to another folder is named by its key and line") {
  Machine m;
  const std::string all = m.temp.path().string();
  struct Case {
    std::string client;
    std::string server;
    std::string found;
  };
  const std::string client = "wrong engine.qbittorrent.path_map haul.toml:3";
  const std::string server = "wrong sink.plex.path_map haul.toml:9";
  const std::string good_client = "/downloads=" + m.here("torrents");
  for (const Case& each : {
           // The other program's folder exists, but is another one.
           Case{"/downloads/films=" + m.here("torrents"), "/data=" + all, client},
           // The other program has no such folder.
           Case{"/nowhere=" + m.here("torrents"), "/data=" + all, client + ", " + client},
           Case{good_client, "/elsewhere=" + all, server},
           // No entry covers what haul needs.
           Case{"", "/data=" + all, client},
           Case{good_client, "", server},
           Case{good_client, "/data=" + m.here("other"), server},
       }) {
    CAPTURE(each.client);
    CAPTURE(each.server);
    CHECK(not_fine(examine_paths(m.paths(each.client, each.server))) == each.found);
    CHECK(m.is_clean());
  }
}

TEST_CASE("S1-20: a library of the server at another folder of the disk is found out by the file") {
  Machine m;
  m.libraries = {{.id = "1", .kind = "movie", .folders = {"/data/other"}}};
  const auto findings =
      examine_paths(m.paths("/downloads=" + m.here("torrents"), "/data/other=" + m.here("movies")));

  CHECK(not_fine(findings) == "wrong sink.plex.path_map haul.toml:9");
  CHECK(findings.back().detail ==
        fmt::format("\"/data/other={0}\": Plex does not see in /data/other the file that haul "
                    "wrote to {0}",
                    m.here("movies")));
}

TEST_CASE("S1-23: downloads that come to lie beside the download root are its setting's fault") {
  Machine m;
  m.client_sees = Machine::map({"/downloads=" + m.temp.path().string()});
  m.save_path = "/downloads/other";
  const auto findings = examine_paths(
      m.paths("/downloads=" + m.temp.path().string(), "/data=" + m.temp.path().string()));

  CHECK(not_fine(findings) == "wrong importer.download_root haul.toml:5");
  m.save_path = "/downloads/torrents";
  CHECK(not_fine(examine_paths(m.paths("/downloads=" + m.temp.path().string(),
                                       "/data=" + m.temp.path().string())))
            .empty());
}

TEST_CASE("S1-23: what a program cannot be asked for is said to be not proven, and is not wrong") {
  Machine m;
  DoctorPaths paths = m.right();
  const auto cannot = [](const std::string&) -> Names {
    return fault(FaultKind::permanent, "cannot_list");
  };
  paths.client->program.list = cannot;
  paths.server->program.list = cannot;
  const auto findings = examine_paths(paths);

  CHECK(not_fine(findings) ==
        "note engine.qbittorrent.path_map haul.toml:3, note sink.plex.path_map haul.toml:9");
  CHECK(findings[3].detail.find("not proven with a file: as the test says") != std::string::npos);
  CHECK(findings[4].detail.ends_with("; Plex has a library with this folder"));
  CHECK(m.is_clean());
}

TEST_CASE("S1-19: a program that does not answer is not a wrong map") {
  Machine m;
  DoctorPaths paths = m.right();
  paths.client->save_path = []() -> Result<std::string> {
    return fault(FaultKind::retryable, "client_unreachable");
  };
  paths.server->ask = []() -> Result<media_server::ServerProbe> {
    return fault(FaultKind::environment, "server_refused_token");
  };
  CHECK(not_fine(examine_paths(paths)) ==
        "wrong engine.qbittorrent.url haul.toml:2, wrong sink.plex.url haul.toml:8");

  paths = m.right();
  paths.server->program.list = [](const std::string&) -> Names {
    return fault(FaultKind::environment, "server_unreachable");
  };
  CHECK(not_fine(examine_paths(paths)) == "wrong sink.plex.url haul.toml:8");
  CHECK(m.is_clean());
}

TEST_CASE("C9: a folder that haul cannot write to is named, and its maps are not proven") {
  Machine m;
  fs::remove_all(m.temp / "movies");
  CHECK(not_fine(examine_paths(m.right())) ==
        "wrong library.movies.root haul.toml:6, note sink.plex.path_map haul.toml:9");
  fs::create_directories(m.temp / "movies");
  fs::remove_all(m.temp / "torrents");
  CHECK(not_fine(examine_paths(m.right())) ==
        "wrong importer.download_root haul.toml:5, note engine.qbittorrent.path_map haul.toml:3");
}

TEST_CASE("identity is proven with the download root and the libraries") {
  Machine m;
  m.client_sees = m.server_sees = PathMap::identity();
  m.save_path = m.here("torrents/films");
  m.libraries = {{.id = "1", .kind = "movie", .folders = {m.here("movies")}}};
  CHECK(not_fine(examine_paths(m.paths("identity", "identity"))).empty());

  m.client_sees = Machine::map({"/downloads=" + m.here("torrents")});
  m.save_path = "/downloads";
  CHECK(not_fine(examine_paths(m.paths("identity", "identity"))) ==
        "wrong importer.download_root haul.toml:5, wrong engine.qbittorrent.path_map haul.toml:3");
}

TEST_CASE("every entry of the client's map is proven, also one without the download root") {
  Machine m;
  DoctorPaths paths = m.right();
  const std::vector<std::string> entries{"/downloads=" + m.here("torrents"),
                                         "/books=" + m.here("other")};
  paths.client->program.paths = PathMap::parse(entries).value();
  CHECK(not_fine(examine_paths(paths)) == "wrong engine.qbittorrent.path_map haul.toml:3");
  m.client_sees = PathMap::parse(entries).value();
  CHECK(not_fine(examine_paths(paths)).empty());
  fs::remove_all(m.temp / "other");
  CHECK(not_fine(examine_paths(paths)) == "note engine.qbittorrent.path_map haul.toml:3");
}

TEST_CASE("without libraries there is nothing to prove, and without programs only the disk") {
  CHECK(not_fine(examine_paths({})) == "note  ");
  Machine m;
  DoctorPaths paths = m.right();
  paths.client.reset();
  paths.server.reset();
  CHECK(not_fine(examine_paths(paths)) == "note  ");
}

TEST_CASE("a probe file is there while it is used, under a name of its own, and then gone") {
  const testing::TempFolder temp;
  std::string name;
  {
    const auto one = ProbeFile::make(temp.path());
    const auto two = ProbeFile::make(temp.path());
    REQUIRE((one && two));
    name = (*one)->name();
    CHECK(name != (*two)->name());
    CHECK_FALSE(name.starts_with('.'));
    CHECK(fs::exists(temp / name));
  }
  CHECK(fs::is_empty(temp.path()));
  CHECK(ProbeFile::make(temp / "none").error().code == "folder_gone");
}

}  // namespace haul::app
