#pragma once
// A real qbittorrent-nox on loopback with a profile of its own, and what it fetches from: nginx as
// a web seed, libtorrent as a peer.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/process.h"
#include "support/raw_http.h"
#include "support/temp_folder.h"

namespace haul::testing {

// One that nobody has just now.
std::uint16_t free_port();

class RealQbittorrent {
 public:
  RealQbittorrent();

  std::string url() const;
  static constexpr const char* kUser = "admin";
  static constexpr const char* kPassword = "haultest";
  std::filesystem::path done() const { return folder_.path() / "done"; }

  void start();
  void kill() { child_->kill(); }
  // By its own API, as the page does.
  void shut_down();

  // Of its API, logged in: the answer's body.
  std::string ask(const std::string& action, const std::string& query = {});
  std::string act(const std::string& action, const std::string& form);
  // Whether a login with the right password is taken: not when this address is banned.
  bool lets_in();

  // Its torrents: their tags by their ids.
  std::map<std::string, std::string> torrents();
  std::string state_of(const std::string& id);
  bool comes_to(const std::string& id, const std::string& state);
  // By hand: a torrent's file, into its own folder.
  void add(const std::filesystem::path& torrent);
  void remove(const std::string& id);

 private:
  RawReply send(const std::string& method, const std::string& target, const std::string& body);
  bool is_ready();
  void log_in();

  TempFolder folder_;
  std::uint16_t port_ = 0;
  std::uint16_t peer_port_ = 0;
  std::optional<Child> child_;
  std::string cookie_;
};

struct RealTorrent {
  std::filesystem::path file;
  std::string v1;
  std::string v2;
  std::string name;  // What it is of.
  std::size_t size = 0;

  std::string id() const { return v2.empty() ? v1 : v2.substr(0, 40); }
};

enum class TorrentVersion : std::uint8_t { v1, v2, hybrid };

// A folder of files, torrents of them, and servers that have them.
class Swarm {
 public:
  Swarm();

  const std::filesystem::path& files() const { return files_; }
  // A file of so many bytes and its torrent, which names the web seed: fast, slow (200 KiB a
  // second), or none.
  enum class Seed : std::uint8_t { fast, slow, none };
  RealTorrent make(const std::string& name, std::size_t size, Seed seed,
                   TorrentVersion version = TorrentVersion::v1);
  // A folder with two files.
  RealTorrent make_folder(const std::string& name, TorrentVersion version);
  // Where the torrent's own file can be fetched.
  std::string url_of(const RealTorrent& torrent) const;
  // A peer that has it; its port.
  std::uint16_t seed(const RealTorrent& torrent);
  std::string content(const RealTorrent& torrent) const;

 private:
  RealTorrent make_of(const std::string& name, std::size_t size, Seed seed, TorrentVersion version);

  TempFolder folder_;
  std::filesystem::path files_;
  std::uint16_t port_ = 0;
  std::optional<Child> nginx_;
  std::vector<std::unique_ptr<Child>> peers_;
};

}  // namespace haul::testing
