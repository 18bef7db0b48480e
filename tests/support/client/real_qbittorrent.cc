#include "support/client/real_qbittorrent.h"

#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/ascii.h"
#include "support/run/moment.h"
#include "support/server/free_port.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kStarts = 3;

// kPassword as qBittorrent stores it.
constexpr const char* kPasswordHash =
    "AAECAwQFBgcICQoLDA0ODw==:1o5li3Zpmt365OzWf1Q8l0pTykSavqTitD41kHn9oL0KJbXI1JPsJ3uCd//"
    "WTYISYb64Is5xRTPCvNbDFvnnRQ==";

constexpr const char* kProfile = R"ini([LegalNotice]
Accepted=true
[Preferences]
WebUI\Enabled=true
WebUI\Address=127.0.0.1
WebUI\Port={0}
WebUI\Username=admin
WebUI\Password_PBKDF2="@ByteArray({3})"
WebUI\MaxAuthenticationFailCount=5
WebUI\BanDuration=3600
[BitTorrent]
Session\DefaultSavePath={2}/done
Session\TempPathEnabled=true
Session\TempPath={2}/incomplete
Session\Port={1}
Session\Interface=lo
Session\DHTEnabled=false
Session\LSDEnabled=false
Session\PeXEnabled=false
Session\MultiConnectionsPerIp=true
Session\QueueingSystemEnabled=false
)ini";

constexpr const char* kHttp = R"(
  access_log off;
  server {{
    listen 127.0.0.1:{1};
    root {0};
    location /slow/ {{ alias {0}/files/; limit_rate 200k; }}
  }}
)";

// qBittorrent's versions spell header names differently.
std::string header_of(const RawReply& reply, const std::string& name) {
  const std::string head = lower(reply.head());
  const std::size_t at = head.find("\r\n" + name + ":");
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size() + 3;
  return std::string{trimmed(reply.head().substr(from, head.find("\r\n", from) - from))};
}

Finished run_torrents(std::vector<std::string> words) {
  words.insert(words.begin(),
               {"/usr/bin/python3", HAUL_SOURCE_DIR "/tests/support/client/torrents.py"});
  return run_program(words);
}

// The same bytes for the same name and size.
void write_random(const fs::path& file, std::size_t size) {
  std::mt19937_64 random{std::hash<std::string>{}(file.filename().string()) + size};
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i + 8 <= size; i += 8) {
    const std::uint64_t eight = random();
    std::copy_n(reinterpret_cast<const char*>(&eight), 8, bytes.begin() + static_cast<long>(i));
  }
  std::ofstream{file, std::ios::binary} << bytes;
}

}  // namespace

// A port that was free may be taken when qbittorrent-nox binds it. Then it runs on without its API.
RealQbittorrent::RealQbittorrent() {
  const fs::path config = folder_.path() / "qBittorrent" / "config";
  fs::create_directories(config);
  fs::create_directories(done());
  for (int tries = 0; tries < kStarts; ++tries) {
    port_ = free_port();
    peer_port_ = free_port();
    std::ofstream{config / "qBittorrent.conf"}
        << fmt::format(kProfile, port_, peer_port_, folder_.path().string(), kPasswordHash);
    if (starts()) return;
  }
  throw std::runtime_error{"qbittorrent-nox does not answer"};
}

std::string RealQbittorrent::url() const { return fmt::format("http://127.0.0.1:{}", port_); }

void RealQbittorrent::start() {
  if (!starts()) throw std::runtime_error{"qbittorrent-nox does not answer"};
}

bool RealQbittorrent::starts() {
  cookie_.clear();
  child_.reset();  // The last one, if there was one, is gone before the next begins.
  child_.emplace(bound({"qbittorrent-nox", "--profile=" + folder_.path().string()}));
  return comes_true([this] { return is_ready(); });
}

void RealQbittorrent::shut_down() {
  act("app/shutdown", "x=y");
  child_->wait();
}

bool RealQbittorrent::is_ready() {
  try {
    const int status = send("GET", "app/webapiVersion", {}).status();
    return status == 200 || status == 403;
  } catch (const std::runtime_error&) {
    return false;  // It does not listen yet.
  }
}

RawReply RealQbittorrent::send(const std::string& method, const std::string& target,
                               const std::string& body) {
  const RawConnection connection{"127.0.0.1", port_};
  std::string request =
      fmt::format("{} /api/v2/{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", method,
                  target, port_);
  if (!cookie_.empty()) request += fmt::format("Cookie: {}\r\n", cookie_);
  if (!body.empty())
    request += fmt::format(
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n", body.size());
  connection.send(request + "\r\n" + body);
  RawReply reply = connection.read_body(0);
  const std::string length = header_of(reply, "content-length");
  if (!length.empty()) reply.bytes += connection.read(std::stoul(length)).bytes;
  return reply;
}

bool RealQbittorrent::lets_in() {
  cookie_.clear();
  const RawReply reply =
      send("POST", "auth/login", fmt::format("username={}&password={}", kUser, kPassword));
  const std::string given = header_of(reply, "set-cookie");
  cookie_ = given.substr(0, given.find(';'));
  return reply.status() == 200 && reply.body() == "Ok.";
}

void RealQbittorrent::log_in() {
  if (cookie_.empty() && !lets_in()) throw std::runtime_error{"qbittorrent-nox accepts no login"};
}

std::string RealQbittorrent::ask(const std::string& action, const std::string& query) {
  log_in();
  return std::string{send("GET", action + (query.empty() ? "" : "?" + query), {}).body()};
}

std::string RealQbittorrent::act(const std::string& action, const std::string& form) {
  log_in();
  return std::string{send("POST", action, form).body()};
}

std::map<std::string, std::string> RealQbittorrent::torrents() {
  std::map<std::string, std::string> all;
  for (const Json& torrent : Json::parse(ask("torrents/info")))
    all[torrent["hash"]] = torrent["tags"];
  return all;
}

std::string RealQbittorrent::state_of(const std::string& id) {
  const Json list = Json::parse(ask("torrents/info", "hashes=" + id));
  return list.empty() ? "" : list[0]["state"].get<std::string>();
}

bool RealQbittorrent::comes_to(const std::string& id, const std::string& state) {
  return comes_true([&] { return state_of(id) == state; });
}

// The form also takes a path on the client's disk, and the client runs on this machine.
void RealQbittorrent::add(const fs::path& torrent) {
  act("torrents/add", "urls=" + torrent.string());
}

void RealQbittorrent::remove(const std::string& id) {
  act("torrents/delete", "deleteFiles=false&hashes=" + id);
  comes_true([&] { return state_of(id).empty(); });
}

Swarm::Swarm() : files_{folder_.path() / "files"}, port_{free_port()} {
  fs::create_directories(files_);
  fs::create_directories(folder_.path() / "torrents");
  nginx_.emplace(folder_.path(), fmt::format(kHttp, folder_.path().string(), port_), port_);
}

RealTorrent Swarm::make(const std::string& name, std::size_t size, Seed seed,
                        TorrentVersion version) {
  write_random(files_ / name, size);
  return make_of(name, size, seed, version);
}

RealTorrent Swarm::make_from(const fs::path& from, const std::string& name) {
  fs::copy(from, files_ / name);
  std::size_t size = 0;
  if (fs::is_directory(from))
    for (const auto& entry : fs::directory_iterator{from}) size += entry.file_size();
  else
    size = fs::file_size(from);
  return make_of(name, size, Seed::fast, TorrentVersion::v1);
}

RealTorrent Swarm::make_folder(const std::string& name,
                               const std::map<std::string, std::size_t>& files) {
  std::size_t all = 0;
  for (const auto& [path, size] : files) {
    fs::create_directories((files_ / name / path).parent_path());
    write_random(files_ / name / path, size);
    all += size;
  }
  return make_of(name, all, Seed::fast, TorrentVersion::v1);
}

RealTorrent Swarm::make_folder(const std::string& name, TorrentVersion version) {
  fs::create_directories(files_ / name);
  std::ofstream{files_ / name / "one.txt"} << std::string(40'000, '1');
  std::ofstream{files_ / name / "two.txt"} << std::string(50'001, '2');
  return make_of(name, 90'001, Seed::fast, version);
}

RealTorrent Swarm::make_of(const std::string& name, std::size_t size, Seed seed,
                           TorrentVersion version) {
  constexpr const char* kVersions[] = {"v1", "v2", "hybrid"};
  RealTorrent torrent{
      .file = folder_.path() / "torrents" / (name + ".torrent"), .name = name, .size = size};
  // libtorrent appends the torrent's name to a web seed's URL, except for a single file of v1.
  const bool by_name = fs::is_directory(files_ / name) || version == TorrentVersion::v2;
  const std::string web_seed =
      seed == Seed::none ? ""
                         : fmt::format("http://127.0.0.1:{}/{}/{}", port_,
                                       seed == Seed::fast ? "files" : "slow", by_name ? "" : name);
  const std::string file = torrent.file.string();
  std::vector<std::string> command = {"make", kVersions[static_cast<std::size_t>(version)],
                                      (files_ / name).string(), file};
  if (!web_seed.empty()) command.push_back(web_seed);
  if (version == TorrentVersion::v1) {  // With mktorrent, as most torrents are made.
    std::vector<std::string> mktorrent = {"mktorrent",
                                          "-l",
                                          "15",
                                          "-a",
                                          "http://127.0.0.1:1/announce",
                                          "-o",
                                          file,
                                          (files_ / name).string()};
    if (!web_seed.empty()) mktorrent.insert(mktorrent.end() - 1, {"-w", web_seed});
    if (run_program(mktorrent).code != 0) throw std::runtime_error{"mktorrent makes no torrent"};
    command = {"tell", file};
  }
  const Finished made = run_torrents(command);
  if (made.code != 0) throw std::runtime_error{"no torrent: " + made.err};
  for (std::size_t at = 0; at < made.out.size();) {
    const std::size_t end = made.out.find('\n', at);
    const std::string line = made.out.substr(at, end - at);
    (line.starts_with("v1") ? torrent.v1 : torrent.v2) = line.substr(3);
    at = end + 1;
  }
  return torrent;
}

std::string Swarm::url_of(const RealTorrent& torrent) const {
  return fmt::format("http://127.0.0.1:{}/torrents/{}.torrent", port_, torrent.name);
}

std::uint16_t Swarm::seed(const RealTorrent& torrent) {
  const std::uint16_t port = free_port();
  peers_.push_back(std::make_unique<Child>(
      std::vector<std::string>{"/usr/bin/python3",
                               HAUL_SOURCE_DIR "/tests/support/client/torrents.py", "seed",
                               torrent.file.string(), files_.string(), std::to_string(port)},
      Child::Input::open));
  if (peers_.back()->line() != "ready") throw std::runtime_error{"the peer does not seed"};
  return port;
}

std::string Swarm::content(const RealTorrent& torrent) const { return content(torrent, {}); }

std::string Swarm::content(const RealTorrent& torrent, const std::string& path) const {
  const fs::path file = path.empty() ? files_ / torrent.name : files_ / torrent.name / path;
  std::ostringstream bytes;
  bytes << std::ifstream{file, std::ios::binary}.rdbuf();
  return std::move(bytes).str();
}

}  // namespace haul::testing
