#pragma once
// Which episodes each video of a series is: from what a person said, the request, the names of the
// file and its folders, and the name of the release.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seam/by_hand.h"
#include "sink/library/episode_numbers.h"
#include "sink/library/import_request.h"
#include "sink/library/select.h"

namespace haul::library {

// What a person said about a job: for single files, and for the job as a whole.
class HandSaid {
 public:
  // Refuses cannot_parse: a text that means nothing, too many of them, or a file that is not there
  // or no video.
  static std::expected<HandSaid, ImportRefusal> read(std::span<const ByHand> by_hand,
                                                     std::span<const ImportFile> files);
  // The same before the files are known: refuses only the texts.
  static std::optional<ImportRefusal> check(std::span<const ByHand> by_hand);

  // Of the job as a whole; nothing if nothing was said.
  std::optional<LibraryKind> kind() const { return kind_; }
  const std::optional<EpisodeNumbers>& whole() const { return whole_; }
  // Of one file.
  const EpisodeNumbers* find(std::string_view path) const;
  // It stays out: the user said so, or said that another video is the film.
  bool is_left_out(std::string_view path) const;
  // The videos that the user said something else of, by path. They are imported whatever their
  // names are.
  std::vector<std::string> named() const;

 private:
  enum class Word : std::uint8_t { numbers, film, skip };
  struct Said {
    std::string path;
    Word word = Word::skip;
    EpisodeNumbers numbers{};
  };
  // Refuses words that contradict each other, and concludes the kind from them.
  std::optional<ImportRefusal> settle();
  const Said* said_of(std::string_view path) const;

  std::vector<Said> files_{};  // By path.
  std::optional<EpisodeNumbers> whole_{};
  std::optional<LibraryKind> kind_{};
  bool has_film_ = false;  // Of a file.
};

// The numbers of each video, in the same order. Each has a season and an episode, or a date.
std::expected<std::vector<EpisodeNumbers>, ImportRefusal> number_videos(
    const ImportRequest& request, std::span<const ChosenVideo> videos, const HandSaid& said);

}  // namespace haul::library
