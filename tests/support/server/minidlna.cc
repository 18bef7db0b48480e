#include "support/server/minidlna.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/client/real_qbittorrent.h"
#include "support/process/relatives.h"
#include "support/run/moment.h"
#include "support/server/free_port.h"
#include "support/store/sql.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

// It announces itself on loopback only. With inotify it would raise a limit of the whole machine if
// root runs the tests.
constexpr const char* kConfig = R"(port={0}
network_interface=lo
media_dir=V,{1}
db_dir={2}/db
log_dir={2}/log
inotify=no
)";

}  // namespace

Minidlna::Minidlna(const fs::path& media) {
  fs::create_directory(folder_ / "db");
  fs::create_directory(folder_ / "log");
  std::ofstream{config()} << fmt::format(kConfig, free_port(), media.string(),
                                         folder_.path().string());
}

void Minidlna::scan() {
  end();
  fs::remove(folder_ / "db/files.db");
  fs::remove(folder_ / "pid");
  // -S: in the foreground.
  child_.emplace(bound(
      {"/usr/sbin/minidlnad", "-S", "-f", config().string(), "-P", (folder_ / "pid").string()}));
  // Written after the folder is scanned.
  const std::string scanned = "SELECT count(*) FROM SETTINGS WHERE KEY = 'media_dir'";
  if (!comes_true([&] { return ask(scanned) == "1"; }))
    throw std::runtime_error{"minidlnad does not scan its folder"};
}

void Minidlna::end() {
  if (!child_) return;
  child_.reset();
  // A process of its own scans. It has the same arguments.
  for (const pid_t pid : relatives(config().string())) ::kill(pid, SIGKILL);
}

std::string Minidlna::ask(const std::string& sql) const {
  try {
    return Sql{folder_ / "db/files.db"}.ask(sql);
  } catch (const std::runtime_error&) {
    return {};
  }
}

// Only files have a size there.
std::map<std::string, std::int64_t> Minidlna::videos() const {
  std::map<std::string, std::int64_t> videos;
  std::istringstream rows{ask("SELECT SIZE, PATH FROM DETAILS WHERE SIZE > 0 ORDER BY ID")};
  for (std::string row; std::getline(rows, row);) {
    const std::size_t end = row.find('|');
    videos[row.substr(end + 1)] = std::stoll(row.substr(0, end));
  }
  return videos;
}

std::optional<FakeReply> MinidlnaAsPlex::answer(const io::HttpRequest& sent) {
  try {
    if (read_sent(sent).path.ends_with("/refresh")) minidlna_.scan();
  } catch (const std::runtime_error& error) {  // haul reports it as a server that is down.
    return FakeReply{.status = 500, .body = error.what()};
  }
  list();
  return plex_.answer(sent);
}

void MinidlnaAsPlex::list() {
  for (const auto& [path, size] : minidlna_.videos()) {
    const std::string file = plex_.disk.there(path)->string();
    const auto section = std::ranges::find_if(plex_.sections, [&](const FakePlexSection& each) {
      return is_inside(file, each.locations.front());
    });
    if (section != plex_.sections.end()) plex_.see(*section, file, size);
  }
}

}  // namespace haul::testing
