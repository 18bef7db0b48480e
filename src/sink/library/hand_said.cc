// Reads what a person said about the files of a job.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "sink/library/episode_plan.h"
#include "sink/library/media_file.h"

namespace haul::library {
namespace {

constexpr std::size_t kByHandMax = 1'000;
constexpr const char* kFix =
    "Use --as S01E02, S01E01-E02, S01, 2024-01-15 or movie, and --file PATH=S01E02, PATH=movie or "
    "PATH=skip for a file.";
constexpr std::string_view kFilm = "movie";
constexpr std::string_view kSkip = "skip";

ImportRefusal refused(std::string detail) { return {"cannot_parse", std::move(detail), kFix}; }

// The path of the file that a person means: the one at that path, or else the one of that name, as
// a retry may fetch it into another folder. Empty if none or several have the name.
std::string meant(std::string_view name, std::span<const ImportFile> files) {
  std::string path;
  int count = 0;
  for (const ImportFile& file : files) {
    if (file.path == name) return file.path;
    if (name_of(file.path) != name_of(name)) continue;
    path = file.path;
    ++count;
  }
  return count == 1 ? path : std::string{};
}

}  // namespace

std::optional<ImportRefusal> HandSaid::check(std::span<const ByHand> by_hand) {
  if (by_hand.size() > kByHandMax)
    return refused(fmt::format("more than {} files by hand", kByHandMax));
  for (const auto& [path, as] : by_hand) {
    const bool is_word = as == kFilm || (!path.empty() && as == kSkip);
    if (!is_word && !read_numbers(as))
      return refused(fmt::format("\"{}\" is not an episode such as S01E02", printable(as)));
  }
  return {};
}

std::expected<HandSaid, ImportRefusal> HandSaid::read(std::span<const ByHand> by_hand,
                                                      std::span<const ImportFile> files) {
  if (auto refusal = check(by_hand)) return std::unexpected{*std::move(refusal)};
  HandSaid said;
  for (const auto& [path, as] : by_hand) {
    auto numbers = read_numbers(as);
    if (path.empty()) {
      said.kind_ = numbers ? LibraryKind::series : LibraryKind::movie;
      said.whole_ = std::move(numbers);
      continue;
    }
    std::string file = meant(path, files);
    if (file.empty())
      return std::unexpected{
          refused(fmt::format("the download has no file \"{}\", or several", printable(path)))};
    const Word word = numbers ? Word::numbers : as == kFilm ? Word::film : Word::skip;
    if (word != Word::skip && !is_video(file))
      return std::unexpected{refused(fmt::format("\"{}\" is not a video", printable(file)))};
    said.files_.push_back({std::move(file), word, std::move(numbers).value_or(EpisodeNumbers{})});
  }
  if (auto refusal = said.settle()) return std::unexpected{*std::move(refusal)};
  return said;
}

std::optional<ImportRefusal> HandSaid::settle() {
  // Of a file that is named twice, the last word counts.
  std::ranges::stable_sort(files_, {}, &Said::path);
  std::vector<Said> last;
  for (Said& each : files_)
    if (last.empty() || last.back().path != each.path)
      last.push_back(std::move(each));
    else
      last.back() = std::move(each);
  files_ = std::move(last);
  const auto films = std::ranges::count(files_, Word::film, &Said::word);
  const bool has_numbers = whole_ || std::ranges::count(files_, Word::numbers, &Said::word) > 0;
  if (films > 1) return refused("two files are said to be the film");
  if (has_numbers && (films > 0 || kind_ == LibraryKind::movie))
    return refused("a film and an episode are said at once");
  has_film_ = films > 0;
  if (has_film_) kind_ = LibraryKind::movie;
  if (has_numbers) kind_ = LibraryKind::series;
  return {};
}

const HandSaid::Said* HandSaid::said_of(std::string_view path) const {
  const auto at = std::ranges::lower_bound(files_, path, {}, &Said::path);
  return at != files_.end() && at->path == path ? &*at : nullptr;
}

const EpisodeNumbers* HandSaid::find(std::string_view path) const {
  const Said* const said = said_of(path);
  return said != nullptr && said->word == Word::numbers ? &said->numbers : nullptr;
}

bool HandSaid::is_left_out(std::string_view path) const {
  const Said* const said = said_of(path);
  if (said == nullptr) return has_film_ && is_video(path);
  return said->word == Word::skip;
}

std::vector<std::string> HandSaid::named() const {
  std::vector<std::string> paths;
  for (const Said& each : files_)
    if (each.word != Word::skip) paths.push_back(each.path);
  return paths;
}

}  // namespace haul::library
