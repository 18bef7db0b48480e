#include "app/config.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "support/temp_folder.h"

namespace haul {
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

TEST_CASE("C16: no number may be less than 1, and none may be text") {
  for (const ConfigKey& key : config_keys()) {
    if (key.kind != ConfigKind::number) continue;
    const std::string name{key.name};
    const std::size_t dot = name.rfind('.');
    for (const char* value : {"0", "-1", "\"many\"", "1.5", "99999999999999999999"}) {
      CAPTURE(name);
      CAPTURE(value);
      CHECK_FALSE(
          read(fmt::format("[{}]\n{} = {}\n", name.substr(0, dot), name.substr(dot + 1), value)));
    }
  }
}

}  // namespace haul
