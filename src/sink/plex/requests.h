#pragma once
// The requests to Plex. Each lists at most `slice` entries and limits the length of its answer.

#include <cstddef>
#include <string>

#include "sink/plex/settings.h"
#include "sink/server/calls.h"
#include "sink/server/library.h"

namespace haul::plex {

using media_server::ServerCall;
using media_server::ServerLibrary;

// The limits of one search for one file: all its answers together have at most 1 MiB. The list of
// libraries is asked for instead of the last of them.
inline constexpr std::size_t kTitleBytesMax = std::size_t{256} << 10U;
inline constexpr std::size_t kNewestBytesMax = std::size_t{384} << 10U;
inline constexpr std::size_t kLeavesBytesMax = std::size_t{384} << 10U;
inline constexpr std::size_t kSectionsBytesMax = std::size_t{256} << 10U;
static_assert(kTitleBytesMax + kNewestBytesMax + kLeavesBytesMax <= std::size_t{1} << 20U);
static_assert(kSectionsBytesMax <= kLeavesBytesMax);
// No part of a search: an operator asks for it.
inline constexpr std::size_t kBrowseBytesMax = std::size_t{8} << 20U;

// How many entries haul asks for at once. One entry has about 1.3 KB.
struct PlexSlices {
  std::size_t title = 100;
  std::size_t newest = 200;
  std::size_t leaves = 250;
};

// Needs no token, so the request has none.
ServerCall ask_identity(const PlexSettings& settings);
ServerCall ask_sections(const PlexSettings& settings);
// The folders and files in a folder of Plex's machine. Plex's own set-up asks for them so.
ServerCall ask_browse(const PlexSettings& settings, const std::string& folder);
// Asks Plex to scan a folder of the library, or the whole library if the folder is empty. Plex
// ignores the folder that a library begins with.
ServerCall ask_refresh(const PlexSettings& settings, const ServerLibrary& library,
                       const std::string& folder);
// The films with this title, or the episodes of the series with this title; newest first.
ServerCall ask_by_title(const PlexSettings& settings, const ServerLibrary& library,
                        const std::string& title, std::size_t slice);
ServerCall ask_newest(const PlexSettings& settings, const ServerLibrary& library,
                      std::size_t slice);
// All episodes of a series.
ServerCall ask_all_leaves(const PlexSettings& settings, const std::string& show, std::size_t slice);
// All episodes of a season.
ServerCall ask_season(const PlexSettings& settings, const std::string& season, std::size_t slice);

}  // namespace haul::plex
