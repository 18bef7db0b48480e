#pragma once
// A daemon that imports films, a real qBittorrent that fetches them, and the fake of the media
// server that indexes them.

#include <sys/stat.h>

#include <atomic>
#include <set>
#include <stop_token>
#include <thread>

#include "support/client/book_bench.h"
#include "support/server/fake_jellyfin.h"
#include "support/server/fake_on_port.h"
#include "support/server/fake_plex.h"

namespace haul::testing {

enum class IndexedBy : std::uint8_t { plex, jellyfin };

struct MediaBenchSettings {
  std::string link = "copy";
  IndexedBy by = IndexedBy::plex;
  bool has_series = true;           // Whether a root for series is configured.
  std::vector<std::string> more{};  // Further environment variables: "NAME=value".
};

// The library and its media servers, which see it as /data. Made before the daemon.
class MediaPlaces {
 public:
  MediaPlaces() {
    std::filesystem::create_directories(movies());
    std::filesystem::create_directories(series());
    plex.sections = {{.key = "1", .type = "movie", .locations = {"/data/movies"}},
                     {.key = "2", .type = "show", .locations = {"/data/series"}}};
    jellyfin.folders = {{.id = "m", .type = "movies", .locations = {"/data/movies"}},
                        {.id = "s", .type = "tvshows", .locations = {"/data/series"}}};
    const std::vector<std::string> mapped = {"/data=" + folder_.path().string()};
    plex.disk = jellyfin.disk = PathMap::parse(mapped).value();
  }

  std::filesystem::path movies() const { return folder_ / "movies"; }
  std::filesystem::path series() const { return folder_ / "series"; }
  // What a media server calls a file of the library.
  std::string there(const std::filesystem::path& file) const {
    return "/data/" + file.lexically_relative(folder_.path()).string();
  }

  // Use them only within with() of their ports.
  FakePlex plex;
  FakeJellyfin jellyfin;
  FakeOnPort plex_port{[this](const io::HttpRequest& sent) { return plex.answer(sent); }};
  FakeOnPort jellyfin_port{[this](const io::HttpRequest& sent) { return jellyfin.answer(sent); }};

 protected:
  std::vector<std::string> environment_of(const MediaBenchSettings& settings) const {
    const bool is_plex = settings.by == IndexedBy::plex;
    const std::string server = is_plex ? "HAUL__SINK__PLEX__" : "HAUL__SINK__JELLYFIN__";
    std::vector<std::string> all = {"HAUL__LIBRARY__MOVIES__ROOT=" + movies().string(),
                                    "HAUL__IMPORTER__LINK=" + settings.link,
                                    server + "URL=" + (is_plex ? plex_port : jellyfin_port).url(),
                                    server + "TOKEN=" + (is_plex ? plex.token : jellyfin.api_key),
                                    server + "PATH_MAP=/data=" + folder_.path().string()};
    if (settings.has_series) all.push_back("HAUL__LIBRARY__SERIES__ROOT=" + series().string());
    all.insert(all.end(), settings.more.begin(), settings.more.end());
    return all;
  }

 private:
  TempFolder folder_;
};

class MediaBench : public MediaPlaces, public BookBench {
 public:
  explicit MediaBench(const MediaBenchSettings& settings = {})
      : BookBench{BookSettings{.has_films = true, .more = environment_of(settings)}} {}

  // Adds a film of 2020, or a series, and returns the job's id.
  std::string add_film(const RealTorrent& torrent, const std::string& title) {
    return add_media(torrent, fmt::format(R"("kind":"movie","year":2020,"title":"{}")", title));
  }
  std::string add_series(const RealTorrent& torrent, const std::string& title) {
    return add_media(torrent, fmt::format(R"("kind":"series","title":"{}")", title));
  }

  // Waits until the job is cleaned. If it is not, prints what haul, the client and the disk have.
  bool cleaned(const std::string& id) {
    if (daemon.comes_to(id, "cleaned")) return true;
    MESSAGE(daemon.job(id) << "\n"
                           << daemon.get("/api/v1/jobs/" + id + "/why").body() << "\n"
                           << client.ask("torrents/info"));
    return false;
  }
  std::string why_text(const std::string& id) {
    return std::string{daemon.get("/api/v1/jobs/" + id + "/why").body()};
  }
  // Waits until the media server has answered, and has not listed the job's files.
  bool waits_for_proof(const std::string& id) {
    return comes_true([&] {
      const std::string text = why_text(id);
      return member_of(text, "code") == "not_proven" &&
             text.find(R"("next_at":null)") == std::string::npos;
    });
  }
  // What the event says that brought the job into this state: a member of its data, or its reason.
  std::string told(const std::string& id, const std::string& state, const std::string& path) {
    return sql(
        fmt::format("SELECT json_extract(data, '{}') FROM events WHERE job = {} AND "
                    "to_state = '{}' ORDER BY id DESC LIMIT 1",
                    path, id, state));
  }
  std::string reason(const std::string& id, const std::string& state) {
    return sql(fmt::format(
        "SELECT reason FROM events WHERE job = {} AND to_state = '{}' ORDER BY id DESC LIMIT 1", id,
        state));
  }

 private:
  std::string add_media(const RealTorrent& torrent, const std::string& what) {
    const RawReply reply = daemon.post(
        "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"media","request":{{{},"release_name":"{}","uri":"{}"}}}})",
                    what, torrent.name, swarm.url_of(torrent)));
    if (reply.status() != 201) MESSAGE(reply.bytes);
    return member_of(reply.body(), "id");
  }
};

// The files below a folder, by their paths in it. Not its folders, nor haul's mark of a library.
inline std::set<std::string> files_below(const std::filesystem::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{folder})
    if (!entry.is_directory() && entry.path().filename() != ".haul-root")
      files.insert(entry.path().lexically_relative(folder).string());
  return files;
}

struct SeenFile {
  dev_t device = 0;
  ino_t inode = 0;
  nlink_t links = 0;
};
inline SeenFile id_of(const std::filesystem::path& file) {
  struct stat about{};
  REQUIRE(::stat(file.c_str(), &about) == 0);
  return {about.st_dev, about.st_ino, about.st_nlink};
}

struct WatchedFile {
  std::filesystem::path source;
  std::filesystem::path copy;  // In the library.
  std::uintmax_t size = 0;
};

// Watches, from when a file's source is whole, that the source or the library's copy is.
class CopyWatch {
 public:
  explicit CopyWatch(const std::vector<WatchedFile>& files)
      : thread_{[this, files](const std::stop_token& stop) { run(files, stop); }} {}

  bool has_lost() const { return has_lost_; }
  std::size_t begun() const { return begun_; }

 private:
  static bool is_whole(const std::filesystem::path& file, std::uintmax_t size) {
    std::error_code error;
    return std::filesystem::file_size(file, error) == size && !error;
  }

  // haul removes a source after its copy is whole. So the source is looked at first.
  void run(const std::vector<WatchedFile>& files, const std::stop_token& stop) {
    std::set<std::filesystem::path> begun;
    while (!stop.stop_requested()) {
      for (const auto& [source, copy, size] : files) {
        if (is_whole(source, size))
          begun.insert(source);
        else if (begun.contains(source) && !is_whole(copy, size))
          has_lost_ = true;
      }
      begun_ = begun.size();
      let_pass(std::chrono::microseconds{500});
    }
  }

  std::atomic<bool> has_lost_ = false;
  std::atomic<std::size_t> begun_ = 0;
  std::jthread thread_;
};

}  // namespace haul::testing
