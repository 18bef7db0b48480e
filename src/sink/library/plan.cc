#include "sink/library/plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "base/ensure.h"
#include "base/text.h"
#include "io/file/filename.h"
#include "sink/library/episode_plan.h"
#include "sink/library/media_file.h"
#include "sink/library/release.h"

namespace haul::library {
namespace {

NameTemplate known(TemplateUse use, std::string_view text) {
  auto pieces = read_template(use, text);
  ensure(pieces.has_value(), "the default templates are valid");
  return std::move(*pieces);
}

bool is_episode(std::string_view name) {
  const EpisodeNumbers numbers = parse_release(name).numbers;
  return (numbers.season || numbers.has_episode()) && !numbers.absolute;
}

// A request that does not say its kind is a series if a video has a season or an episode.
LibraryKind kind_of(const ImportRequest& request, std::span<const ImportFile> files,
                    const HandSaid& said) {
  if (const auto kind = said.kind()) return *kind;
  if (const auto kind = kind_said(request)) return *kind;
  const bool is_series = std::ranges::any_of(files, [](const ImportFile& file) {
    return is_video(file.path) && is_episode(stem_of(file.path));
  });
  return is_series ? LibraryKind::series : LibraryKind::movie;
}

// The first text that says something.
std::string first_of(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return {};
}

NameValues values_of(const ImportRequest& request, const ChosenVideo& video, LibraryKind kind,
                     std::size_t videos) {
  const std::string_view stem = stem_of(video.file.path);
  const ReleaseName own = parse_release(stem);
  const ReleaseName release = parse_release(request.release_name);
  const ReleaseName& revised = quality_of(own).empty() ? release : own;
  NameValues values;
  values.title = request.title;
  values.year = request.year ? request.year : release.year;
  if (!values.year && kind == LibraryKind::movie) values.year = own.year;
  values.episode_title = own.episode_title;
  values.quality = first_of({request.quality, quality_of(own), quality_of(release)});
  values.revision = revision_of(revised);
  values.edition = first_of({own.edition, release.edition});
  values.group = first_of({own.group, release.group});
  // Files of one release must keep different names.
  values.original =
      videos == 1 ? first_of({request.release_name, std::string{stem}}) : std::string{stem};
  if (is_video(values.original)) values.original = stem_of(values.original);
  return values;
}

// Adds a video and its subtitles under the path, which has no extension yet.
void add_files(const ChosenVideo& video, const std::string& path, ImportPlan& plan) {
  const std::string folder{folder_of(path)};
  const auto target = [&](const std::string& tail) {
    return (folder.empty() ? "" : folder + "/") + io::safe_name(std::string{name_of(path)} + tail);
  };
  plan.files.push_back({video.file.path, target(extension_of(video.file.path)), video.file.size});
  for (const auto& [file, tag] : video.subtitles)
    plan.files.push_back({file.path, target(tag + extension_of(file.path)), file.size});
}

// Two videos whose paths differ in nothing but case or extension are one episode to a media server.
std::optional<ImportRefusal> refuse_twins(std::span<const std::string> paths,
                                          std::span<const ChosenVideo> videos) {
  std::vector<std::pair<std::string, std::size_t>> keys;
  keys.reserve(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) keys.emplace_back(lower(paths[i]), i);
  std::ranges::sort(keys);
  const auto twin = std::ranges::adjacent_find(
      keys, [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twin == keys.end()) return {};
  const std::string_view first = videos[twin->second].file.path;
  const std::string_view second = videos[std::next(twin)->second].file.path;
  return ImportRefusal{
      "two_for_one_target",
      fmt::format("\"{}\" and \"{}\" would have the same name: {}", printable(name_of(first)),
                  printable(name_of(second)), paths[twin->second]),
      file_command(second, "skip")};
}

struct Remaining {
  std::vector<ImportFile> files{};
  std::vector<SkippedFile> skipped{};
};

Remaining without_left_out(std::span<const ImportFile> files, const HandSaid& said) {
  Remaining remaining;
  for (const ImportFile& file : files)
    if (said.is_left_out(file.path))
      remaining.skipped.push_back({file.path, "left_out"});
    else
      remaining.files.push_back(file);
  return remaining;
}

}  // namespace

ImportTemplates default_templates() {
  return {known(TemplateUse::movie, kMovieTemplate), known(TemplateUse::series, kSeriesTemplate),
          known(TemplateUse::daily, kDailyTemplate)};
}

std::optional<LibraryKind> kind_said(const ImportRequest& request) {
  if (request.kind) return request.kind;
  const bool is_series = request.season || request.episode || is_episode(request.release_name);
  return is_series ? std::optional{LibraryKind::series} : std::nullopt;
}

std::expected<ImportPlan, ImportRefusal> plan_import(const ImportRequest& request,
                                                     std::span<const ImportFile> files,
                                                     const ImportTemplates& templates,
                                                     std::span<const ByHand> by_hand) {
  const auto said = HandSaid::read(by_hand, files);
  if (!said) return std::unexpected{said.error()};
  Remaining remaining = without_left_out(files, *said);
  ImportPlan plan{.kind = kind_of(request, remaining.files, *said),
                  .skipped = std::move(remaining.skipped)};
  const std::vector<std::string> named = said->named();
  const auto selection =
      select_files(remaining.files, {plan.kind, request.year, named, plan.skipped.size()});
  if (!selection) return std::unexpected{selection.error()};
  std::ranges::copy(selection->skipped, std::back_inserter(plan.skipped));

  std::vector<EpisodeNumbers> numbers;
  if (plan.kind == LibraryKind::series) {
    auto numbered = number_videos(request, selection->videos, *said);
    if (!numbered) return std::unexpected{numbered.error()};
    numbers = std::move(*numbered);
  }
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < selection->videos.size(); ++i) {
    NameValues values =
        values_of(request, selection->videos[i], plan.kind, selection->videos.size());
    const NameTemplate* pieces = &templates.movie;
    if (plan.kind == LibraryKind::series) {
      const bool is_daily = numbers[i].episodes.empty();
      pieces = is_daily ? &templates.daily : &templates.series;
      values.episodes = numbers[i].episodes;
      values.date = numbers[i].date;
      values.season = numbers[i].season;
      if (is_daily && values.date) values.season = static_cast<int>(values.date->year());
    }
    paths.push_back(name_path(*pieces, values));
  }
  if (auto refusal = refuse_twins(paths, selection->videos)) return std::unexpected{*refusal};
  for (std::size_t i = 0; i < paths.size(); ++i) add_files(selection->videos[i], paths[i], plan);
  return plan;
}

}  // namespace haul::library
