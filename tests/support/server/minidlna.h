#pragma once
// A real minidlnad on loopback: an indexer of other people. haul has no adapter for it, so a fake
// of Plex passes on what minidlna's database lists.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/server/fake_plex.h"

namespace haul::testing {

class Minidlna {
 public:
  // `media` is the folder of the videos. It starts with the first scan.
  explicit Minidlna(const std::filesystem::path& media);
  ~Minidlna() { end(); }
  Minidlna(const Minidlna&) = delete;
  Minidlna& operator=(const Minidlna&) = delete;

  // Looks through the folder from the beginning and returns when that is done. minidlna scans when
  // it starts, so it starts anew.
  void scan();
  // The videos that its database lists, by path, with their sizes. A file that it cannot read as a
  // video is not among them.
  std::map<std::string, std::int64_t> videos() const;

 private:
  void end();
  std::filesystem::path config() const { return folder_ / "minidlna.conf"; }
  // The rows of a query. Empty while the database is being made.
  std::string ask(const std::string& sql) const;

  const TempFolder folder_;  // Its configuration, database and log.
  std::optional<Child> child_;
};

// Plex, as far as haul sees it; what it lists is what minidlna lists.
class MinidlnaAsPlex {
 public:
  // The folder is as this machine has it. The fake must not scan by itself.
  MinidlnaAsPlex(FakePlex& plex, const std::filesystem::path& media)
      : plex_{plex}, minidlna_{media} {}

  std::optional<FakeReply> answer(const io::HttpRequest& sent);
  const Minidlna& indexer() const { return minidlna_; }

 private:
  void list();

  FakePlex& plex_;
  Minidlna minidlna_;
};

}  // namespace haul::testing
