#pragma once
// Which episodes a release name means: "S01E02", "S01E01-E03", "1x02", "S01", "2024-01-15", and the
// bare numbers of anime.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "sink/library/release_words.h"

namespace haul::library {

inline constexpr int kEpisodeRangeMax = 100;  // A longer range is not taken for one.

struct EpisodeNumbers {
  std::optional<int> season{};
  std::optional<int> season_last{};  // The last one of a pack of several seasons.
  std::vector<int> episodes{};       // Ascending. Empty for a pack.
  // The episode has a bare number, as in "[Group] Show - 137". It may count from the first episode
  // of the series on.
  bool absolute = false;
  std::optional<std::chrono::year_month_day> date{};

  // Whether they say which episodes, not only which season.
  bool has_episode() const { return !episodes.empty() || date; }
  bool operator==(const EpisodeNumbers&) const = default;
};

struct FoundNumbers {
  EpisodeNumbers numbers;
  std::size_t first = 0;  // The words that say it.
  std::size_t count = 0;
};

// The clearest numbers at or after the word `from`: a season with an episode, then a date, an
// episode, a season. Bare numbers only count before the word `quality`. Nothing if there are none.
std::optional<FoundNumbers> find_numbers(const ReleaseWords& words, std::size_t from,
                                         std::size_t quality);

// Numbers that a person typed, such as "S01E02", "S01E02-E03", "S01", "1x02" or "2024-01-15".
// Nothing if the text has anything else.
std::optional<EpisodeNumbers> read_numbers(std::string_view text);

}  // namespace haul::library
