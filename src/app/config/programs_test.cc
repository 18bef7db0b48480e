#include "app/config/programs.h"

#include <doctest/doctest.h>

namespace haul::app {

TEST_CASE("haul get checks the variables of the programs as the daemon checks their keys") {
  const auto wrong = [](const Config::Environment& environment) {
    const auto settings = program_settings(environment);
    return settings ? std::string{} : settings.error().detail;
  };

  CHECK(wrong({{"HAUL__ENGINE__SANDBOX", "required"}}) ==
        "HAUL__ENGINE__SANDBOX: engine.sandbox: expected prefer or require");
  CHECK_FALSE(wrong({{"HAUL__ENGINE__SANDBOX", ""}}).empty());
  CHECK_FALSE(wrong({{"HAUL__ENGINE__YT_DLP__PROGRAM", "yt-dlp"}}).empty());
  CHECK_FALSE(wrong({{"HAUL__ENGINE__GALLERY_DL__PROGRAM_FILE", "/no/such/file"}}).empty());

  const auto settings = program_settings(
      {{"HAUL__ENGINE__SANDBOX", "require"}, {"HAUL__ENGINE__YT_DLP__PROGRAM", "/opt/yt-dlp"}});
  REQUIRE(settings.has_value());
  CHECK(settings->confine == io::Confine::require);
  CHECK(settings->yt_dlp == "/opt/yt-dlp");
  CHECK(settings->gallery_dl.empty());
}

TEST_CASE("haul get reads no other variables of the configuration") {
  CHECK(program_settings({{"HAUL__LOG__LEVEL", "loud"}, {"HAUL__NO__SUCH__KEY", "x"}}));
  CHECK(program_settings(Config::Environment{})->confine == io::Confine::prefer);
}

}  // namespace haul::app
