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

// The engines and sinks of a daemon with this client, and no program on the search path.
struct OpenParts {
  explicit OpenParts(std::optional<qbittorrent::QbittorrentSettings> client)
      : parts{clock,
              {.transfer = {.programs = {.search_path = "/no/such/folder"}},
               .client = std::move(client)}} {
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

constexpr const char* kNotBuilt = "is not available in this build";

}  // namespace

TEST_CASE("Z-30: each lifecycle names what it lacks; batch always has http") {
  OpenParts none{std::nullopt};

  CHECK(none.lacks(kBatch).empty());
  CHECK(none.lacks(kBatch, "http").empty());
  CHECK(none.lacks(kBatch, "yt-dlp") == "configure engine.yt_dlp.program, or install yt-dlp");
  CHECK(none.lacks(kBook) == "configure engine.qbittorrent.url");
  CHECK(none.lacks(kMedia) == "importing into a library is not available in this build");
  for (const Lifecycle* none_yet : {&kMedia, &kRelay, &kImage})
    CHECK(none.lacks(*none_yet).ends_with(kNotBuilt));
}

TEST_CASE("Z-30: a client that is configured is ready, even if it cannot be reached") {
  OpenParts with_client{qbittorrent::QbittorrentSettings{.url = "http://127.0.0.1:1"}};

  CHECK(with_client.lacks(kBook).empty());
  CHECK(with_client.lacks(kMedia).ends_with(kNotBuilt));
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
