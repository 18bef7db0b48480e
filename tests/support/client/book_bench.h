#pragma once
// A daemon, a real qBittorrent, and the servers that qBittorrent fetches from.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "support/client/real_qbittorrent.h"
#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/store/sql.h"

namespace haul::testing {

inline std::string content_of(const std::filesystem::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream{file, std::ios::binary}.rdbuf();
  return std::move(bytes).str();
}

struct BookSettings {
  std::string poll = "100ms";
  std::string grace = "60s";
  std::string password = RealQbittorrent::kPassword;
  bool has_films = false;           // Films are imported from the client's folder.
  std::vector<std::string> more{};  // Further environment variables: "NAME=value".
};

class BookBench {
 public:
  BookBench() : BookBench{BookSettings{}} {}
  explicit BookBench(const BookSettings& settings)
      : environment_{"HAUL__ENGINE__QBITTORRENT__URL=" + client.url(),
                     std::string{"HAUL__ENGINE__QBITTORRENT__USERNAME="} + RealQbittorrent::kUser,
                     "HAUL__ENGINE__QBITTORRENT__PASSWORD=" + settings.password,
                     "HAUL__ENGINE__QBITTORRENT__POLL=" + settings.poll,
                     "HAUL__ENGINE__QBITTORRENT__MISSING_GRACE=" + settings.grace},
        daemon{with(settings)} {}

  Swarm swarm;
  RealQbittorrent client;

 private:
  const std::vector<std::string>& with(const BookSettings& settings) {
    if (settings.has_films) {
      environment_.push_back("HAUL__IMPORTER__DOWNLOAD_ROOT=" + client.done().string());
      environment_.emplace_back("HAUL__ENGINE__QBITTORRENT__PATH_MAP=identity");
    }
    environment_.insert(environment_.end(), settings.more.begin(), settings.more.end());
    return environment_;
  }
  std::vector<std::string> environment_;

 public:
  Daemon daemon;

  static std::string request(const std::string& uri, const std::string& book,
                             const std::string& more = {}) {
    return fmt::format(R"({{"lifecycle":"book","request":{{"book_id":"{}","title":"Emma",)"
                       R"("media_type":"text","uri":"{}","source":"tracker",)"
                       R"("source_url":"https://t.example/1"{}}}}})",
                       book, uri, more);
  }
  // Adds a book and returns the job's id.
  std::string add(const std::string& uri, const std::string& book = "b1",
                  const std::string& more = {}) {
    return member_of(daemon.post("/api/v1/jobs", request(uri, book, more)).body(), "id");
  }
  // Waits until the job is completed. If it is not, prints what haul and the client report about
  // it.
  bool arrives(const std::string& id) {
    if (daemon.comes_to(id, "completed")) return true;
    MESSAGE(daemon.job(id) << "\n" << client.ask("torrents/info"));
    return false;
  }
  std::string state(const std::string& id) { return member_of(daemon.job(id), "state"); }
  std::string why(const std::string& id) {
    return member_of(daemon.get("/api/v1/jobs/" + id + "/why").body(), "code");
  }
  bool why_comes_to(const std::string& id, const std::string& code) {
    return comes_true([&] { return why(id) == code; });
  }
  std::string sql(const std::string& ask) { return Sql{daemon.data() / "haul.db"}.ask(ask); }
  // The tag that the job's torrent has in the client.
  std::string tag(const std::string& job) {
    return "haul-" + sql("SELECT value FROM meta WHERE name = 'store_id'") + "-" + job;
  }
  // The states a job went through: "queued > downloading".
  std::string trail(const std::string& id) {
    return sql(
        "SELECT group_concat(to_state, ' > ') FROM (SELECT to_state FROM events WHERE job = " + id +
        " AND to_state IS NOT NULL ORDER BY id)");
  }
  // The bytes of a file on the client's disk, in its folder for finished or unfinished files.
  std::uintmax_t bytes_of(const std::string& name) {
    std::uintmax_t bytes = 0;
    for (const char* folder : {"done", "incomplete"}) {
      std::error_code error;
      const auto size =
          std::filesystem::file_size(client.done().parent_path() / folder / name, error);
      if (!error) bytes += size;
    }
    return bytes;
  }
  bool has_bytes(const std::string& name) {
    return comes_true([&] { return bytes_of(name) > 0; });
  }
  Finished doctor() {
    std::vector<std::string> command = {"env"};
    command.insert(command.end(), environment_.begin(), environment_.end());
    command.insert(command.end(), {HAUL_BINARY, "doctor", "--data", daemon.data().string(), "--url",
                                   fmt::format("http://127.0.0.1:{}", daemon.port())});
    return run_program(command);
  }
};

}  // namespace haul::testing
