#pragma once
// A film or a season pack on its whole way: fetched, imported, proven by a media server, cleaned.
// What must be true at the end is the same for every server.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/client/media_bench.h"
#include "support/store/invariants.h"

namespace haul::testing {

constexpr const char* kWholeTrail = "queued > downloading > completed > imported > cleaned";

enum class ReleaseKind : std::uint8_t { film, pack };

struct ReleasedVideo {
  std::string path;            // In the release's folder. Empty if the release is one file.
  std::filesystem::path copy;  // Where the default template puts it.
};

struct MediaRelease {
  ReleaseKind kind = ReleaseKind::film;
  std::string title;
  RealTorrent torrent;
  std::vector<ReleasedVideo> videos;  // Those that haul must import.
};

inline std::string film_name(const std::string& title, const std::string& extension = ".mkv") {
  return title + ".2020.1080p.WEB-DL.x264-GRP" + extension;
}

inline std::filesystem::path film_in(const MediaBench& b, const std::string& title,
                                     const std::string& extension = ".mkv") {
  const std::string name = title + " (2020)";
  return b.movies() / name / (name + " [WEBDL-1080p]" + extension);
}

// The pack of these tests: the first season of "Show".
constexpr const char* kPackName = "Show.S01.1080p.WEB-DL.x264-GRP";
constexpr int kPackEpisodes = 3;

inline std::string episode_name(int episode, const std::string& extension = ".mkv") {
  return fmt::format("Show.S01E{:02}.1080p.WEB-DL.x264-GRP{}", episode, extension);
}

inline MediaRelease as_film(const MediaBench& b, const RealTorrent& torrent,
                            const std::string& title) {
  const std::string extension = std::filesystem::path{torrent.name}.extension().string();
  return {.kind = ReleaseKind::film,
          .title = title,
          .torrent = torrent,
          .videos = {{.path = {}, .copy = film_in(b, title, extension)}}};
}

inline MediaRelease as_pack(const MediaBench& b, const RealTorrent& torrent,
                            const std::string& extension = ".mkv") {
  MediaRelease pack{.kind = ReleaseKind::pack, .title = "Show", .torrent = torrent, .videos = {}};
  for (int i = 1; i <= kPackEpisodes; ++i)
    pack.videos.push_back(
        {.path = episode_name(i, extension),
         .copy = b.series() / "Show/Season 01" / fmt::format("Show - S01E{:02}{}", i, extension)});
  return pack;
}

// A release of random bytes. A pack also has files that haul must not import.
inline MediaRelease make_release(MediaBench& b, ReleaseKind kind) {
  if (kind == ReleaseKind::film)
    return as_film(b, b.swarm.make(film_name("Emma"), 300'000, Swarm::Seed::fast), "Emma");
  return as_pack(b, b.swarm.make_folder(kPackName, {{episode_name(1), 400'000},
                                                    {episode_name(2), 500'000},
                                                    {episode_name(3), 600'000},
                                                    {"Sample/show.s01e01.sample.mkv", 20'000},
                                                    {"show.nfo", 900}}));
}

// What a media server itself knows, with the paths that it sees.
struct ServerRecord {
  std::map<std::string, std::int64_t> listed;  // The sizes of its files.
  std::set<std::string> scanned;               // The folders that it was asked to look through.
};

inline ServerRecord record_of(MediaPlaces& places, IndexedBy by) {
  ServerRecord record;
  const auto note = [&](const FakeMediaServer& server) {
    record.scanned = {server.asked_to_scan.begin(), server.asked_to_scan.end()};
  };
  if (by == IndexedBy::plex)
    places.plex_port.with([&] {
      note(places.plex);
      for (const FakePlexFile& each : places.plex.files()) record.listed[each.file] = each.size;
    });
  else
    places.jellyfin_port.with([&] {
      note(places.jellyfin);
      for (const FakeItem& each : places.jellyfin.items)
        record.listed[each.path] = each.size.value_or(-1);
    });
  return record;
}

// Every file of the release was deleted from the client's folder, the event names each, and the
// client has let go of the torrent.
inline void check_source_gone(MediaBench& b, const std::string& id, const RealTorrent& torrent) {
  const std::filesystem::path source = b.client.done() / torrent.name;
  const std::filesystem::path made = b.swarm.files() / torrent.name;
  std::string deleted;
  if (std::filesystem::is_directory(made))
    for (const std::string& file : files_below(made))
      deleted += fmt::format("{}{}|deleted", deleted.empty() ? "" : "\n", (source / file).string());
  else
    deleted = source.string() + "|deleted";
  CHECK(b.sql(fmt::format("SELECT json_extract(value, '$.path'), json_extract(value, '$.outcome') "
                          "FROM events, json_each(data, '$.sources') WHERE job = {} AND "
                          "to_state = 'cleaned' ORDER BY 1",
                          id)) == deleted);
  CHECK(b.reason(id, "cleaned") == "deleted");
  CHECK_FALSE(std::filesystem::exists(source));
  CHECK_FALSE(b.client.torrents().contains(torrent.v1));
}

// The library has the videos and nothing else, the server was asked to look through their folders
// and through no other, and lists them. The receipt says so, as it was before the clean and after.
inline void check_proven(MediaBench& b, const std::string& id, const MediaRelease& release,
                         IndexedBy by) {
  const std::filesystem::path root = release.kind == ReleaseKind::film ? b.movies() : b.series();
  std::set<std::string> copies;
  ServerRecord expected;
  std::string proven;
  for (const auto& [path, copy] : release.videos) {
    const std::string content = b.swarm.content(release.torrent, path);
    CHECK_FALSE(content.empty());
    CHECK_MESSAGE((content_of(copy) == content), copy.string());
    copies.insert(copy.lexically_relative(root).string());
    expected.listed[b.there(copy)] = static_cast<std::int64_t>(content.size());
    expected.scanned.insert(b.there(copy.parent_path()));
    proven += fmt::format(R"({}{{"path":"{}","size":{}}})", proven.empty() ? "" : ",",
                          copy.string(), content.size());
  }
  CHECK(files_below(root) == copies);

  const ServerRecord record = record_of(b, by);
  CHECK(record.listed == expected.listed);
  CHECK(record.scanned == expected.scanned);

  const std::string receipt = fmt::format(R"([{}]|{{"by":"{}","match":"path"}})", proven,
                                          by == IndexedBy::plex ? "plex" : "jellyfin");
  const std::string members = "SELECT json_extract(data, '$.files'), json_extract(data, '$.proof')";
  CHECK(b.sql(members + " FROM intents WHERE kind = 'clean' AND job = " + id) == receipt);
  CHECK(b.sql(members + " FROM events WHERE to_state = 'cleaned' AND job = " + id) == receipt);
}

// Adds the release, waits until it is cleaned, and checks all of the above.
inline void check_whole_way(MediaBench& b, const MediaRelease& release, IndexedBy by) {
  const std::string id = release.kind == ReleaseKind::film
                             ? b.add_film(release.torrent, release.title)
                             : b.add_series(release.torrent, release.title);
  REQUIRE(b.cleaned(id));
  CHECK(b.trail(id) == kWholeTrail);
  CHECK(b.why(id) == "arrived");
  check_proven(b, id, release, by);
  check_source_gone(b, id, release.torrent);
}

// Stops the daemon. Nothing that it began may be open, and the store must be sound.
inline void check_store(MediaBench& b) {
  CHECK(b.sql("SELECT count(*) FROM intents WHERE state <> 'done'") == "0");
  CHECK(b.daemon.stop() == 0);
  Sql store{b.daemon.data() / "haul.db"};
  CHECK(broken_invariants(store).empty());
}

}  // namespace haul::testing
