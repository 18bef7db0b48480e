#pragma once
// Looks for files in Plex's lists. Plex has no search by path, so this asks for the lists that most
// likely have the file: first its title, then what was added last, then the episodes of the series.
// Proving one file takes at most 3 requests and 1 MiB, however large the library. Lives on the
// loop's thread.

#include <cstdint>
#include <memory>
#include <string>

#include "sink/plex/env.h"
#include "sink/plex/replies.h"
#include "sink/server/file_search.h"

namespace haul::plex {

class PlexFind final : public std::enable_shared_from_this<PlexFind> {
 public:
  PlexFind(PlexEnv& env, FindFiles files, media_server::Wanted wanted, MediaServer::Found answer);
  void begin();

 private:
  enum class Stage : std::uint8_t { title, newest, leaves, over };

  void next();
  bool is_done_here() const;
  void send();
  void see(const PlexList& list);
  void learn_series(const PlexList& list);
  bool has_series() const;
  bool has_title(const PlexEntry& entry) const;

  PlexEnv& env_;
  media_server::FileSearch search_;

  // Of the library at hand:
  Stage stage_ = Stage::title;
  int requests_ = 0;
  bool series_is_whole_ = false;  // The answer to the title has all episodes of the series.
  std::string show_key_;
  std::string season_key_;
};

}  // namespace haul::plex
