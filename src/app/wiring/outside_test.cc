#include "app/wiring/outside.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "lifecycle/tables.h"
#include "support/flow/script.h"
#include "support/io/open_gate.h"

namespace haul::testing {
namespace {

// The engines and sinks of a daemon with this client and this library, and no program on the search
// path.
struct OpenParts {
  explicit OpenParts(std::optional<qbittorrent::QbittorrentSettings> client,
                     std::optional<app::MediaLibrarySettings> library = {})
      : parts{clock,
              {.transfer = {.programs = {.search_path = "/no/such/folder"}},
               .client = std::move(client),
               .library = std::move(library)}} {
    parts.open(gate);
  }
  ~OpenParts() { parts.close(); }

  std::string lacks(const Lifecycle& lifecycle, std::string_view engine = {}) {
    return flow::not_ready(work, lifecycle, engine);
  }

  HandClock clock;
  OpenGate gate;
  app::OutsideParts parts;
  const std::vector<flow::LifecycleWork> work = flow::lifecycle_work(parts.outside());
};

app::MediaLibrarySettings films_alone() {
  app::MediaLibrarySettings settings;
  settings.library.store = "a1b2c3d4e5f6";
  settings.library.roots.movies.path = "/no/such/films";
  return settings;
}

constexpr const char* kNoLibrary = "configure library.movies.root or library.series.root";
constexpr const char* kNotBuilt = "is not available in this build";

}  // namespace

TEST_CASE("Z-30: each lifecycle names what it lacks; batch always has http") {
  OpenParts none{std::nullopt};

  CHECK(none.lacks(kBatch).empty());
  CHECK(none.lacks(kBatch, "http").empty());
  CHECK(none.lacks(kBatch, "yt-dlp") == "configure engine.yt_dlp.program, or install yt-dlp");
  CHECK(none.lacks(kBook) == "configure engine.qbittorrent.url");
  CHECK(none.lacks(kMedia) == std::string{"configure engine.qbittorrent.url; "} + kNoLibrary);
  CHECK(none.lacks(kRelay) == "configure relay.yandex_token; configure relay.telegram_token");
  CHECK(none.lacks(kImage).ends_with(kNotBuilt));
}

TEST_CASE("Z-30: a client that is configured is ready, even if it cannot be reached") {
  OpenParts with_client{qbittorrent::QbittorrentSettings{.url = "http://127.0.0.1:1"}};

  CHECK(with_client.lacks(kBook).empty());
  CHECK(with_client.lacks(kMedia) == kNoLibrary);
}

TEST_CASE("Z-30: films need their client and a library, and no media server") {
  const qbittorrent::QbittorrentSettings client{.url = "http://127.0.0.1:1"};
  CHECK(OpenParts{client, films_alone()}.lacks(kMedia).empty());
  CHECK(OpenParts{std::nullopt, films_alone()}.lacks(kMedia) == "configure engine.qbittorrent.url");

  app::MediaLibrarySettings with_plex = films_alone();
  with_plex.server = plex::PlexSettings{.url = "http://127.0.0.1:1", .token = "x"};
  CHECK(OpenParts{client, with_plex}.lacks(kMedia).empty());
  app::MediaLibrarySettings with_jellyfin = films_alone();
  with_jellyfin.server = jellyfin::JellyfinSettings{.url = "http://127.0.0.1:1", .api_key = "x"};
  CHECK(OpenParts{client, with_jellyfin}.lacks(kMedia).empty());

  // haul itself fetches films over HTTP, to a download root.
  const std::string lacks = OpenParts{std::nullopt, films_alone()}.lacks(kMedia, "http");
  CHECK(lacks == "configure importer.download_root");
  CHECK(OpenParts{client, films_alone()}.lacks(kMedia, "qbittorrent").empty());

  app::MediaLibrarySettings lacking = films_alone();
  lacking.lacks = "configure importer.download_root";
  CHECK(OpenParts{client, lacking}.lacks(kMedia) == "configure importer.download_root");
}

TEST_CASE("an engine that cannot be made leaves none of those open that were made before it") {
  bool refuses = false;
  struct Listener {
    explicit Listener(const bool& no) : refuses_copies{no} {}
    Listener(const Listener& other) : refuses_copies{other.refuses_copies} {
      if (refuses_copies) throw std::runtime_error{"cannot be copied"};
    }
    void operator()(const Fault*) const {}
    const bool& refuses_copies;
  };
  HandClock clock;
  OpenGate gate;
  app::OutsideParts parts{clock,
                          {.client = qbittorrent::QbittorrentSettings{
                               .url = "http://127.0.0.1:1", .on_trouble = Listener{refuses}}}};

  refuses = true;
  CHECK_THROWS_AS(parts.open(gate), std::runtime_error);
  CHECK_FALSE(parts.is_open());

  refuses = false;
  parts.open(gate);
  CHECK(parts.is_open());
  parts.close();
  CHECK_FALSE(parts.is_open());
}

}  // namespace haul::testing
