// Films through a real qBittorrent into a library that a real indexer looks through: minidlna from
// Debian. It decides by itself what it lists, so it shows that path and size prove a file.

#include "support/server/minidlna.h"

#include <doctest/doctest.h>

#include "support/client/media_bench.h"
#include "support/process/media.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

TEST_CASE("S1-10, S1-18: what minidlna lists is proven and its source goes, all else stays") {
  MediaBench b{{.link = "copy"}};
  const auto minidlna = std::make_shared<MinidlnaAsPlex>(b.plex, b.movies());
  b.plex_port.with([&] { b.plex.scans_at_once = false; });
  b.plex_port.serve([minidlna](const io::HttpRequest& sent) { return minidlna->answer(sent); });
  const auto listed = [&] {
    std::map<std::string, std::int64_t> videos;
    b.plex_port.with([&] { videos = minidlna->indexer().videos(); });
    return videos;
  };

  const RealTorrent film =
      b.swarm.make_from(media_folder() / "clip.mp4", "Emma.2020.1080p.WEB-DL.x264-GRP.mp4");
  const fs::path copy = b.movies() / "Emma (2020)/Emma (2020) [WEBDL-1080p].mp4";
  const std::string id = b.add_film(film, "Emma");
  REQUIRE(b.cleaned(id));

  CHECK(b.trail(id) == "queued > downloading > completed > imported > cleaned");
  CHECK(b.reason(id, "cleaned") == "deleted");
  CHECK(b.told(id, "cleaned", "$.files[0].path") == copy.string());
  CHECK(b.told(id, "cleaned", "$.files[0].size") == std::to_string(film.size));
  CHECK(content_of(copy) == b.swarm.content(film));
  CHECK(fs::is_empty(b.client.done()));
  CHECK(listed() ==
        std::map<std::string, std::int64_t>{{copy.string(), static_cast<std::int64_t>(film.size)}});

  // These bytes are no video, and minidlna lists only videos.
  const RealTorrent noise =
      b.swarm.make("Noise.2020.1080p.WEB-DL.x264-GRP.mkv", 300'000, Swarm::Seed::fast);
  const std::string other = b.add_film(noise, "Noise");
  REQUIRE(b.waits_for_proof(other));

  CHECK(b.state(other) == "imported");
  CHECK(content_of(b.movies() / "Noise (2020)/Noise (2020) [WEBDL-1080p].mkv") ==
        b.swarm.content(noise));
  CHECK(content_of(b.client.done() / noise.name) == b.swarm.content(noise));
  CHECK(listed().size() == 1);
  CHECK(b.daemon.stop() == 0);
}
