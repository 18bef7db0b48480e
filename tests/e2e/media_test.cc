// Films and series through a real qBittorrent into a library that a media server indexes: what a
// user would see, what the disk has, and that a source goes only after its copy is proven.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "support/client/media_release.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

// A film of one file, with its places. Its source is watched from now.
struct Film {
  Film(MediaBench& bench, std::string called, std::size_t size,
       Swarm::Seed seed = Swarm::Seed::fast)
      : b{bench},
        title{std::move(called)},
        torrent{b.swarm.make(film_name(title), size, seed)},
        source{b.client.done() / torrent.name},
        copy{film_in(b, title)},
        watch{{{.source = source, .copy = copy, .size = size}}} {}

  MediaBench& b;
  std::string title;
  RealTorrent torrent;
  fs::path source;
  fs::path copy;
  CopyWatch watch;

  std::string add() { return b.add_film(torrent, title); }
  bool has_source() const { return content_of(source) == b.swarm.content(torrent); }
  bool has_copy() const { return content_of(copy) == b.swarm.content(torrent); }

  // After whatever happened on the way.
  void check_end(const std::string& id) {
    CHECK(b.trail(id) == kWholeTrail);
    CHECK(has_copy());
    CHECK_FALSE(fs::exists(source));
    CHECK(files_below(copy.parent_path()) == std::set<std::string>{copy.filename().string()});
    CHECK_FALSE(b.client.torrents().contains(torrent.v1));
    CHECK(watch.begun() == 1);
    CHECK_FALSE(watch.has_lost());
  }
};

// The whole way of a release with a fake of this server.
void check_way(ReleaseKind kind, IndexedBy by) {
  MediaBench b{{.link = "hardlink", .by = by}};
  check_whole_way(b, make_release(b, kind), by);
  CHECK(fs::is_empty(b.client.done()));
  CHECK(b.client.torrents().empty());
  check_store(b);
}

std::string limit_of_seeding(int minutes) {
  return fmt::format(R"(json={{"max_seeding_time_enabled":{},"max_seeding_time":{}}})",
                     minutes > 0 ? "true" : "false", minutes);
}

// The moments at which the daemon is killed.

void kill_after_completed(MediaBench& b) {
  Film film{b, "One", 300'000};
  fs::create_directories(film.copy.parent_path());
  std::ofstream{film.copy} << "of a user";
  const std::string id = film.add();
  REQUIRE(b.why_comes_to(id, "destination_taken"));
  CHECK(b.state(id) == "completed");
  b.daemon.kill();
  CHECK(content_of(film.copy) == "of a user");
  CHECK(film.has_source());
  fs::remove(film.copy);
  b.daemon.start();
  REQUIRE(b.cleaned(id));
  film.check_end(id);
}

// False if the import was over by then. Of all moments, this one and kill_in_clean are short.
bool kill_in_import(MediaBench& b, const std::string& title) {
  Film film{b, title, 96'000'000};
  const std::string id = film.add();
  const fs::path folder = film.copy.parent_path();
  REQUIRE(comes_true([&] { return fs::exists(folder) && !fs::is_empty(folder); }));
  b.daemon.kill();
  const bool is_caught = !fs::exists(film.copy);
  if (is_caught) {
    CHECK(files_below(folder).size() == 1);  // The part.
    CHECK(film.has_source());
    CHECK(b.sql("SELECT state FROM jobs WHERE id = " + id) == "completed");
  }
  b.daemon.start();
  REQUIRE(b.cleaned(id));
  film.check_end(id);
  return is_caught;
}

void kill_after_imported(MediaBench& b) {
  b.plex_port.with([&] { b.plex.scans_at_once = false; });
  Film film{b, "Three", 300'000};
  const std::string id = film.add();
  REQUIRE(b.why_comes_to(id, "not_proven"));
  CHECK(b.state(id) == "imported");
  b.daemon.kill();
  CHECK(film.has_source());
  CHECK(film.has_copy());
  b.plex_port.with([&] {
    b.plex.scan();
    b.plex.scans_at_once = true;
  });
  b.daemon.start();
  REQUIRE(b.cleaned(id));
  film.check_end(id);
}

void kill_before_clean(MediaBench& b) {
  b.client.act("app/setPreferences", limit_of_seeding(60));
  Film film{b, "Four", 300'000};
  const std::string id = film.add();
  REQUIRE(b.why_comes_to(id, "seeding"));
  CHECK(b.state(id) == "imported");
  CHECK(b.why_text(id).find("of 60 min") != std::string::npos);
  CHECK(b.why_text(id).find("at the latest") != std::string::npos);
  b.daemon.kill();
  CHECK(film.has_source());
  CHECK(film.has_copy());
  CHECK(b.client.torrents().contains(film.torrent.v1));
  b.client.act("app/setPreferences", limit_of_seeding(0));
  b.daemon.start();
  REQUIRE(b.cleaned(id));
  film.check_end(id);
}

// False if the clean was over by then.
bool kill_in_clean(MediaBench& b, const std::string& title) {
  const std::string video = film_name(title);
  std::map<std::string, std::size_t> files = {{video, 300'000}};
  for (int i = 0; i < 200; ++i) files[fmt::format("More/{:03}/text.txt", i)] = 1'000;
  const RealTorrent torrent = b.swarm.make_folder(fs::path{video}.stem().string(), files);
  const fs::path source = b.client.done() / torrent.name;
  const fs::path copy = film_in(b, title);
  const CopyWatch watch{{{.source = source / video, .copy = copy, .size = files.at(video)}}};
  const std::string id = b.add_film(torrent, title);
  REQUIRE(b.daemon.comes_to(id, "imported"));
  REQUIRE(comes_true([&] { return !fs::exists(source / "More/000/text.txt"); }));
  b.daemon.kill();
  const bool is_caught = fs::exists(source / "More/199/text.txt");
  CHECK(content_of(copy) == b.swarm.content(torrent, video));
  b.daemon.start();
  REQUIRE(b.cleaned(id));
  CHECK(b.trail(id) == kWholeTrail);
  CHECK(content_of(copy) == b.swarm.content(torrent, video));
  CHECK_FALSE(fs::exists(source));
  CHECK(watch.begun() == 1);
  CHECK_FALSE(watch.has_lost());
  return is_caught;
}

// Whether the daemon was killed at the wanted moment. Tries again if the moment was missed.
template <class Kill>
bool is_caught(const Kill& kill) {
  for (int i = 1; i <= 5; ++i)
    if (kill(i)) return true;
  return false;
}

}  // namespace

TEST_CASE("S1-18, A1-11: a film is linked into the library, proven by Plex, and its source goes") {
  MediaBench b{{.link = "hardlink"}};
  std::ofstream{b.client.done() / "another.txt"} << "of a user";
  Film film{b, "Emma", 300'000, Swarm::Seed::slow};
  const std::string id = film.add();
  REQUIRE(b.has_bytes(film.torrent.name));
  const fs::path incomplete = b.client.done().parent_path() / "incomplete" / film.torrent.name;
  const SeenFile fetched = id_of(incomplete);
  REQUIRE(b.cleaned(id));

  film.check_end(id);
  const SeenFile linked = id_of(film.copy);
  CHECK(linked.device == fetched.device);
  CHECK(linked.inode == fetched.inode);
  CHECK(linked.links == 1);
  CHECK(content_of(b.client.done() / "another.txt") == "of a user");
  CHECK(b.client.torrents().empty());

  CHECK(b.told(id, "imported", "$.files[0].how") == "hardlink");
  CHECK(b.told(id, "imported", "$.files[0].path") == film.copy.string());
  CHECK(b.told(id, "imported", "$.files[0].source") == film.torrent.name);
  CHECK(b.told(id, "cleaned", "$.files[0].path") == film.copy.string());
  CHECK(b.told(id, "cleaned", "$.files[0].size") == "300000");
  CHECK(b.told(id, "cleaned", "$.sources[0].path") == film.source.string());
  CHECK(b.told(id, "cleaned", "$.sources[0].outcome") == "deleted");
  CHECK(b.reason(id, "cleaned") == "deleted");
  CHECK(b.why(id) == "arrived");
  CHECK(b.sql("SELECT title, release_name, status FROM contract_media_downloads") ==
        "Emma|" + film.torrent.name + "|cleaned");
  b.plex_port.with([&] {
    const std::string told = b.plex.told();
    CHECK_MESSAGE(told.find("/library/sections/1/refresh path=" +
                            b.there(film.copy.parent_path())) != std::string::npos,
                  told);
  });
  check_store(b);
}

TEST_CASE("S1-18, S1-5: a film is copied into the library with its hash, and its source goes") {
  MediaBench b{{.link = "copy"}};
  Film film{b, "Emma", 3'000'000};
  const std::string id = film.add();
  REQUIRE(b.cleaned(id));

  film.check_end(id);
  CHECK(b.told(id, "imported", "$.files[0].how") == "copy");
  CHECK(b.told(id, "imported", "$.files[0].sha256").size() == 64);
  CHECK(b.reason(id, "cleaned") == "deleted");
  CHECK(files_below(b.client.done()).empty());
  CHECK(b.daemon.get("/health/ready").body() == R"({"status":"ready"})");
  for (const char* path : {"", "/events", "/why", "/result"})
    CHECK(b.daemon.get("/api/v1/jobs/" + id + path).body().find(b.plex.token) == std::string::npos);
  check_store(b);
}

TEST_CASE("S1-18, A1-11: a film is proven by Jellyfin by its path and size, and its source goes") {
  check_way(ReleaseKind::film, IndexedBy::jellyfin);
}

TEST_CASE("S1-21: every episode of a pack is imported, its sample is not, and its folder goes") {
  check_way(ReleaseKind::pack, IndexedBy::jellyfin);
}

TEST_CASE("S1-18, S1-21: every episode of a pack is proven by Plex, and then its folder goes") {
  check_way(ReleaseKind::pack, IndexedBy::plex);
}

TEST_CASE("Z-4: another's file in the folder of a pack stays, and the event names it") {
  MediaBench b{{.link = "hardlink", .by = IndexedBy::jellyfin}};
  const RealTorrent torrent = b.swarm.make_folder(
      "Show.S02.1080p.WEB-DL.x264-GRP",
      {{"Show.S02E01.mkv", 400'000}, {"Show.S02E02.mkv", 500'000}, {"Sample/sample.mkv", 20'000}});
  fs::create_directories(b.client.done() / torrent.name);
  std::ofstream{b.client.done() / torrent.name / "notes.txt"} << "of a user";
  const std::string id = b.add_series(torrent, "Show");
  REQUIRE(b.cleaned(id));

  CHECK(files_below(b.client.done()) == std::set<std::string>{torrent.name + "/notes.txt"});
  CHECK(content_of(b.client.done() / torrent.name / "notes.txt") == "of a user");
  CHECK_FALSE(fs::exists(b.client.done() / torrent.name / "Sample"));
  CHECK(files_below(b.series()) == std::set<std::string>{"Show/Season 02/Show - S02E01.mkv",
                                                         "Show/Season 02/Show - S02E02.mkv"});
  CHECK(b.told(id, "cleaned", "$.sources").find("its folder stays, because it has: notes.txt") !=
        std::string::npos);
  check_store(b);
}

TEST_CASE("S1-6, Z-18: killed at five moments, haul keeps a whole copy and ends what it began") {
  MediaBench b;
  kill_after_completed(b);
  CHECK(is_caught([&](int i) { return kill_in_import(b, fmt::format("Two{}", i)); }));
  kill_after_imported(b);
  kill_before_clean(b);
  CHECK(is_caught([&](int i) { return kill_in_clean(b, fmt::format("Five{}", i)); }));

  CHECK(fs::is_empty(b.client.done()));
  CHECK(b.client.torrents().empty());
  check_store(b);
}

TEST_CASE("A1-4, promise 11: Plex lists another film of this title, and nothing is deleted") {
  MediaBench b;
  Film film{b, "Emma", 300'000};
  b.plex_port.with([&] {
    b.plex.scans_at_once = false;
    b.plex.add({.section = "1", .title = "Emma", .file = "/data/movies/Emma/old.mkv", .size = 7});
    b.plex.add({.section = "1", .title = "Emma", .file = b.there(film.copy), .size = 299'999});
  });
  const auto is_kept = [&](const std::string& id) {
    REQUIRE(b.waits_for_proof(id));
    CHECK(b.state(id) == "imported");
    CHECK(film.has_source());
    CHECK(film.has_copy());
    CHECK(b.client.torrents().size() == 1);
    CHECK(b.sql("SELECT count(*) FROM intents WHERE kind = 'clean'") == "0");
  };
  const std::string id = film.add();
  is_kept(id);

  b.daemon.kill();  // So that it asks again at once.
  b.plex_port.with([&] { b.plex.log.clear(); });
  b.daemon.start();
  REQUIRE(comes_true([&] {
    bool has_asked = false;
    b.plex_port.with([&] { has_asked = !b.plex.log.empty(); });
    return has_asked;
  }));
  is_kept(id);

  b.daemon.kill();
  b.plex_port.with([&] { b.plex.scan(); });
  b.daemon.start();
  REQUIRE(b.cleaned(id));
  film.check_end(id);
}

TEST_CASE("S1-7: with cleanup_source off a film is cleaned, disabled, and its source stays") {
  MediaBench b{{.link = "hardlink", .more = {"HAUL__IMPORTER__CLEANUP_SOURCE=false"}}};
  const Film film{b, "Emma", 300'000};
  const std::string id = b.add_film(film.torrent, film.title);
  REQUIRE(b.cleaned(id));

  CHECK(b.trail(id) == kWholeTrail);
  CHECK(b.reason(id, "cleaned") == "disabled");
  CHECK(film.has_source());
  CHECK(film.has_copy());
  CHECK(id_of(film.copy).inode == id_of(film.source).inode);
  CHECK(b.client.torrents() == std::map<std::string, std::string>{{film.torrent.v1, b.tag(id)}});
  check_store(b);
}
