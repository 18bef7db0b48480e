#pragma once
// Reads the names of releases and their files, such as
// "Show.Name.S01E02.Its.Title.1080p.WEB-DL.x264-GRP" or "Blade Runner 2049 (2017) [2160p]".

#include <optional>
#include <string>
#include <string_view>

#include "sink/library/episode_numbers.h"

namespace haul::library {

// Everything that the name says. What it does not say is empty.
struct ReleaseName {
  std::string title{};
  std::optional<int> year{};
  EpisodeNumbers numbers{};
  std::string episode_title{};
  std::string resolution{};  // "1080p"
  std::string source{};      // "Bluray", "WEBDL", "HDTV", "DVD", "Remux", …
  std::string codec{};       // "x264"
  std::string group{};
  std::string edition{};  // "Directors Cut"
  bool proper = false;
  bool repack = false;

  bool operator==(const ReleaseName&) const = default;
};

// Reads the first kReleaseNameMax bytes of a name without folders. Any bytes are fine. It ignores
// an extension that can only be a video's.
ReleaseName parse_release(std::string_view name);

// "Bluray-1080p", as Radarr and Sonarr write it. Empty if the name says neither.
std::string quality_of(const ReleaseName& release);
// "Proper", "Repack", or nothing.
std::string_view revision_of(const ReleaseName& release);

}  // namespace haul::library
