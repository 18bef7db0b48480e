#include "sink/library/select.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/text.h"
#include "sink/library/film_choice.h"
#include "sink/library/media_file.h"
#include "sink/library/skip_reason.h"
#include "sink/library/subtitle_match.h"

namespace haul::library {
namespace {

constexpr std::size_t kExtensionsMax = 5;  // Of one reason, in a refusal.

// Sorts the files into videos, subtitles and skipped ones.
struct Sorted {
  std::vector<ImportFile> videos{};
  std::vector<ImportFile> subtitles{};
  std::vector<SkippedFile> skipped{};
  bool has_archive = false;
  bool has_disc = false;
};

bool is_named(const ImportFile& file, const WantedVideos& wanted) {
  return file.size > 0 && std::ranges::binary_search(wanted.named, file.path);
}

Sorted sort_files(std::span<const ImportFile> files, const WantedVideos& wanted) {
  const std::size_t shared = shared_folder(files);
  Sorted sorted;
  for (const ImportFile& file : files) {
    const std::string_view path = std::string_view{file.path}.substr(shared);
    const std::string_view reason =
        is_named(file, wanted) ? std::string_view{} : skip_reason(path, file.size);
    sorted.has_archive = sorted.has_archive || is_archive(path);
    sorted.has_disc = sorted.has_disc || reason == "disc";
    if (!reason.empty())
      sorted.skipped.push_back({file.path, reason});
    else
      (is_subtitle(path) ? sorted.subtitles : sorted.videos).push_back(file);
  }
  return sorted;
}

// Skips videos that are called samples or trailers and are small. If no other video is there, they
// are what was asked for, unless the film itself is still packed or a disc.
void skip_samples(Sorted& sorted, std::size_t shared, const WantedVideos& wanted) {
  const auto reason_of = [&](const ImportFile& file) {
    return is_named(file, wanted) ? std::string_view{}
                                  : reason_if_small(std::string_view{file.path}.substr(shared));
  };
  std::int64_t largest = 0;
  for (const ImportFile& file : sorted.videos)
    if (reason_of(file).empty()) largest = std::max(largest, file.size);
  if (largest == 0 && (sorted.has_archive || sorted.has_disc))
    largest = std::numeric_limits<std::int64_t>::max();
  std::vector<ImportFile> kept;
  for (ImportFile& file : sorted.videos) {
    const std::string_view reason = reason_of(file);
    if (!reason.empty() && file.size < largest / kSampleShare)
      sorted.skipped.push_back({file.path, reason});
    else
      kept.push_back(std::move(file));
  }
  sorted.videos = std::move(kept);
}

// The files that were skipped for one reason.
struct ReasonCount {
  std::string_view reason;
  std::size_t files = 0;
  std::vector<std::string> extensions{};  // Different ones, at most kExtensionsMax.
};

void count_extension(std::string_view path, ReasonCount& count) {
  std::string extension = extension_of(path);
  if (extension.empty() || count.extensions.size() == kExtensionsMax) return;
  if (std::ranges::find(count.extensions, extension) == count.extensions.end())
    count.extensions.push_back(std::move(extension));
}

// "2 not_video: .nfo .txt; 1 sample: .mkv; 3 left_out".
std::string counted(const Sorted& sorted, const WantedVideos& wanted) {
  std::vector<ReasonCount> counts;
  const auto add = [&](std::string_view reason, std::string_view path) {
    auto known = std::ranges::find(counts, reason, &ReasonCount::reason);
    if (known == counts.end()) {
      counts.push_back({.reason = reason});
      known = std::prev(counts.end());
    }
    ++known->files;
    count_extension(path, *known);
  };
  for (const SkippedFile& file : sorted.skipped) add(file.reason, file.path);
  for (const ImportFile& file : sorted.subtitles) add("subtitle", file.path);
  if (wanted.left_out > 0) counts.push_back({.reason = "left_out", .files = wanted.left_out});
  std::string text;
  for (const ReasonCount& each : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", each.files, each.reason);
    for (std::size_t i = 0; i < each.extensions.size(); ++i)
      text += (i == 0 ? ": " : " ") + printable(each.extensions[i]);
  }
  return text;
}

ImportRefusal no_video(const Sorted& sorted, const WantedVideos& wanted) {
  const std::size_t files = sorted.skipped.size() + sorted.subtitles.size() + wanted.left_out;
  std::string detail = "the download has no files";
  if (files > 0)
    detail = fmt::format("none of the {} files is a video to import ({})", files,
                         counted(sorted, wanted));
  if (sorted.has_disc)
    return {"no_video", detail, "haul imports no disc folders. Choose a release in one file."};
  if (sorted.has_archive)
    return {"no_video", detail, "haul unpacks no archives. Choose a release that is not packed."};
  if (wanted.left_out > 0) return {"no_video", detail, "Leave out fewer files by hand."};
  return {"no_video", detail, "Choose another release, and cancel this job."};
}

}  // namespace

std::expected<ImportSelection, ImportRefusal> select_files(std::span<const ImportFile> files,
                                                           const WantedVideos& wanted) {
  Sorted sorted = sort_files(files, wanted);
  const std::size_t shared = shared_folder(files);
  skip_samples(sorted, shared, wanted);
  std::ranges::sort(sorted.videos, {}, &ImportFile::path);
  if (!sorted.videos.empty() && wanted.kind == LibraryKind::movie) {
    const auto film = choose_film(sorted.videos, wanted.year, shared);
    if (!film) return std::unexpected{film.error()};
    for (std::size_t i = 0; i < sorted.videos.size(); ++i)
      if (i != *film) sorted.skipped.push_back({sorted.videos[i].path, "smaller"});
    sorted.videos = {ImportFile{sorted.videos[*film]}};
  }
  if (sorted.videos.empty()) return std::unexpected{no_video(sorted, wanted)};
  ImportSelection selection{.skipped = std::move(sorted.skipped)};
  for (ImportFile& file : sorted.videos) selection.videos.push_back({std::move(file)});
  match_subtitles(sorted.subtitles, selection);
  return selection;
}

}  // namespace haul::library
