// F54: list C of the hostile inputs, from a file to the refusal that a user sees at the start.

#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "app/config/config.h"
#include "app/config/media_library.h"
#include "hostile/config.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using app::Config;

class Start {
 public:
  Start() {
    for (const char* folder : {"films", "series", "torrents/films", "home", "data"})
      fs::create_directories(temp_ / folder);
    fs::create_directory_symlink(temp_ / "torrents", temp_ / "link");
    std::ofstream{temp_ / "file"} << "no folder";
  }

  std::string filled(std::string text) const {
    for (std::size_t at = text.find("%T"); at != std::string::npos; at = text.find("%T"))
      text.replace(at, 2, temp_.path().string());
    return text;
  }

  // Why a daemon with this file does not start. Empty if it does.
  std::string refusal(const std::string& text) const {
    const fs::path file = temp_ / "haul.toml";
    std::ofstream{file, std::ios::binary} << filled(text);
    const auto config = Config::read(file, {});
    if (!config) return config.error().detail;
    const auto fits = app::check_media_roots(*config, temp_ / "data", (temp_ / "home").string());
    return fits ? "" : fits.error().detail;
  }

 private:
  TempFolder temp_;
};

}  // namespace

TEST_CASE("C4, C17, F54: every setting of list C is refused with its line, or does no harm") {
  const Start start;
  std::set<std::string> ids;
  for (const HostileConfig& each : kHostileConfigs) {
    ids.insert(each.id);
    INFO(each.id << ": " << each.text);
    const std::string why = start.refusal(each.text);
    CHECK_MESSAGE(why.empty() == each.refused.empty(), why);
    CHECK_MESSAGE(why.find(start.filled(each.refused)) != std::string::npos, why);
  }
  CHECK(ids == std::set<std::string>{"C1", "C11", "C12", "C14", "C16", "C17", "C19", "C2", "C21",
                                     "C22", "C24", "C4", "C6", "C7", "C9"});
}

}  // namespace haul::testing
