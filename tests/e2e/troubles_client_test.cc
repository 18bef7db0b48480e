// What holds back books at a real qBittorrent, and films on their way into a library, made from
// outside: a client or a media server that is off, that refuses haul, or that does not have what
// haul expects. See troubles_test.cc.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>

#include "support/client/media_release.h"
#include "support/process/told_trouble.h"
#include "support/server/free_port.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr Millis kPoll = 1s;              // Longer than the client's polls.
constexpr Millis kMediaWait = 15s;        // After it haul asks a media server again.
constexpr std::size_t kBig = 20'000'000;  // Bytes that a slow seed sends for minutes.

// A book whose torrent the client downloads slowly.
struct SlowBook {
  RealTorrent torrent;
  std::string id;
};
SlowBook add_slow(BookBench& b, const std::string& name) {
  const RealTorrent torrent = b.swarm.make(name + ".epub", kBig, Swarm::Seed::slow);
  return {torrent, b.add(b.swarm.url_of(torrent), name)};
}

// What the client answers of a torrent. `stopped` and `removed` are downloading.
void check_torrents(BookBench& b, const SlowBook& stopped, const SlowBook& removed) {
  const RealTorrent alone = b.swarm.make("alone.epub", 1'000, Swarm::Seed::none);
  const std::string magnet = b.add("magnet:?xt=urn:btih:" + alone.v1, "magnet");
  check_told(
      b.daemon, magnet,
      {.code = "waiting_for_metadata", .because = "waits for metadata", .next_within = kPoll});

  const RealTorrent unseeded = b.swarm.make("unseeded.epub", 100'000, Swarm::Seed::none);
  const std::string stalled = b.add(b.swarm.url_of(unseeded), "unseeded");
  check_told(b.daemon, stalled,
             {.code = "stalled", .because = "stalled: no bytes", .next_within = kPoll});

  b.client.act("torrents/pause", "hashes=" + stopped.torrent.v1);
  check_told(b.daemon, stopped.id,
             {.code = "stopped_in_client",
              .because = "a user stopped it in the client",
              .next_within = kPoll});

  b.client.remove(removed.torrent.v1);
  check_told(
      b.daemon, removed.id,
      {.code = "missing", .because = "the client does not know it; grace", .next_within = kPoll});

  // The client fetched it before haul added it. Its file is gone since, which the client does not
  // notice.
  const RealTorrent pending = b.swarm.make("pending.epub", 100'000, Swarm::Seed::fast);
  b.client.add(pending.file);
  REQUIRE(b.client.comes_to(pending.v1, "stalledUP"));
  fs::remove(b.client.done() / "pending.epub");
  const std::string moved_away = b.add(b.swarm.url_of(pending), "pending");
  check_told(b.daemon, moved_away,
             {.code = "asset_pending",
              .because = "the file is not where it should be",
              .next_within = kPoll});
}

std::string add_film(MediaBench& b, const std::string& title) {
  return b.add_film(b.swarm.make(film_name(title), 100'000, Swarm::Seed::fast), title);
}

}  // namespace

TEST_CASE("each trouble with the client of books is named: why, haul why, the page") {
  BookBench b;
  const SlowBook stopped = add_slow(b, "stopped");
  const SlowBook removed = add_slow(b, "removed");
  const SlowBook fetched = add_slow(b, "fetched");
  const SlowBook cancelled = add_slow(b, "cancelled");
  for (const SlowBook& each : {stopped, removed, fetched, cancelled})
    REQUIRE(b.daemon.comes_to(each.id, "downloading"));
  check_torrents(b, stopped, removed);

  b.client.kill();
  check_told(b.daemon, fetched.id,
             {.code = "cannot_look",
              .because = "the client does not answer; haul waits for it (client_unreachable)",
              .next_within = kPoll});
  CHECK(b.daemon.post("/api/v1/jobs/" + cancelled.id + "/cancel").status() == 202);
  check_told(b.daemon, cancelled.id,
             {.code = "cancel_asked",
              .because = "the client must confirm that it stopped",
              .next_within = kPoll});
  const RealTorrent torrent = b.swarm.make("new.epub", 1'000, Swarm::Seed::fast);
  const std::string fresh = b.add(b.swarm.url_of(torrent), "new");
  check_told(b.daemon, fresh,
             {.code = "hand_over",
              .because = "the client does not answer; haul waits for it (client_unreachable)",
              .next_within = kPoll});

  b.daemon.stop();
  b.client.start();
  b.daemon.set("HAUL__ENGINE__QBITTORRENT__PASSWORD=not-the-word");
  b.daemon.start();
  check_told(
      b.daemon, fetched.id,
      {.code = "cannot_look", .because = "the client refuses haul's login", .next_within = kPoll});
}

TEST_CASE("each trouble of a film after its download is named: why, haul why, the page") {
  // No media server listens there.
  MediaBench b{{.more = {fmt::format("HAUL__SINK__PLEX__URL=http://127.0.0.1:{}", free_port())}}};
  const std::string off = add_film(b, "One");
  check_told(b.daemon, off,
             {.code = "server_unreachable",
              .because = "the media server does not answer",
              .next_within = kMediaWait});

  b.daemon.stop();
  b.daemon.set("HAUL__SINK__PLEX__URL=" + b.plex_port.url());
  b.plex_port.with([&] { b.plex.scans_at_once = false; });
  b.daemon.start();
  check_told(b.daemon, off,
             {.code = "not_proven",
              .because = "the media server does not list exactly this file yet",
              .next_within = kMediaWait});

  b.plex_port.with([&] { b.plex.mood = {.is = FakeMood::Is::unauthorized}; });
  const std::string refused = add_film(b, "Two");
  const std::string unknown = b.add_series(
      b.swarm.make_folder("Obscure", {{"first.mkv", 40'000}, {"second.mkv", 50'000}}), "Show");
  check_told(b.daemon, refused,
             {.code = "server_refused_token",
              .because = "refuses haul's token",
              .next_within = kMediaWait});
  check_told(b.daemon, unknown,
             {.code = "cannot_parse",
              .because = fmt::format("haul import {} --as S01E02", unknown),
              .next_within = kMediaWait});

  // As on a mount point whose disk is not there.
  fs::remove(b.movies() / ".haul-root");
  const std::string unmounted = add_film(b, "Three");
  check_told(b.daemon, unmounted,
             {.code = "root_not_mounted",
              .because = "the disk of its download root or of its library is not mounted",
              .next_within = kMediaWait});
}
