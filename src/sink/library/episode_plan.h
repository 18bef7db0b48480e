#pragma once
// Which episodes each video of a series is: from what a person said, the request, the names of the
// file and its folders, and the name of the release.

#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sink/library/episode_numbers.h"
#include "sink/library/import_request.h"
#include "sink/library/select.h"

namespace haul::library {

// What a person said about a job: for single files, and for the job as a whole.
class HandSaid {
 public:
  // Refuses cannot_parse: a text that is no number, or a file that is not there.
  static std::expected<HandSaid, ImportRefusal> read(std::span<const ImportOverride> by_hand,
                                                     std::span<const ImportFile> files);

  // Of the job as a whole; nothing if nothing was said.
  std::optional<LibraryKind> kind() const { return kind_; }
  const std::optional<EpisodeNumbers>& whole() const { return whole_; }
  // Of one file.
  const EpisodeNumbers* find(std::string_view path) const;
  bool is_left_out(std::string_view path) const;

 private:
  struct Said {
    std::string path;
    std::optional<EpisodeNumbers> numbers;  // Nothing: the file is left out.
  };
  const Said* said_of(std::string_view path) const;

  std::vector<Said> files_{};
  std::optional<EpisodeNumbers> whole_{};
  std::optional<LibraryKind> kind_{};
};

// The numbers of each video, in the same order. Each has a season and an episode, or a date.
std::expected<std::vector<EpisodeNumbers>, ImportRefusal> number_videos(
    const ImportRequest& request, std::span<const ChosenVideo> videos, const HandSaid& said);

}  // namespace haul::library
