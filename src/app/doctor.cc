#include "app/doctor.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "app/config/toml_file.h"
#include "app/program.h"
#include "base/text.h"
#include "cli/draw/bytes.h"
#include "cli/remote/answers.h"
#include "io/file/folder.h"
#include "store/inspect.h"
#include "store/open.h"

namespace haul::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFreeLeast = std::int64_t{100} << 20U;
constexpr std::int64_t kFreeFew = std::int64_t{1} << 30U;
constexpr auto kClockSlack = std::chrono::minutes{1};

bool is_writable(const fs::path& folder) {
  return ::access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
}

cli::Finding room_in(const std::string& what, const fs::path& path) {
  const auto folder = io::Folder::open(path, io::Folder::Missing::fault);
  if (!folder) return {cli::Health::wrong, what, folder.error().detail, "restore the folder"};
  const std::int64_t free = folder->free_bytes();
  const std::string detail = fmt::format("{} free at {}", cli::bytes_text(free), path.string());
  if (free < kFreeLeast) return {cli::Health::wrong, what, detail, "free space on that disk"};
  if (free < kFreeFew)
    return {cli::Health::note, what, detail, "free space before large downloads"};
  return {cli::Health::ok, what, detail};
}

// The modification time of the program's file stands for the day it was built.
std::optional<Time> made_at() {
  struct stat about{};
  if (::stat("/proc/self/exe", &about) != 0) return std::nullopt;
  return from_unix_ms(static_cast<std::int64_t>(about.st_mtim.tv_sec) * 1'000);
}

cli::Finding clock_against(Time now, const std::optional<Time>& newest_event_at) {
  const std::string detail = fmt::format("it is {}", to_iso(now));
  const std::string mend = "set the clock, for example with NTP: timedatectl set-ntp true";
  if (const auto made = made_at(); made && now < *made - std::chrono::hours{24})
    return {cli::Health::wrong, "clock", detail + ", which is before this haul was built", mend};
  if (newest_event_at && now + kClockSlack < *newest_event_at)
    return {cli::Health::wrong, "clock",
            fmt::format("{}, but the newest event is from {}", detail, to_iso(*newest_event_at)),
            mend};
  return {cli::Health::ok, "clock", detail};
}

// The code that /health/ready gives for the store's trouble. Empty if there is none.
std::string store_trouble(const std::string& body) {
  const auto ready = cli::JsonView::read(body);
  if (!ready) return {};
  for (const std::string& each : ready->list("troubles")) {
    const cli::JsonView trouble = cli::JsonView::read(each).value_or(cli::JsonView{});
    if (trouble.text("part") == "store") return trouble.text("code");
  }
  return {};
}

}  // namespace

std::vector<cli::Finding> examine_folder(const cli::ApiAddress& address) {
  const fs::path& data = address.data;
  std::error_code error;
  if (!fs::exists(data, error)) {
    if (address.data_given)
      return {{cli::Health::wrong, "data", fmt::format("{} does not exist", data.string()),
               "check --data, or start haul serve with it"}};
    return {{cli::Health::note, "data", fmt::format("{} does not exist yet", data.string()),
             "haul serve creates it"}};
  }
  if (!fs::is_directory(data, error))
    return {{cli::Health::wrong, "data", fmt::format("{} is not a folder", data.string()),
             "choose another with --data"}};
  if (!is_writable(data))
    return {{cli::Health::wrong, "data",
             fmt::format("{} cannot be written by this user", data.string()),
             fmt::format("run haul as its owner, or: chown -R \"$USER\" '{}'", data.string())}};
  return {{cli::Health::ok, "data", data.string()}, room_in("disk", data)};
}

std::vector<cli::Finding> examine_store(const fs::path& data, Time now) {
  const StoreLook look = inspect_store(store_url(data));
  std::vector<cli::Finding> findings;
  if (look.on_network)
    findings.push_back({cli::Health::wrong, "file system",
                        "the data folder is on a network file system, where SQLite can lose data",
                        "move it to a disk of this machine, and name it with --data"});
  if (!look.exists)
    findings.push_back({cli::Health::note, "store", "not created yet", "haul serve creates it"});
  else if (!look.problem.empty())
    findings.push_back({cli::Health::wrong, "store", look.problem,
                        look.way_out.empty()
                            ? "stop haul, then put a backup in place: haul restore FILE"
                            : look.way_out});
  else if (look.in_use)
    findings.push_back(
        {cli::Health::ok, "store", fmt::format("in use by process {}", *look.in_use)});
  else
    findings.push_back({cli::Health::ok, "store", "intact, not in use"});
  findings.push_back(clock_against(now, look.newest_event_at));
  return findings;
}

std::vector<cli::Finding> examine_key(const cli::ApiAddress& address) {
  if (!address.key.empty()) return {{cli::Health::ok, "key", "HAUL_KEY is set"}};
  const fs::path file = address.data / "admin.key";
  struct stat about{};
  if (::stat(file.c_str(), &about) != 0)
    return {{cli::Health::note, "key", fmt::format("{} does not exist", file.string()),
             "haul serve creates it at its first start; or set HAUL_KEY"}};
  if ((about.st_mode & 0077U) != 0)
    return {
        {cli::Health::wrong, "key",
         fmt::format("{} has mode {:o}: others may read it", file.string(), about.st_mode & 0777U),
         fmt::format("chmod 600 '{}'; then create a new key and revoke this one: haul keys",
                     file.string())}};
  if (::access(file.c_str(), R_OK) != 0)
    return {{cli::Health::wrong, "key",
             fmt::format("{} cannot be read by this user", file.string()),
             "run haul as the user that runs the daemon, or set HAUL_KEY"}};
  return {{cli::Health::ok, "key", file.string()}};
}

std::vector<cli::Finding> examine_downloads(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    const bool can_be_made = is_writable(folder.parent_path());
    return {{can_be_made ? cli::Health::note : cli::Health::wrong, "downloads",
             fmt::format("{} does not exist yet", folder.string()),
             can_be_made ? "the first download creates it" : "create it, or set transfer.folder"}};
  }
  if (!fs::is_directory(folder, error) || !is_writable(folder))
    return {{cli::Health::wrong, "downloads", fmt::format("{} cannot be written", folder.string()),
             "let haul's user write there, or set transfer.folder"}};
  return {room_in("downloads", folder)};
}

std::vector<cli::Finding> examine_client(const DoctorConfig& config) {
  if (config.client.empty())
    return {{cli::Health::note, "qbittorrent", "not configured: haul cannot fetch books",
             "set engine.qbittorrent.url"}};
  const auto version = config.ask_client();
  if (version)
    return {{cli::Health::ok, "qbittorrent",
             fmt::format("accepts haul at {}, API {}", config.client, *version)}};
  const std::string& code = version.error().code;
  const std::string mend =
      code == "client_unreachable" ? "start it, or check engine.qbittorrent.url"
      : code == "client_unknown"   ? "check engine.qbittorrent.url"
      : code == "client_too_old"   ? "upgrade qBittorrent"
      : code == "client_banned"    ? "restart qBittorrent, then check the password"
                                   : "check engine.qbittorrent.username and password";
  return {{cli::Health::wrong, "qbittorrent",
           fmt::format("{}: {} ({})", config.client, version.error().detail, code), mend}};
}

std::vector<cli::Finding> examine_programs(const std::map<std::string, std::string>& configured) {
  struct Program {
    const char* name;
    const char* word;
    const char* needed_for;
    const char* setting = "";  // Its key, if its path can be configured.
  };
  constexpr std::array kPrograms{
      Program{"yt-dlp", "--version", "videos of many sites", "engine.yt_dlp.program"},
      Program{"gallery-dl", "--version", "galleries of many sites", "engine.gallery_dl.program"},
      Program{"ffmpeg", "-version", "joining the parts that yt-dlp downloads"},
      Program{"qbittorrent-nox", "--version", "torrents"},
  };
  std::vector<cli::Finding> findings;
  for (const Program& program : kPrograms) {
    const auto given = configured.find(program.name);
    const std::string path = given == configured.end() ? program.name : given->second;
    const auto line = first_line_of({path, program.word});
    if (!line && path != program.name)
      findings.push_back(
          {cli::Health::wrong, program.name,
           fmt::format("{} does not exist or cannot be run", path),
           fmt::format("correct {}, or remove it so that haul looks in PATH", program.setting),
           program.setting});
    else if (line)
      findings.push_back({cli::Health::ok, program.name, line->empty() ? "found" : *line});
    else
      findings.push_back({cli::Health::note, program.name, "not found",
                          fmt::format("for {}: apt install {}", program.needed_for, program.name)});
  }
  return findings;
}

std::vector<cli::Finding> examine_sandbox(int landlock, io::Confine confine) {
  const auto gap = io::sandbox_gap(landlock);
  if (!gap)
    return {{cli::Health::ok, "sandbox",
             fmt::format("Landlock version {} confines programs", landlock)}};
  const bool is_refused = confine == io::Confine::require && gap->code == "sandbox_missing";
  return {{is_refused ? cli::Health::wrong : cli::Health::note, "sandbox", gap->detail,
           is_refused ? "run a kernel with Landlock, or set engine.sandbox to \"prefer\""
                      : "run a newer kernel with Landlock on (lsm=landlock)"}};
}

std::vector<cli::Finding> examine_daemon(const cli::ApiAddress& address, const DoctorParts& parts) {
  const auto client = parts.open_client(address);
  if (!client)
    return {{cli::Health::wrong, "daemon", client.error().detail, "check --url and HAUL_URL"}};
  const std::string at = (*client)->address();
  const auto ready = (*client)->ask({.path = "/health/ready"});
  if (!ready) {
    if (ready.error().code == "cannot_connect")
      return {{cli::Health::note, "daemon", fmt::format("no daemon answers at {}", at),
               "start it: haul serve"}};
    return {{cli::Health::wrong, "daemon", fmt::format("{}: {}", at, ready.error().detail),
             "look at its log; restart it if it hangs"}};
  }
  if (const std::string trouble = store_trouble(ready->body); !trouble.empty())
    return {{cli::Health::wrong, "daemon", fmt::format("{} accepts no work: {}", at, trouble),
             "free space on the disk of its data folder; haul continues by itself"}};
  if (ready->status != 200)
    return {{cli::Health::wrong, "daemon",
             fmt::format("{} answers {} to /health/ready", at, ready->status),
             "read its log; check that haul listens there"}};
  const auto stats = (*client)->ask({.path = "/api/v1/stats"});
  if (!stats || !stats->is_good()) {
    const cli::Failure why =
        stats ? cli::failure_of(*stats, **client) : cli::failure_of(stats.error(), **client);
    return {{cli::Health::wrong, "daemon", fmt::format("ready at {}, but: {}", at, why.line),
             "set HAUL_KEY, or name its data folder with --data"}};
  }
  const std::string version =
      cli::JsonView::read(stats->body).value_or(cli::JsonView{}).text("version");
  if (version != parts.version)
    return {{cli::Health::wrong, "daemon",
             fmt::format("{} runs haul {}, but this program is {}", at, version, parts.version),
             "restart the daemon after an upgrade"}};
  std::vector<cli::Finding> findings{
      {cli::Health::ok, "daemon", fmt::format("ready at {}, haul {}", at, version)}};
  for (cli::Finding& trouble : reported_troubles(ready->body))
    findings.push_back(std::move(trouble));
  for (cli::Finding& limit : reported_speed(stats->body)) findings.push_back(std::move(limit));
  return findings;
}

namespace {

// Unless the user says where the daemon is, it is where the configuration lets it listen: on this
// machine, so it may see the key.
cli::ApiAddress daemon_of(cli::ApiAddress given, const std::string& configured) {
  if (given.url_given || configured.empty()) return given;
  given.url = configured;
  given.data_given = true;
  return given;
}

}  // namespace

std::vector<cli::Finding> examine(const cli::DoctorOptions& options, const DoctorParts& parts) {
  std::vector<cli::Finding> all = examine_folder(options.address);
  const bool has_folder = all.front().health == cli::Health::ok;
  const auto add = [&all](std::vector<cli::Finding> findings) {
    for (cli::Finding& finding : findings) all.push_back(std::move(finding));
  };
  if (has_folder)
    add(examine_store(options.address.data, parts.clock.now()));
  else
    all.push_back(clock_against(parts.clock.now(), std::nullopt));
  if (has_folder) add(examine_books(options.address.data));
  if (has_folder) add(examine_ledger(options.address.data));
  if (has_folder) add(examine_key(options.address));
  const auto config = parts.read_config(options);
  if (!config) {
    all.push_back(
        {cli::Health::wrong, "config", config.error().detail,
         config.error().code == kNoConfig ? "check --config" : "correct the configuration"});
  } else {
    all.push_back(
        {cli::Health::ok, "config", config->file.empty() ? "no file; all defaults" : config->file});
    const fs::path default_folder = options.address.data / "downloads";
    if (has_folder || !config->download_folder.empty())
      add(examine_downloads(config->download_folder.empty() ? default_folder
                                                            : fs::path{config->download_folder}));
  }
  if (config) {
    add(examine_client(*config));
    add(examine_library(config->library));
    add(examine_server(config->server, config->library));
  }
  add(examine_programs(config ? config->programs : std::map<std::string, std::string>{}));
  add(examine_sandbox(io::landlock_version(), config ? config->confine : io::Confine::prefer));
  add(examine_daemon(daemon_of(options.address, config ? config->url : ""), parts));
  return all;
}

}  // namespace haul::app
