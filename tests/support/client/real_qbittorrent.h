#pragma once
// A real qbittorrent-nox on loopback with its own profile, and its sources: nginx as a web seed,
// libtorrent as a peer.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/api/raw_http.h"
#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/server/nginx.h"

namespace haul::testing {

class RealQbittorrent {
 public:
  RealQbittorrent();

  std::string url() const;
  static constexpr const char* kUser = "admin";
  static constexpr const char* kPassword = "haultest";
  std::filesystem::path done() const { return folder_.path() / "done"; }

  void start();
  void kill() { child_->kill(); }
  // Stops it through its API, as its web page does.
  void shut_down();

  // Log in if needed, send a request to its API, and return the body.
  std::string ask(const std::string& action, const std::string& query = {});
  std::string act(const std::string& action, const std::string& form);
  // Logs in with the right password. False if the client refuses, e.g. because it has banned this
  // address.
  bool lets_in();

  // The tags of every torrent, by torrent id.
  std::map<std::string, std::string> torrents();
  std::string state_of(const std::string& id);
  bool comes_to(const std::string& id, const std::string& state);
  // Adds a torrent file directly, without haul, into the client's default folder.
  void add(const std::filesystem::path& torrent);
  void remove(const std::string& id);

 private:
  RawReply send(const std::string& method, const std::string& target, const std::string& body);
  bool starts();  // False if it does not answer.
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
  std::string name;  // Of the file or folder it describes.
  std::size_t size = 0;

  std::string id() const { return v2.empty() ? v1 : v2.substr(0, 40); }
};

enum class TorrentVersion : std::uint8_t { v1, v2, hybrid };

// A folder of files, their torrents, and servers that have them.
class Swarm {
 public:
  Swarm();

  const std::filesystem::path& files() const { return files_; }
  // Makes a file of this size and its torrent. The torrent names a web seed: fast, slow (200 KiB a
  // second), or none.
  enum class Seed : std::uint8_t { fast, slow, none };
  RealTorrent make(const std::string& name, std::size_t size, Seed seed,
                   TorrentVersion version = TorrentVersion::v1);
  // Makes the torrent of a copy of this file, or of this folder of files, under this name.
  RealTorrent make_from(const std::filesystem::path& from, const std::string& name);
  // Makes a folder with two files and its torrent.
  RealTorrent make_folder(const std::string& name, TorrentVersion version);
  // Makes a folder with files of these sizes, by their paths in it, and its torrent.
  RealTorrent make_folder(const std::string& name, const std::map<std::string, std::size_t>& files);
  // Where the .torrent file can be fetched.
  std::string url_of(const RealTorrent& torrent) const;
  // Starts a peer that has the content. Returns its port.
  std::uint16_t seed(const RealTorrent& torrent);
  std::string content(const RealTorrent& torrent) const;
  // Of a file in a torrent's folder.
  std::string content(const RealTorrent& torrent, const std::string& path) const;

 private:
  RealTorrent make_of(const std::string& name, std::size_t size, Seed seed, TorrentVersion version);

  TempFolder folder_;
  std::filesystem::path files_;
  std::uint16_t port_ = 0;
  std::optional<Nginx> nginx_;
  std::vector<std::unique_ptr<Child>> peers_;
};

}  // namespace haul::testing
