#pragma once
// Looks for files in the lists of Jellyfin or Emby. They have no search by path, so this asks for
// the items with the title, or the episodes of the series with the title, and then for pages of
// what was added last. Lives on the loop's thread.

#include <cstdint>
#include <memory>
#include <string>

#include "sink/jellyfin/env.h"
#include "sink/server/file_search.h"

namespace haul::jellyfin {

inline constexpr std::size_t kPageItems = 100;
inline constexpr int kSeriesPagesMax = 10;
inline constexpr int kNewestPagesMax = 10;

class JellyfinFind final : public std::enable_shared_from_this<JellyfinFind> {
 public:
  JellyfinFind(JellyfinEnv& env, FindFiles files, media_server::Wanted wanted,
               MediaServer::Found answer);
  void begin();

 private:
  enum class Stage : std::uint8_t { title, series, newest, over };

  void next();
  void send(const PublicInfo& info);
  ItemQuery query() const;
  void see(const ItemPage& page);
  void choose_series(const ItemPage& page);
  void go_to(Stage stage);
  void fail(const Fault& fault);
  bool looks_for_series() const;

  JellyfinEnv& env_;
  media_server::FileSearch search_;

  // Of the library at hand:
  Stage stage_ = Stage::title;
  int page_ = 0;
  std::string series_;  // Its id.
};

}  // namespace haul::jellyfin
