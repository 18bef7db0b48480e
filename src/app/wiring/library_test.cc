#include "app/wiring/library.h"

#include <doctest/doctest.h>

#include "seam/not_configured.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

// Keeps the codes of the faults.
struct Faults final : Inbox {
  void push(Sight sight) override {
    if (const auto* failed = std::get_if<Failed>(&sight.what)) codes.push_back(failed->fault.code);
  }
  std::vector<std::string> codes;
};

}  // namespace

TEST_CASE("Z-30: without a library, the sink says what to configure") {
  HandClock clock;
  io::DiskSpace space;
  const auto sink = app::make_media_library(clock, space, std::nullopt);

  CHECK(sink->not_ready().text == "configure library.movies.root or library.series.root");
  Faults inbox;
  sink->land({.job = JobId{1}, .fence = 1}, inbox);
  CHECK((inbox.codes == std::vector<std::string>{kNotConfigured}));
}

TEST_CASE("a library is made and ended with either media server, or none") {
  HandClock clock;
  io::DiskSpace space;
  app::MediaLibrarySettings settings;
  settings.library.store = "a1b2c3d4e5f6";
  settings.library.roots.movies.path = "/no/such/films";
  for (const app::MediaServerSettings& server :
       {app::MediaServerSettings{},
        app::MediaServerSettings{plex::PlexSettings{.url = "http://127.0.0.1:1", .token = "x"}},
        app::MediaServerSettings{
            jellyfin::JellyfinSettings{.url = "http://127.0.0.1:1", .api_key = "x"}}}) {
    settings.server = server;
    CHECK(app::make_media_library(clock, space, settings)->not_ready().text.empty());
  }
}

}  // namespace haul::testing
