#include "sink/library/episode_numbers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sink/library/number_reader.h"

namespace haul::library {
namespace {

constexpr std::string_view kSeasonWords[] = {"season", "saison", "staffel", "temporada",
                                             "stagione"};
constexpr std::string_view kLoneDash = " - ";

void add(std::vector<int>& episodes, int number) {
  if (std::ranges::find(episodes, number) == episodes.end()) episodes.push_back(number);
}

// Adds all up to `last`. False if that is no range.
bool add_range(std::vector<int>& episodes, int last) {
  const int first = episodes.back();
  if (last < first || last - first >= kEpisodeRangeMax) return false;
  for (int number = first + 1; number <= last; ++number) add(episodes, number);
  return true;
}

// The episodes of "e02", "ep02" and "e01e02"; empty if the text is anything else.
std::vector<int> listed(std::string_view text, std::size_t digits_min = 1) {
  NumberReader reader{text};
  std::vector<int> episodes;
  while (!reader.is_done()) {
    if (!reader.skip("ep") && !reader.skip("e") && !reader.skip("x")) return {};
    const auto number = reader.number(digits_min, 4);
    if (!number) return {};
    add(episodes, *number);
  }
  return episodes;
}

// "S01E02" as one word, or "1x02".
std::optional<EpisodeNumbers> one_word(std::string_view low) {
  NumberReader reader{low};
  const bool has_letter = reader.skip("s");
  const auto season = has_letter ? reader.number(1, 4) : reader.number(1, 2);
  if (!season || reader.rest().empty()) return {};
  if (!has_letter && !reader.rest().starts_with('x')) return {};
  const std::vector<int> episodes = listed(reader.rest(), has_letter ? 1 : 2);
  if (episodes.empty()) return {};
  return EpisodeNumbers{.season = season, .episodes = episodes};
}

// The last episode of a range whose end is this word: "e03", "03", "s01e03", "1x03".
std::optional<int> range_end(std::string_view low, std::optional<int> season) {
  NumberReader reader{low};
  if (const auto number = reader.number(1, 4); number && reader.is_done()) return number;
  if (const auto more = listed(low); more.size() == 1) return more[0];
  if (const auto other = one_word(low);
      other && other->season == season && other->episodes.size() == 1)
    return other->episodes[0];
  return {};
}

// Adds the episodes of the words after the first: "-E03", ".E02". Returns where they end.
std::size_t read_more(const ReleaseWords& words, std::size_t at, EpisodeNumbers& numbers) {
  for (; at < words.size(); ++at) {
    const std::string_view gap = words.gap(at);
    if (gap == "-" || gap == "~") {
      const auto last = range_end(words.low(at), numbers.season);
      if (!last || !add_range(numbers.episodes, *last)) break;
      continue;
    }
    if (!words.low(at).starts_with('e') || (!words.is_joined(at) && gap != "+")) break;
    const auto more = listed(words.low(at));
    if (more.empty()) break;
    for (const int number : more) add(numbers.episodes, number);
  }
  std::ranges::sort(numbers.episodes);
  return at;
}

FoundNumbers found(EpisodeNumbers numbers, std::size_t first, std::size_t end) {
  return {std::move(numbers), first, end - first};
}

bool is_near(const ReleaseWords& words, std::size_t i) {
  return i < words.size() && (words.is_joined(i) || words.gap(i) == kLoneDash);
}

// "e02" or "episode 2" at this word. Moves `at` behind it.
std::vector<int> episode_words(const ReleaseWords& words, std::size_t& at, std::size_t digits_min) {
  if (at >= words.size()) return {};
  const std::string_view low = words.low(at);
  if (NumberReader reader{low}; reader.skip("episode") || low == "ep") {
    const bool is_apart = low == "ep" || reader.rest().empty();
    if (is_apart && !is_near(words, at + 1)) return {};
    NumberReader number{is_apart ? std::string_view{words.low(at + 1)} : reader.rest()};
    const auto value = number.number(1, 4);
    if (!value || !number.is_done()) return {};
    at += is_apart ? 2 : 1;
    return {*value};
  }
  if (!low.starts_with('e')) return {};
  std::vector<int> episodes = listed(low, low.starts_with("ep") ? 1 : digits_min);
  if (!episodes.empty()) ++at;
  return episodes;
}

// The season of "s01", "season01" or "season 1" at this word. Moves `at` behind it.
std::optional<int> season_words(const ReleaseWords& words, std::size_t& at) {
  const std::string_view low = words.low(at);
  NumberReader reader{low};
  const auto* const word = std::ranges::find_if(
      kSeasonWords, [&](std::string_view each) { return low.starts_with(each); });
  const bool is_word = word != std::end(kSeasonWords);
  if (is_word) {
    reader.skip(*word);
    reader.skip("s");  // "seasons" begins with "season".
  }
  const bool is_apart = is_word && reader.rest().empty();
  if (!is_word && !reader.skip("s")) return {};
  if (is_apart && !is_near(words, at + 1)) return {};
  NumberReader number{is_apart ? std::string_view{words.low(at + 1)} : reader.rest()};
  const auto season = number.number(1, 4);
  if (!season || !number.rest().empty()) return {};
  at += is_apart ? 2 : 1;
  return season;
}

std::optional<FoundNumbers> season_and_episode(const ReleaseWords& words, std::size_t i) {
  if (auto numbers = one_word(words.low(i))) {
    const std::size_t end = read_more(words, i + 1, *numbers);
    return found(std::move(*numbers), i, end);
  }
  std::size_t at = i;
  const auto season = season_words(words, at);
  if (!season || !is_near(words, at)) return {};
  EpisodeNumbers numbers{.season = season, .episodes = episode_words(words, at, 1)};
  // "Show S02 01" and "Show S2 - 1": a number right after the season.
  if (numbers.episodes.empty() && words.gap(at) != "-") {
    NumberReader reader{words.low(at)};
    const auto number = reader.number(words.gap(at) == kLoneDash ? 1 : 2, 3);
    if (!number || !reader.is_done()) return {};
    numbers.episodes = {*number};
    ++at;
  }
  if (numbers.episodes.empty()) return {};
  const std::size_t end = read_more(words, at, numbers);
  return found(std::move(numbers), i, end);
}

std::optional<FoundNumbers> date(const ReleaseWords& words, std::size_t i) {
  if (i + 2 >= words.size() || !words.is_joined(i + 1) || words.gap(i + 1) != words.gap(i + 2))
    return {};
  NumberReader year{words.low(i)};
  NumberReader month{words.low(i + 1)};
  NumberReader day{words.low(i + 2)};
  const auto y = year.number(4, 4);
  const auto m = month.number(2, 2);
  const auto d = day.number(2, 2);
  if (!y || !m || !d || !year.rest().empty() || !month.rest().empty() || !day.rest().empty())
    return {};
  const std::chrono::year_month_day value{std::chrono::year{*y},
                                          std::chrono::month{static_cast<unsigned>(*m)},
                                          std::chrono::day{static_cast<unsigned>(*d)}};
  if (!value.ok() || *y < kReleaseYearMin || *y > kReleaseYearMax) return {};
  return found({.date = value}, i, i + 3);
}

std::optional<FoundNumbers> episode_only(const ReleaseWords& words, std::size_t i) {
  std::size_t at = i;
  EpisodeNumbers numbers{.episodes = episode_words(words, at, 2)};
  if (numbers.episodes.empty()) return {};
  const std::size_t end = read_more(words, at, numbers);
  return found(std::move(numbers), i, end);
}

std::optional<FoundNumbers> season_only(const ReleaseWords& words, std::size_t i) {
  if (words.size() == 1 && words.low(0) == "specials") return found({.season = 0}, 0, 1);
  std::size_t at = i;
  EpisodeNumbers numbers{.season = season_words(words, at)};
  if (!numbers.season) return {};
  if (at < words.size() && words.gap(at) == "-") {
    NumberReader reader{words.low(at)};
    reader.skip("s");
    const auto last = reader.number(1, 4);
    if (last && reader.rest().empty() && *last > *numbers.season) {
      numbers.season_last = last;
      ++at;
    }
  }
  return found(std::move(numbers), i, at);
}

}  // namespace

std::optional<FoundNumbers> find_numbers(const ReleaseWords& words, std::size_t from,
                                         std::size_t quality) {
  for (const auto read : {season_and_episode, date, episode_only, season_only})
    for (std::size_t i = from; i < words.size(); ++i)
      if (auto numbers = read(words, i)) return numbers;
  if (const auto at = find_bare_number(words, from, quality)) {
    EpisodeNumbers numbers{.episodes = {at->number}, .absolute = true};
    const std::size_t end = read_more(words, at->word + 1, numbers);
    return found(std::move(numbers), at->word, end);
  }
  return {};
}

std::optional<EpisodeNumbers> read_numbers(std::string_view text) {
  const ReleaseWords words = split_release(text);
  auto numbers = find_numbers(words, 0, words.size());
  if (!numbers || numbers->count != words.size()) return {};
  return std::move(numbers->numbers);
}

}  // namespace haul::library
