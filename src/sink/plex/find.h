#pragma once
// Looks for files in Plex's lists. Plex has no search by path, so this asks for the lists that most
// likely have the file: first its title, then what was added last, then the episodes of the series.
// Proving one file takes at most 3 requests and 1 MiB, however large the library. Lives on the
// loop's thread.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sink/plex/env.h"
#include "sink/plex/replies.h"
#include "sink/server/matches.h"
#include "sink/server/question.h"

namespace haul::plex {

class PlexFind final : public std::enable_shared_from_this<PlexFind> {
 public:
  PlexFind(PlexEnv& env, FindFiles wanted, media_server::Wanted still_wanted,
           MediaServer::Found done);
  void begin();

 private:
  enum class Stage : std::uint8_t { title, newest, leaves, over };

  void next();
  void send();
  void see(const PlexList& list);
  void learn_series(const PlexList& list);
  bool is_same_title(const PlexEntry& entry) const;

  PlexEnv& env_;
  const FindFiles wanted_;
  const media_server::Wanted still_wanted_;
  const MediaServer::Found answer_;
  std::vector<media_server::LibrarySearch> searches_;
  std::size_t at_ = 0;  // Of searches_.

  // Of the search at hand:
  Stage stage_ = Stage::title;
  int requests_ = 0;
  bool series_is_whole_ = false;  // The answer to the title has all episodes of the series.
  std::string show_key_;
  std::string season_key_;
};

}  // namespace haul::plex
