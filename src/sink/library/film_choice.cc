#include "sink/library/film_choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/ensure.h"
#include "base/text.h"
#include "sink/library/media_file.h"
#include "sink/library/release.h"

namespace haul::library {
namespace {

constexpr std::string_view kPartWords[] = {"cd", "dvd", "disc", "disk", "part", "pt"};
constexpr std::int64_t kPartShare = 4;  // A part is no smaller than this part of the largest video.
constexpr std::int64_t kFilmShare = 2;  // The same for another film of a collection.

bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c) || !is_ascii(c); }

// The digits of a part's number at this position of a lower-case path, as in "cd1", "part 2".
// Empty if none stands there.
std::string_view part_number(std::string_view path, std::size_t at) {
  if (at > 0 && is_alphanumeric(path[at - 1])) return {};
  for (const std::string_view word : kPartWords) {
    if (!path.substr(at).starts_with(word)) continue;
    std::size_t begin = at + word.size();
    if (begin < path.size() && !is_alphanumeric(path[begin]) && path[begin] != '/') ++begin;
    std::size_t end = begin;
    while (end < path.size() && is_digit(path[end])) ++end;
    const bool is_number = end > begin && end - begin <= 2;
    if (is_number && (end == path.size() || !is_alphanumeric(path[end])))
      return path.substr(begin, end - begin);
  }
  return {};
}

// The path with '#' for the number of its part: the parts of one film give the same. Empty if the
// path names no part.
std::string parts_key(std::string_view path) {
  const std::string low = lower(path.substr(0, path.size() - extension_of(path).size()));
  std::string key;
  bool is_part = false;
  for (std::size_t at = 0; at < low.size();) {
    const std::string_view number = part_number(low, at);
    if (number.empty()) {
      key += low[at++];
      continue;
    }
    const auto begin = static_cast<std::size_t>(number.data() - low.data());
    key += low.substr(at, begin - at) + "#";
    at = begin + number.size();
    is_part = true;
  }
  return is_part ? key : std::string{};
}

std::optional<int> year_of(std::string_view path) {
  const std::optional<int> own = parse_release(stem_of(path)).year;
  return own ? own : parse_release(name_of(folder_of(path))).year;
}

// The videos of at least that share of the largest one.
std::vector<std::size_t> large_ones(std::span<const ImportFile> videos, std::int64_t largest,
                                    std::int64_t share) {
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < videos.size(); ++i)
    if (videos[i].size >= largest / share) large.push_back(i);
  return large;
}

std::string two_names(const ImportFile& a, const ImportFile& b) {
  return fmt::format("\"{}\" and \"{}\"", printable(name_of(a.path)), printable(name_of(b.path)));
}

std::optional<ImportRefusal> refuse_parts(std::span<const ImportFile> videos,
                                          std::span<const std::size_t> large, std::size_t shared) {
  std::vector<std::pair<std::string, std::size_t>> keys;
  for (const std::size_t i : large)
    if (std::string key = parts_key(std::string_view{videos[i].path}.substr(shared)); !key.empty())
      keys.emplace_back(std::move(key), i);
  std::ranges::sort(keys);
  const auto twin = std::ranges::adjacent_find(
      keys, [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twin == keys.end()) return {};
  return ImportRefusal{
      "ambiguous",
      fmt::format("the film is in several parts: {}",
                  two_names(videos[twin->second], videos[std::next(twin)->second])),
      "Choose a release in one file. To keep this one, copy it yourself and cancel the job."};
}

}  // namespace

std::expected<std::size_t, ImportRefusal> choose_film(std::span<const ImportFile> videos,
                                                      std::optional<int> year, std::size_t shared) {
  ensure(!videos.empty(), "a film is chosen from at least one video");
  const auto largest = static_cast<std::size_t>(
      std::ranges::max_element(videos, {}, &ImportFile::size) - videos.begin());
  const std::int64_t size = videos[largest].size;
  const auto parts = refuse_parts(videos, large_ones(videos, size, kPartShare), shared);
  if (parts) return std::unexpected{*parts};

  std::vector<std::pair<int, std::size_t>> years;  // Of the large videos that say one.
  for (const std::size_t i : large_ones(videos, size, kFilmShare))
    if (const auto own = year_of(videos[i].path)) years.emplace_back(*own, i);
  std::ranges::sort(years);
  if (years.empty() || years.front().first == years.back().first) return largest;
  const auto right =
      std::ranges::equal_range(years, year.value_or(0), {}, &std::pair<int, std::size_t>::first);
  if (right.size() == 1) return right.front().second;
  return std::unexpected{ImportRefusal{
      "ambiguous",
      fmt::format("the download has several films: {}",
                  two_names(videos[years.front().second], videos[years.back().second])),
      "Add a job per film with its year, or say which one it is: " +
          file_command(videos[years.front().second].path, "movie")}};
}

}  // namespace haul::library
