// Films and series through a real qBittorrent into a library that a real indexer looks through:
// minidlna from Debian. It decides by itself what it lists, so it shows that path and size prove a
// file.

#include "support/server/minidlna.h"

#include <doctest/doctest.h>

#include <set>

#include "support/client/media_release.h"
#include "support/process/media.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

// The fake of Plex passes on what minidlna lists of one folder of the library.
struct MinidlnaBench : MediaBench {
  explicit MinidlnaBench(ReleaseKind kind)
      : MediaBench{{.link = "copy"}},
        minidlna{std::make_shared<MinidlnaAsPlex>(
            plex, kind == ReleaseKind::film ? movies() : series())} {
    plex_port.with([&] { plex.scans_at_once = false; });
    plex_port.serve([own = minidlna](const io::HttpRequest& sent) { return own->answer(sent); });
  }

  // What minidlna's own database has.
  std::map<std::string, std::int64_t> listed() {
    std::map<std::string, std::int64_t> videos;
    plex_port.with([&] { videos = minidlna->indexer().videos(); });
    return videos;
  }

  std::shared_ptr<MinidlnaAsPlex> minidlna;
};

// Whether minidlna lists the release's videos with their sizes, and nothing else.
void check_listed(MinidlnaBench& b, const MediaRelease& release) {
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [path, copy] : release.videos)
    sizes[copy.string()] = static_cast<std::int64_t>(b.swarm.content(release.torrent, path).size());
  CHECK(b.listed() == sizes);
}

}  // namespace

TEST_CASE("S1-10, S1-18: what minidlna lists is proven and its source goes, all else stays") {
  MinidlnaBench b{ReleaseKind::film};
  const MediaRelease film =
      as_film(b, b.swarm.make_from(media_folder() / "clip.mp4", film_name("Emma", ".mp4")), "Emma");
  check_whole_way(b, film, IndexedBy::plex);
  CHECK(fs::is_empty(b.client.done()));
  check_listed(b, film);

  // These bytes are no video, and minidlna lists only videos.
  const RealTorrent noise = b.swarm.make(film_name("Noise"), 300'000, Swarm::Seed::fast);
  const std::string other = b.add_film(noise, "Noise");
  REQUIRE(b.waits_for_proof(other));

  CHECK(b.state(other) == "imported");
  CHECK(content_of(film_in(b, "Noise")) == b.swarm.content(noise));
  CHECK(content_of(b.client.done() / noise.name) == b.swarm.content(noise));
  CHECK(b.listed().size() == 1);
  CHECK(b.daemon.stop() == 0);
}

TEST_CASE("S1-10, S1-18, S1-21: minidlna lists every episode of a pack, and then its folder goes") {
  MinidlnaBench b{ReleaseKind::pack};
  const TempFolder clips;
  std::set<std::string> contents;
  for (int i = 1; i <= kPackEpisodes; ++i) {
    make_clip(clips / episode_name(i, ".mp4"), i);
    contents.insert(content_of(clips / episode_name(i, ".mp4")));
  }
  REQUIRE(contents.size() == kPackEpisodes);

  const MediaRelease pack = as_pack(b, b.swarm.make_from(clips.path(), kPackName), ".mp4");
  check_whole_way(b, pack, IndexedBy::plex);
  CHECK(fs::is_empty(b.client.done()));
  check_listed(b, pack);
  check_store(b);
}
