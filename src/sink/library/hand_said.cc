// Reads what a person said about the files of a job.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "sink/library/episode_plan.h"
#include "sink/library/media_file.h"

namespace haul::library {
namespace {

constexpr std::size_t kOverridesMax = 1'000;
constexpr const char* kFix =
    "Use --as S01E02, S01E01-E02, S01, 2024-01-15, movie, or NAME=S01E02 and NAME=skip for a file.";

ImportRefusal refused(std::string detail) { return {"cannot_parse", std::move(detail), kFix}; }

// The path of the file that a person means. Empty if none or several have that name.
std::string meant(std::string_view name, std::span<const ImportFile> files) {
  std::string path;
  int count = 0;
  for (const ImportFile& file : files) {
    if (file.path == name) return file.path;
    if (name_of(file.path) != name) continue;
    path = file.path;
    ++count;
  }
  return count == 1 ? path : std::string{};
}

}  // namespace

std::expected<HandSaid, ImportRefusal> HandSaid::read(std::span<const ImportOverride> by_hand,
                                                      std::span<const ImportFile> files) {
  if (by_hand.size() > kOverridesMax)
    return std::unexpected{refused(fmt::format("more than {} files by hand", kOverridesMax))};
  HandSaid said;
  for (const auto& [path, as] : by_hand) {
    auto numbers = read_numbers(as);
    const bool is_word = path.empty() ? as == "movie" : as == "skip";
    if (!numbers && !is_word)
      return std::unexpected{
          refused(fmt::format("\"{}\" is not an episode such as S01E02", printable(as)))};
    if (path.empty()) {
      said.kind_ = numbers ? LibraryKind::series : LibraryKind::movie;
      said.whole_ = std::move(numbers);
      continue;
    }
    std::string file = meant(path, files);
    if (file.empty())
      return std::unexpected{
          refused(fmt::format("the download has no file \"{}\", or several", printable(path)))};
    if (numbers) said.kind_ = said.kind_.value_or(LibraryKind::series);
    said.files_.push_back({std::move(file), std::move(numbers)});
  }
  std::ranges::stable_sort(said.files_, {}, &Said::path);
  return said;
}

const HandSaid::Said* HandSaid::said_of(std::string_view path) const {
  const auto range = std::ranges::equal_range(files_, path, {}, &Said::path);
  return range.empty() ? nullptr : &range.back();  // The last word counts.
}

const EpisodeNumbers* HandSaid::find(std::string_view path) const {
  const Said* const said = said_of(path);
  return said != nullptr && said->numbers ? &*said->numbers : nullptr;
}

bool HandSaid::is_left_out(std::string_view path) const {
  const Said* const said = said_of(path);
  return said != nullptr && !said->numbers;
}

}  // namespace haul::library
