#include "app/config/download_folder.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

std::string checked(const fs::path& folder, const fs::path& data) {
  const TempFolder config_folder;
  std::ofstream{config_folder / "haul.toml"} << "[transfer]\nfolder = \"" << folder.string()
                                             << "\"\n";
  const auto config = app::Config::read(config_folder / "haul.toml", {});
  REQUIRE(config);
  const auto fits = app::check_download_folder(*config, data);
  if (fits) return "fine";
  const std::string from = (config_folder / "haul.toml").string() + ":2: transfer.folder: ";
  CHECK_MESSAGE(fits.error().detail.starts_with(from), fits.error().detail);
  return "refused";
}

}  // namespace

TEST_CASE("F54: the root, the data folder and what holds it are no folders for downloads") {
  const TempFolder home;
  const fs::path data = home / "state/data";
  fs::create_directories(data);

  for (const fs::path& bad : {fs::path{"/"}, fs::path{"//"}, fs::path{"/tmp/.."}, data, data / "",
                              data / "..", home / "state", home.path(), data / "other"})
    CHECK_MESSAGE(checked(bad, data) == "refused", bad);
  for (const fs::path& fine : {home / "state/data2", home / "other", home / "missing/deep",
                               data / "downloads", data / "downloads/films"})
    CHECK_MESSAGE(checked(fine, data) == "fine", fine);
}

TEST_CASE("F54: a link to the data folder is the data folder") {
  const TempFolder home;
  fs::create_directories(home / "data");
  fs::create_directory_symlink(home / "data", home / "link");

  CHECK(checked(home / "link", home / "data") == "refused");
  CHECK(checked(home / "link/x", home / "data") == "refused");
  CHECK(checked(home / "data", home / "link") == "refused");
}

TEST_CASE("F54: a file is no folder for downloads, and neither is what lies below one") {
  const TempFolder home;
  std::ofstream{home / "file"} << "x";

  CHECK(checked(home / "file", home / "data") == "refused");
  CHECK(checked(home / "file/below/it", home / "data") == "refused");
  CHECK(checked(home / "file2", home / "data") == "fine");
}

TEST_CASE("F54: no folder is set, so the default holds") {
  CHECK(app::check_download_folder(app::Config::read({}, {}).value(), "/"));
}

}  // namespace haul::testing
