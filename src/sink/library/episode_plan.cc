#include "sink/library/episode_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "sink/library/media_file.h"
#include "sink/library/release.h"

namespace haul::library {
namespace {

constexpr int kFoldersMax = 4;  // Folders above a file whose names are read.

ImportRefusal refused(std::string code, std::string_view path, std::string_view why,
                      std::size_t videos) {
  return {std::move(code), fmt::format("\"{}\": {}", printable(name_of(path)), why),
          videos == 1 ? std::string{"haul import JOB --as S01E02"} : file_command(path, "S01E02")};
}

// What the names of the folders above a file say, the nearest first, then the release's name.
std::vector<EpisodeNumbers> numbers_above(std::string_view path, std::string_view release_name) {
  std::vector<EpisodeNumbers> above;
  std::string_view folder = folder_of(path);
  for (int i = 0; i < kFoldersMax && !folder.empty(); ++i) {
    above.push_back(parse_release(name_of(folder)).numbers);
    folder = folder_of(folder);
  }
  above.push_back(parse_release(release_name).numbers);
  // A bare number in these names is more often a part of a title.
  std::erase_if(above, [](const EpisodeNumbers& each) { return each.absolute; });
  return above;
}

EpisodeNumbers numbers_of(const ChosenVideo& video, std::string_view release_name,
                          std::size_t videos) {
  EpisodeNumbers numbers = parse_release(stem_of(video.file.path)).numbers;
  for (const EpisodeNumbers& above : numbers_above(video.file.path, release_name)) {
    // Only one episode was fetched, so the name of the release tells which.
    if (videos == 1 && !numbers.has_episode() && above.has_episode()) {
      const auto season = numbers.season;
      numbers = above;
      if (season) numbers.season = season;
    }
    if (!numbers.season && above.season && !above.season_last) numbers.season = above.season;
  }
  return numbers;
}

// The request's numbers win over the names' (for one video).
void apply_request(const ImportRequest& request, EpisodeNumbers& numbers) {
  if (request.season) numbers.season = request.season;
  if (!request.episode) return;
  const bool has_it =
      std::ranges::find(numbers.episodes, *request.episode) != numbers.episodes.end();
  if (has_it) return;  // A file with two episodes keeps both.
  numbers = {.season = numbers.season, .episodes = {*request.episode}};
}

// The request asks for an episode that none of several videos is.
std::optional<ImportRefusal> refuse_other_episodes(const ImportRequest& request,
                                                   std::span<const EpisodeNumbers> all) {
  if (!request.episode) return {};
  const int wanted = *request.episode;
  for (const EpisodeNumbers& numbers : all)
    if (numbers.date || std::ranges::find(numbers.episodes, wanted) != numbers.episodes.end())
      return {};
  return ImportRefusal{
      "ambiguous",
      fmt::format("the request asks for episode {}, and none of the {} videos is it", wanted,
                  all.size()),
      fmt::format("haul import JOB --as S{:02} takes the numbers of the files",
                  request.season.value_or(1))};
}

// The request's season wins if the names agree on another one. A pack of several seasons keeps its
// own.
void apply_season(int wanted, std::span<EpisodeNumbers> all) {
  std::optional<int> season;
  bool is_one = true;
  for (const EpisodeNumbers& numbers : all) {
    if (numbers.season && !season) season = numbers.season;
    if (numbers.season && numbers.season != season) is_one = false;
  }
  for (EpisodeNumbers& numbers : all)
    if (is_one || !numbers.season) numbers.season = wanted;
}

std::optional<ImportRefusal> check_numbers(const ChosenVideo& video, const EpisodeNumbers& numbers,
                                           std::size_t videos) {
  const std::string_view path = video.file.path;
  if (!numbers.has_episode())
    return refused("cannot_parse", path, "the name does not say which episode this is", videos);
  if (numbers.date || numbers.season) return {};
  return refused("ambiguous", path,
                 fmt::format("episode {} of an unknown season", numbers.episodes.front()), videos);
}

}  // namespace

std::expected<std::vector<EpisodeNumbers>, ImportRefusal> number_videos(
    const ImportRequest& request, std::span<const ChosenVideo> videos, const HandSaid& said) {
  const auto& whole = said.whole();
  const bool is_only = videos.size() == 1;
  if (whole && whole->has_episode() && !is_only)
    return std::unexpected{ImportRefusal{
        "ambiguous", fmt::format("one episode was given for {} videos", videos.size()),
        "haul import JOB --file PATH=S01E02 for each file, or --as S01 for the season of all."}};

  std::vector<EpisodeNumbers> all;
  for (const ChosenVideo& video : videos)
    all.push_back(numbers_of(video, request.release_name, videos.size()));
  if (is_only && !whole) apply_request(request, all.front());
  if (!is_only && !whole) {
    if (auto refusal = refuse_other_episodes(request, all)) return std::unexpected{*refusal};
    if (request.season) apply_season(*request.season, all);
  }

  for (std::size_t i = 0; i < videos.size(); ++i) {
    const EpisodeNumbers* const own = said.find(videos[i].file.path);
    const EpisodeNumbers* const by_hand = own != nullptr ? own : whole ? &*whole : nullptr;
    if (by_hand != nullptr) {
      const auto season = by_hand->season  ? by_hand->season
                          : request.season ? request.season
                                           : all[i].season;
      if (by_hand->has_episode()) all[i] = *by_hand;
      all[i].season = season;
    }
    if (auto refusal = check_numbers(videos[i], all[i], videos.size()))
      return std::unexpected{*refusal};
  }
  return all;
}

}  // namespace haul::library
