#include "app/config.h"

#include <doctest/doctest.h>

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

TEST_CASE("a trusted proxy that is no network is refused where it is configured") {
  CHECK(read("[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n"));
  const auto bad = read("[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"banana\"]\n");
  REQUIRE_FALSE(bad);
  CHECK(bad.error().detail.find("haul.toml:2: server.trusted_proxies: \"banana\" is not an address "
                                "or CIDR range") != std::string::npos);
}

}  // namespace haul
