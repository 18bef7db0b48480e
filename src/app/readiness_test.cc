#include "app/readiness.h"

#include <doctest/doctest.h>

#include <fstream>

#include "lifecycle/tables.h"
#include "support/temp_folder.h"

namespace haul {

TEST_CASE("Z-30: each lifecycle names what it lacks; batch always has http") {
  const ProgramPaths none{.yt_dlp = {}, .gallery_dl = {}, .search_path = "/no/such/folder"};
  CHECK(missing_setting(kBatch, "", Client::absent, none).empty());
  CHECK(missing_setting(kBatch, "http", Client::absent, none).empty());
  CHECK(missing_setting(kBook, "", Client::absent, none) == "configure engine.qbittorrent.url");
  CHECK(missing_setting(kBook, "", Client::configured, none).empty());
  for (const Lifecycle* none_yet : {&kMedia, &kRelay, &kImage})
    CHECK(missing_setting(*none_yet, "", Client::configured, none) ==
          std::string{none_yet->name} + " is not available in this build");
}

TEST_CASE("Z-30: an engine's program is on the search path, or where the configuration says") {
  const testing::TempFolder folder;
  const std::filesystem::path program = folder / "yt-dlp";
  ProgramPaths paths{
      .yt_dlp = {}, .gallery_dl = {}, .search_path = "/no:" + folder.path().string()};
  const auto missing = [&] { return missing_setting(kBatch, "yt-dlp", Client::absent, paths); };
  CHECK(missing().starts_with("configure engine.yt_dlp.program"));
  std::ofstream{program} << "#!/bin/sh\n";
  CHECK_FALSE(missing().empty());  // It is not executable.
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  CHECK(missing().empty());
  paths.yt_dlp = "/no/such/yt-dlp";
  CHECK_FALSE(missing().empty());
  CHECK_FALSE(missing_setting(kBatch, "gallery-dl", Client::absent, paths).empty());
}

}  // namespace haul
