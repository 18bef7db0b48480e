#include "app/config/category.h"

#include <doctest/doctest.h>

#include <fstream>

#include "app/config/config.h"
#include "app/config/describe.h"
#include "support/io/temp_folder.h"

namespace haul::app {
namespace {

Result<Config> read(const std::string& text, const Config::Environment& environment = {}) {
  const testing::TempFolder folder;
  const std::filesystem::path file = folder / "haul.toml";
  std::ofstream{file} << text;
  return Config::read(file, environment);
}

// What is wrong, without the file's folder.
std::string why_not(const std::string& text) {
  const auto config = read(text);
  if (config) return "fine";
  return config.error().detail.substr(config.error().detail.find("haul.toml"));
}

// "films|Films|films/new|speed_limit=2097152|per_host=1|delay=\"5s\""
std::string shown(const Category& category) {
  std::string out = category.name + "|" + category.label + "|" + category.folder;
  for (const JsonField& limit : category.limits) out += "|" + limit.name + "=" + limit.json;
  return out;
}

}  // namespace

TEST_CASE("categories are sections that users name, each key with its default") {
  const auto config = read(
      "[category.tv-shows]\nlabel = \"Series\"\n[category.empty]\n"
      "[category.films]\nfolder = \"films/new\"\nspeed_limit = \"2M\"\nper_host = 1\n"
      "delay = \"5s\"\n",
      {{"HAUL__CATEGORY__MUSIC__FOLDER", "music"}});
  REQUIRE_MESSAGE(config, config.error().detail);
  const std::vector<Category> all = categories(*config);

  REQUIRE(all.size() == 4);
  CHECK(shown(all[0]) == "empty||");
  CHECK(shown(all[1]) == R"(films||films/new|speed_limit=2097152|per_host=1|delay="5s")");
  CHECK(shown(all[2]) == "music||music");
  CHECK(shown(all[3]) == "tv-shows|Series|");
  CHECK(shown(*config).contains("category.films.folder"));
  CHECK(shown(*config).contains("HAUL__CATEGORY__MUSIC__FOLDER"));
  CHECK_FALSE(shown(*config).contains("NAME"));
  CHECK(config_doc().contains("`category.NAME.folder`"));
  CHECK(categories(*read("")).empty());
}

TEST_CASE("a category's bad name, key and value are told with their line") {
  CHECK(why_not("[category.Films]\nfolder = \"a\"\n") ==
        "haul.toml:2: 'Films' in 'category.Films.folder': expected 1 to 32 of a to z, 0 to 9, - "
        "and _");
  CHECK(why_not("[category.films]\nfoldr = \"a\"\n")
            .starts_with("haul.toml:2: unknown key 'category.films.foldr'"));
  CHECK(why_not("[category]\nfolder = \"a\"\n").contains("unknown key 'category.folder'"));
  CHECK(why_not("[category.films.new]\nfolder = \"a\"\n") != "fine");
  for (const char* folder : {"/srv/films", "../films", "a/../../films"})
    CHECK_MESSAGE(why_not(std::string{"[category.films]\nfolder = \""} + folder + "\"\n")
                      .ends_with("is not below transfer.folder (expected e.g. films/new)"),
                  folder);
  CHECK(why_not("[category.films]\nspeed_limit = \"1023\"\n")
            .contains("category.films.speed_limit: expected at least 1K per second"));
  CHECK(why_not("[category.films]\nper_host = 1001\n").contains("from 0 to 1000"));
  CHECK(why_not("[category.films]\ndelay = \"2h\"\n").contains("out of range"));
  CHECK(why_not("[category.films]\nlabel = \"" + std::string(61, 'a') + "\"\n")
            .ends_with("expected at most 60 bytes"));
}

TEST_CASE("there are at most 100 categories") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "[category.c" + std::to_string(i) + "]\n";
  CHECK(why_not(text) == "fine");
  CHECK_FALSE(read(text + "[category.more]\n"));
}

}  // namespace haul::app
