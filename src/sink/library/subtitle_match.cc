#include "sink/library/subtitle_match.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "sink/library/media_file.h"

namespace haul::library {
namespace {

constexpr int kTagsMax = 3;  // ".en.forced.sdh"
constexpr std::size_t kTagMax = 16;
constexpr std::size_t kSubtitlesMax = 200;  // Of one video.
constexpr std::string_view kFolders[] = {"sub", "subs", "subtitle", "subtitles"};

// The path of each video without its extension, and its index.
using Stems = std::vector<std::pair<std::string_view, std::size_t>>;

std::string_view without_extension(std::string_view path) {
  return path.substr(0, path.size() - extension_of(path).size());
}

bool is_tag(std::string_view text) {
  return !text.empty() && text.size() <= kTagMax && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_';
  });
}

struct Match {
  std::size_t video = 0;
  std::size_t stem_size = 0;  // The subtitle's path up to its tags.
};

std::optional<Match> find_stem(const Stems& stems, std::string_view path) {
  for (int tags = 0; tags <= kTagsMax; ++tags) {
    const auto at = std::ranges::lower_bound(stems, path, {}, &Stems::value_type::first);
    if (at != stems.end() && at->first == path) return Match{at->second, path.size()};
    const std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos || !is_tag(path.substr(dot + 1))) return {};
    path = path.substr(0, dot);
  }
  return {};
}

// The same path one folder up: "a/Subs/b" gives "a/b". Empty if it is in no folder of subtitles.
std::string one_up(std::string_view path) {
  const std::string_view folder = folder_of(path);
  const std::string name = folded(name_of(folder));
  if (std::ranges::find(kFolders, name) == std::end(kFolders)) return {};
  const std::string_view up = folder_of(folder);
  return (up.empty() ? std::string{} : std::string{up} + "/") + std::string{name_of(path)};
}

bool has_same(const ChosenVideo& video, const ChosenSubtitle& wanted) {
  return std::ranges::any_of(video.subtitles, [&](const ChosenSubtitle& each) {
    return lower(each.tag) == lower(wanted.tag) &&
           extension_of(each.file.path) == extension_of(wanted.file.path);
  });
}

}  // namespace

void match_subtitles(std::span<const ImportFile> subtitles, ImportSelection& selection) {
  Stems stems;
  for (std::size_t i = 0; i < selection.videos.size(); ++i)
    stems.emplace_back(without_extension(selection.videos[i].file.path), i);
  std::ranges::sort(stems);
  for (const ImportFile& file : subtitles) {
    std::string stem{without_extension(file.path)};
    auto match = find_stem(stems, stem);
    if (!match) {
      stem = one_up(stem);
      match = stem.empty() ? std::nullopt : find_stem(stems, stem);
    }
    if (!match) {
      selection.skipped.push_back({file.path, "subtitle_unmatched"});
      continue;
    }
    ChosenVideo& video = selection.videos[match->video];
    ChosenSubtitle chosen{file, stem.substr(match->stem_size)};
    if (video.subtitles.size() >= kSubtitlesMax)
      selection.skipped.push_back({file.path, "subtitle_too_many"});
    else if (has_same(video, chosen))
      selection.skipped.push_back({file.path, "subtitle_twice"});
    else
      video.subtitles.push_back(std::move(chosen));
  }
}

}  // namespace haul::library
