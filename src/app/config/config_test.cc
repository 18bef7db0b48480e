#include "app/config/config.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "app/config/areas.h"
#include "app/config/describe.h"
#include "app/config/transfer.h"
#include "support/io/temp_folder.h"
#include "support/process/ending.h"

namespace haul::app {
namespace {

Result<Config> read(const std::string& text, const Config::Environment& environment = {}) {
  const testing::TempFolder folder;
  const std::filesystem::path file = folder / "haul.toml";
  std::ofstream{file} << text;
  return Config::read(file, environment);
}

}  // namespace

TEST_CASE("programs are set in sections named as they are, or as their keys are") {
  for (const char* section : {"engine.yt-dlp", "engine.yt_dlp"}) {
    CAPTURE(section);
    const auto config = read(std::string{"["} + section + "]\nprogram = \"/opt/yt-dlp\"\n");
    REQUIRE(config);
    CHECK(config->text("engine.yt_dlp.program") == "/opt/yt-dlp");
    CHECK(config->text("engine.gallery_dl.program").empty());
  }
}

TEST_CASE("a schedule of speed limits is read in order, and a bad window is told by its index") {
  const auto config = read(
      "[transfer]\nspeed_limit = \"10M\"\n"
      "speed_schedule = [\"08:00-18:00 2M\", \"mon-fri 22:00-06:00 unlimited\"]\n");
  REQUIRE(config);
  const auto settings = transfer_settings(*config, "/var/lib/haul");
  REQUIRE(settings);
  CHECK(settings->speed.otherwise == 10 << 20);
  REQUIRE(settings->speed.windows.size() == 2);
  CHECK(settings->speed.windows[0] == read_speed_window("08:00-18:00 2M").value());
  CHECK(settings->speed.windows[1].days == 0b0111110);
  CHECK((settings->speed.zone == &local_offset));

  const auto bad = read("[transfer]\nspeed_schedule = [\"08:00-18:00 2M\", \"08:00 2M\"]\n");
  REQUIRE_FALSE(bad);
  CHECK(bad.error().detail.ends_with(
      "haul.toml:2: transfer.speed_schedule[1]: \"08:00\" is not two times of day (expected e.g. "
      "08:00-18:00, at most 24:00)"));
  std::string many = "01:00-02:00 1K";
  for (std::size_t i = 1; i < kSpeedWindowsMax; ++i) many += ",01:00-02:00 1K";
  CHECK(read("", {{"HAUL__TRANSFER__SPEED_SCHEDULE", many}}));
  CHECK_FALSE(read("", {{"HAUL__TRANSFER__SPEED_SCHEDULE", many + ",01:00-02:00 1K"}}));
}

TEST_CASE("the sandbox is preferred or required, and nothing else") {
  CHECK(read("")->text("engine.sandbox") == "prefer");
  CHECK(read("[engine]\nsandbox = \"require\"\n")->text("engine.sandbox") == "require");
  CHECK_FALSE(read("[engine]\nsandbox = \"off\"\n"));
}

TEST_CASE("the environment goes before the file; what is wrong is told with its line") {
  const auto config = read("[engine.gallery-dl]\nprogram = \"/a\"\n[transfer]\nper_host = 3\n",
                           {{"HAUL__ENGINE__GALLERY_DL__PROGRAM", "/b"}});
  REQUIRE(config);
  CHECK(config->text("engine.gallery_dl.program") == "/b");
  CHECK(config->number("transfer.per_host") == 3);

  const auto relative = read("\n[engine.yt-dlp]\nprogram = \"yt-dlp\"\n");
  REQUIRE_FALSE(relative);
  CHECK(relative.error().detail.find("haul.toml:3: engine.yt_dlp.program") != std::string::npos);
  const auto unknown = read("[engine.yt-dlp]\nprogramm = \"/a\"\n");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().detail.find("did you mean 'engine.yt_dlp.program'") != std::string::npos);
}

TEST_CASE("a file that cannot be read is named without a line") {
  const testing::TempFolder folder;
  const auto config = Config::read(folder.path(), {});

  REQUIRE_FALSE(config);
  CHECK(config.error().detail.find(folder.path().filename().string() + ": ") != std::string::npos);
}

TEST_CASE("an unknown variable is told as the key that it would set, with the nearest") {
  const auto why = [](const char* variable) {
    const auto config = read("", {{variable, "x"}});
    return config ? std::string{"fine"} : config.error().detail;
  };
  CHECK(why("HAUL__TRANSFER__FOLDR") ==
        "HAUL__TRANSFER__FOLDR: unknown key 'transfer.foldr', did you mean 'transfer.folder'?");
  CHECK(why("HAUL__ENGINE__YT_DLP__PROGRAMM_FILE")
            .ends_with("did you mean 'engine.yt_dlp.program'?"));
  CHECK(why("HAUL__TRANSFER__FOO").find("unknown key 'transfer.foo'") != std::string::npos);
  CHECK(why("HAUL__").find("unknown key ''") != std::string::npos);
}

TEST_CASE("C19, C22: a key given twice and what is not UTF-8 are refused, with their line") {
  for (const char* text : {"[log]\nlevel = \"info\"\nlevel = \"debug\"\n",
                           "[log]\nlevel = \"info\"\n[log]\n", "[log]\nlevel = \"\xe9\"\n"}) {
    CAPTURE(text);
    const auto config = read(text);
    REQUIRE_FALSE(config);
    CHECK(config.error().code == "bad_config");
    CHECK(config.error().detail.find("haul.toml:") != std::string::npos);
  }
}

TEST_CASE("C22: lines may end as on Windows, and a byte order mark is no part of the first key") {
  const auto config = read("\xef\xbb\xbf[log]\r\nlevel = \"debug\"\r\n");
  REQUIRE(config);
  CHECK(config->text("log.level") == "debug");
}

TEST_CASE("C12: a path is absolute as it stands: no home, no variable, nothing relative") {
  for (const char* path : {"~/x", "$HOME/x", "x", "./x", "..", "${HOME}"}) {
    CAPTURE(path);
    CHECK_FALSE(read(std::string{"[transfer]\nfolder = \""} + path + "\"\n"));
  }
  for (const char* path : {"/srv/x/", "/srv//x", "/srv/./x"})
    CHECK(read(std::string{"[transfer]\nfolder = \""} + path + "\"\n"));
}

TEST_CASE("C2: an empty folder is none: the default holds, never the current folder") {
  const auto config = read("[transfer]\nfolder = \"\"\n");
  REQUIRE(config);
  CHECK(config->text("transfer.folder").empty());
}

TEST_CASE("C16: no number may be less than 1 unless zero means off, and none may be text") {
  for (const ConfigKey& key : config_keys()) {
    if (key.kind != ConfigKind::number) continue;
    const std::string name{key.name};
    const std::size_t dot = name.rfind('.');
    for (const char* value : {"0", "-1", "\"many\"", "1.5", "99999999999999999999"}) {
      CAPTURE(name);
      CAPTURE(value);
      const bool may_be_off = name == "importer.trash_days" || name == "image.price";
      if (may_be_off && std::string_view{value} == "0") continue;
      CHECK_FALSE(
          read(fmt::format("[{}]\n{} = {}\n", name.substr(0, dot), name.substr(dot + 1), value)));
    }
  }
}

TEST_CASE("a value that is not what its key wants is refused where it is read, with an example") {
  struct Bad {
    const char* section;
    const char* line;
    const char* why;
  };
  const Bad bad[] = {
      {"transfer", R"(allow_private = ["banana"])",
       "transfer.allow_private[0]: \"banana\" is not an address or CIDR range "
       "(expected e.g. 192.168.1.0/24)"},
      {"transfer", R"(allow_private = ["10.0.0.0/8", "10.0.0.1/8"])", "transfer.allow_private[1]"},
      {"transfer", "allow_private = [5]", "transfer.allow_private: expected a list of texts"},
      {"transfer", "allow_private = true", "transfer.allow_private: expected a list of texts"},
      {"transfer", "per_host = 0", "transfer.per_host: expected a whole number from 1 to 1000"},
      {"transfer", "per_host = 1001", "transfer.per_host: expected a whole number from 1 to 1000"},
      {"transfer", R"(per_host = "2")", "transfer.per_host: expected a whole number"},
      {"transfer", "per_host = 2.5", "transfer.per_host: expected a whole number"},
      {"transfer", R"(delay = "-1s")", "transfer.delay"},
      {"transfer", R"(delay = "3601s")",
       R"(transfer.delay: "3601s" is out of range (expected 0 to 1h))"},
      {"transfer", "delay = 5", "transfer.delay: expected a duration"},
      {"transfer", R"(speed_limit = "1023")",
       "transfer.speed_limit: expected at least 1K per second, or an empty value for no limit"},
      {"transfer", "folder = 5", "transfer.folder: expected a text in quotes"},
      {"transfer", R"(folder = "/a\u0000b")", "transfer.folder: control characters"},
      {"log", "level = true", "log.level: expected a text in quotes"},
      {"server", R"(listen = "nowhere")",
       R"(server.listen: "nowhere" is not an address and a port)"},
      {"server", R"(allowed_hosts = ["a b"])", "server.allowed_hosts[0]"},
      {"engine.qbittorrent", R"(url = "ftp://h")", "engine.qbittorrent.url: not an http"},
      {"engine.qbittorrent", R"(poll = "99ms")",
       R"(engine.qbittorrent.poll: "99ms" is out of range (expected 100ms to 1h))"},
      {"engine.qbittorrent", R"(path_map = ["a"])", "engine.qbittorrent.path_map[0]"},
      {"library.movies", R"(root = "films")", "library.movies.root: expected an absolute path"},
      {"library.series", R"(root = "/srv/../x")",
       R"(library.series.root: "/srv/../x" has ".." in it: write the whole path)"},
      {"library.movies", R"(naming = "{Movie Title} {Relase Year}")",
       "library.movies.naming: at character 15: no token {Relase Year}; did you mean {Release "
       "Year}?"},
      {"library.series", R"(naming = "{Movie Title}")",
       "library.series.naming: at character 1: {Movie Title} is not for series"},
      {"library.movies", R"(naming = "")", "library.movies.naming: at character 1: empty template"},
      {"importer", R"(cleanup_source = "true")", "importer.cleanup_source: expected true or false"},
      {"importer", "cleanup_source = 1", "importer.cleanup_source: expected true or false"},
      {"importer", R"(link = ["copy", "symlink"])",
       R"(importer.link[1]: "symlink" is not reflink, hardlink or copy)"},
      {"importer", R"(link = ["copy", "copy"])", R"(importer.link: "copy" is there twice)"},
      {"importer", "link = []",
       "importer.link: expected at least one of reflink, hardlink and copy"},
      {"importer", "trash_days = -1",
       "importer.trash_days: expected a whole number from 0 to 3650"},
      {"sink.plex", R"(url = "plex:32400")",
       "sink.plex.url: not an http or https address (expected e.g. http://127.0.0.1:32400)"},
      {"sink.plex", R"(url = "http://plex:32400")",
       "sink.plex.url: sink.plex.token is required, too"},
      {"sink.plex", R"(path_map = ["/data"])",
       R"(sink.plex.path_map[0]: "/data" is not two absolute paths)"},
      {"sink.plex", R"(path_map = ["identity", "/data=/srv"])",
       "sink.plex.path_map: 'identity': expected two absolute paths"},
      {"sink.plex", R"(match = "name")", "sink.plex.match: expected path or title"},
      {"sink.jellyfin", R"(url = "jelly")",
       "sink.jellyfin.url: not an http or https address (expected e.g. http://127.0.0.1:8096)"},
      {"sink.jellyfin", R"(url = "http://jelly:8096")",
       "sink.jellyfin.url: sink.jellyfin.token is required, too"},
      {"library", R"(check_every = "0s")",
       R"(library.check_every: "0s" is out of range (expected 1s to 7d))"},
  };
  for (const Bad& each : bad) {
    const auto config = read(fmt::format("[{}]\n{}\n", each.section, each.line));
    CAPTURE(each.line);
    REQUIRE_FALSE(config);
    CHECK_MESSAGE(
        config.error().detail.find(std::string{"haul.toml:2: "} + each.why) != std::string::npos,
        config.error().detail);
  }
}

TEST_CASE("C14: a torrent may be missing for one poll at least, whichever of the two is set") {
  CHECK(read("[engine.qbittorrent]\npoll = \"60s\"\n"));
  CHECK(read("[engine.qbittorrent]\npoll = \"61s\"\nmissing_grace = \"61s\"\n"));
  for (const char* bad : {"poll = \"61s\"", "missing_grace = \"14999ms\""}) {
    const auto config = read(fmt::format("[engine.qbittorrent]\n{}\n", bad));
    REQUIRE_FALSE(config);
    CHECK(config.error().detail.find("haul.toml:2: engine.qbittorrent.missing_grace: ") !=
          std::string::npos);
  }
  CHECK_FALSE(read("", {{"HAUL__ENGINE__QBITTORRENT__MISSING_GRACE", "0s"}}));
}

TEST_CASE("values at the edges of their ranges are taken, from the environment too") {
  const auto config = read(
      "[transfer]\ndelay = 0\nper_host = 1000\nallow_private = [\"10.0.0.0/8\", \"::1\"]\n"
      "[engine.qbittorrent]\npoll = \"100ms\"\n");
  REQUIRE(config);
  CHECK(config->list("transfer.allow_private").size() == 2);
  CHECK(read("[transfer]\ndelay = \"3600s\"\nspeed_limit = \"1K\"\n"));
  CHECK_FALSE(read("", {{"HAUL__TRANSFER__ALLOW_PRIVATE", "banana"}}));
  CHECK(read("", {{"HAUL__TRANSFER__ALLOW_PRIVATE", "10.0.0.0/8, fd00::/8"}}));
}

TEST_CASE("a file that does not exist is named, and no line of it") {
  const testing::TempFolder folder;
  const auto config = Config::read(folder / "none.toml", {});
  REQUIRE_FALSE(config);
  CHECK(config.error().detail == (folder / "none.toml").string() + " does not exist");
}

TEST_CASE(
    "F52: a file with a secret that others may read is refused, with the chmod that fixes it") {
  using std::filesystem::perms;
  const testing::TempFolder folder;
  const std::filesystem::path file = folder / "haul.toml";
  std::ofstream{file} << "[engine.qbittorrent]\nusername = \"ann\"\npassword = \"canary\"\n";
  const auto refused_with = [&](perms mode) {
    std::filesystem::permissions(file, mode);
    const auto config = Config::read(file, {});
    return config ? std::string{} : config.error().detail;
  };
  const perms own = perms::owner_read | perms::owner_write;
  CHECK(refused_with(own).empty());
  for (const perms others : {perms::group_read, perms::others_read}) {
    const std::string why = refused_with(own | others);
    CHECK(why.find("engine.qbittorrent.password") != std::string::npos);
    CHECK(why.find("chmod 600 '" + file.string() + "'") != std::string::npos);
    CHECK(why.find("canary") == std::string::npos);
  }
  std::ofstream{file} << "[engine.qbittorrent]\nusername = \"ann\"\npassword = \"\"\n";
  CHECK(refused_with(own | perms::others_read).empty());
}

TEST_CASE("F52: config show hides the user part of addresses, and secrets") {
  const auto config =
      read("", {{"HAUL__ENGINE__QBITTORRENT__URL", "http://ann:canary@127.0.0.1:8080"},
                {"HAUL__ENGINE__QBITTORRENT__PASSWORD", "canary2"}});
  const std::string text = config ? shown(*config) : config.error().detail;
  CHECK(text.find("canary") == std::string::npos);
}

TEST_CASE("config show prints each value with its source") {
  const auto config = read("", {{"HAUL__LOG__LEVEL", "debug"}});
  REQUIRE(config);

  const std::string text = shown(*config);

  const auto row = [](const char* key, const char* value, const char* source) {
    return fmt::format("{:<34} {:<24} {}\n", key, value, source);
  };
  CHECK(text.find(row("log.level", "debug", "HAUL__LOG__LEVEL")) != std::string::npos);
  CHECK(text.find(row("transfer.per_host", "2", "default")) != std::string::npos);
}

TEST_CASE("haul asks for no key that does not exist") {
  const auto config = read("");
  REQUIRE(config);
  for (const auto& ask : {std::function<void()>{[&] { config->text("log.levle"); }},
                          std::function<void()>{[&] { config->from("log.levle"); }}}) {
    const testing::Ending ending = testing::ending_of(ask);
    CHECK(ending.signal == SIGABRT);
    CHECK(ending.text.starts_with("haul: broken: the configuration has this key"));
  }
  CHECK(config->from("log.level") == kDefault);
}

TEST_CASE("a trusted proxy that is no network is refused where it is configured") {
  CHECK(read("[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n"));
  const auto bad = read("[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"banana\"]\n");
  REQUIRE_FALSE(bad);
  CHECK(bad.error().detail.find(
            "haul.toml:2: server.trusted_proxies[1]: \"banana\" is not an address "
            "or CIDR range") != std::string::npos);
}

}  // namespace haul::app
