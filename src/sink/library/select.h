#pragma once
// Chooses from the files of a download what belongs into the library (S1-21): videos without
// samples and extras, and the subtitles of these videos.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sink/library/import_request.h"

namespace haul::library {

struct ImportFile {
  std::string path;  // With '/' between folders. What all files begin with says nothing.
  std::int64_t size = 0;

  bool operator==(const ImportFile&) const = default;
};

struct ChosenSubtitle {
  ImportFile file;
  std::string tag;  // What its name has after the video's: ".en.forced", or nothing.
};

struct ChosenVideo {
  ImportFile file;
  std::vector<ChosenSubtitle> subtitles{};
};

struct SkippedFile {
  std::string path;
  // partial, hidden, disc, extra, sample, empty, not_video, smaller (than the film itself),
  // subtitle_unmatched (it belongs to no chosen video), subtitle_twice, subtitle_too_many, left_out
  // (by hand)
  std::string_view reason;

  bool operator==(const SkippedFile&) const = default;
};

struct WantedVideos {
  LibraryKind kind = LibraryKind::movie;
  std::optional<int> year{};  // Of a film. Tells the films of a collection apart.
  // Paths of the videos that a user named. haul imports them whatever their names are.
  std::span<const std::string> named{};
  std::size_t left_out = 0;  // Files that a user left out. Refusals mention their number.
};

struct ImportSelection {
  std::vector<ChosenVideo> videos{};  // In the order of their paths; one for a movie.
  std::vector<SkippedFile> skipped{};
};

// A series gets every video, a movie the largest one. Refuses `no_video`, and `ambiguous` for a
// film in several parts and for several films. Takes n log n time.
std::expected<ImportSelection, ImportRefusal> select_files(std::span<const ImportFile> files,
                                                           const WantedVideos& wanted);

}  // namespace haul::library
