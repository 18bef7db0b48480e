#include "sink/library/release.h"

#include <algorithm>
#include <cstdint>

#include "sink/library/media_file.h"
#include "sink/library/number_reader.h"
#include "sink/library/release_marks.h"

namespace haul::library {
namespace {

constexpr std::size_t kGroupMax = 40;

// ".ts" stays: it may stand for "telesync" at the end of a release's name.
std::string_view without_extension(std::string_view name) {
  name = name_of(name);
  return is_video(name) && extension_of(name) != ".ts" ? stem_of(name) : name;
}

std::optional<int> year_at(const ReleaseWords& words, std::size_t i) {
  NumberReader reader{words.low(i)};
  const auto year = reader.number(4, 4);
  if (!year || !reader.rest().empty()) return {};
  if (*year < kReleaseYearMin || *year > kReleaseYearMax) return {};
  return year;
}

// What stands in front of the title.
struct Front {
  std::size_t words = 0;
  bool is_bracket = false;  // "[Group] Show - 05". Otherwise "www.site.org - Show.S01E02".
};

Front leading_bracket(const ReleaseWords& words) {
  std::size_t count = 0;
  while (count < words.size() && words.words[count].bracket == '[' &&
         (count == 0 ? words.gap(0) == "[" : words.gap(count).find(']') == std::string_view::npos))
    ++count;
  if (count == 0 || count == words.size()) return {};
  // "[REC].2007.1080p": nothing but a year follows, so the bracket is the title.
  const std::size_t next = count + 1;
  if (year_at(words, count) && (next == words.size() || next == first_title_end(words, count)))
    return {};
  return {count, true};
}

Front find_front(const ReleaseWords& words) {
  if (words.size() == 0 || words.low(0) != "www") return leading_bracket(words);
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words.gap(i) == " - ") return {i};
  return {};
}

// The word with the year: the last number before `end` that may be one, best in parentheses. The
// first word belongs to the title ("2012.2009.1080p"). size() if there is none.
std::size_t find_year(const ReleaseWords& words, std::size_t start, std::size_t end) {
  std::size_t best = words.size();
  for (std::size_t i = start + 1; i < end; ++i) {
    if (!year_at(words, i)) continue;
    const bool is_better =
        best == words.size() || words.words[best].bracket != '(' || words.words[i].bracket == '(';
    if (is_better) best = i;
  }
  return best;
}

enum class Trailing : std::uint8_t { marks, marks_and_noise };

// Where a title ends that is known to end before `end`: marks at its end are not part of it. One
// word stays.
std::size_t without_marks(const ReleaseWords& words, std::size_t start, std::size_t end,
                          Trailing what) {
  std::size_t last = start;  // Behind the last word that is no mark.
  for (std::size_t i = start; i < end;) {
    const FoundMark found = mark_at(words, i);
    const bool counts = found.count > 0 &&
                        (what == Trailing::marks_and_noise || found.mark->kind != MarkKind::noise);
    i += counts ? found.count : 1;
    if (!counts) last = i;
  }
  return std::min(last, end);
}

void apply(const ReleaseMark& mark, ReleaseName& release, std::string& about) {
  const auto set = [&](std::string& field) {
    if (field.empty()) field = mark.value;
  };
  switch (mark.kind) {
    case MarkKind::resolution:
      return set(release.resolution);
    case MarkKind::about:
      return set(about);
    case MarkKind::source:
      if (mark.value == "Remux") release.source = mark.value;
      return set(release.source);
    case MarkKind::codec:
      return set(release.codec);
    case MarkKind::proper:
      release.proper = true;
      return;
    case MarkKind::repack:
      release.repack = true;
      return;
    case MarkKind::edition:
      if (!release.edition.empty()) release.edition += ' ';
      release.edition += mark.value;
      return;
    case MarkKind::noise:
      return;
  }
}

// The word of the group: the last one before brackets, if one dash joins it to the word before.
// size() if there is none at or after `from`.
std::size_t find_group(const ReleaseWords& words, std::size_t from) {
  std::size_t last = words.size();
  while (last > from && words.words[last - 1].bracket != 0) --last;
  if (last <= from || words.gap(last - 1) != "-") return words.size();
  const std::size_t at = last - 1;
  const bool is_mark = mark_at(words, at - 1).count > 1 || mark_at(words, at).count > 0;
  return is_mark ? words.size() : at;
}

// Reads the marks of these words. Returns whether there are any.
bool read_marks(const ReleaseWords& words, std::size_t from, std::size_t to, ReleaseName& release) {
  std::string about;
  bool has_any = false;
  for (std::size_t i = from; i < to;) {
    const FoundMark found = mark_at(words, i);
    if (found.count > 0) apply(*found.mark, release, about);
    has_any = has_any || found.count > 0;
    i += std::max<std::size_t>(found.count, 1);
  }
  if (release.resolution.empty()) release.resolution = about;
  return has_any;
}

// The words as they stand in the name. Empty if they are no group: too long, or a site.
std::string group_text(const ReleaseWords& words, std::size_t from, std::size_t to) {
  const std::size_t begin = words.words[from].begin;
  const std::string text = words.text.substr(begin, words.words[to - 1].end - begin);
  const bool fits = text.size() <= kGroupMax && text.find('.') == std::string::npos;
  return fits ? text : std::string{};
}

// The words between the episode's number and what follows its title.
std::string episode_title(const ReleaseWords& words, std::size_t from, std::size_t group) {
  std::size_t end = std::min(first_title_end(words, from), group);
  for (std::size_t i = from; i < end; ++i)
    if (words.words[i].bracket != 0) end = i;
  return words_text(words, from, without_marks(words, from, end, Trailing::marks_and_noise));
}

}  // namespace

ReleaseName parse_release(std::string_view name) {
  const ReleaseWords words = split_release(without_extension(name));
  ReleaseName release;
  const Front front = find_front(words);
  const std::size_t start = front.words;
  const std::size_t quality = first_title_end(words, start);
  const auto found = find_numbers(words, start, quality);
  const std::size_t numbers = found ? found->first : words.size();
  const std::size_t behind = found ? found->first + found->count : 0;
  if (found) release.numbers = found->numbers;

  const std::size_t year = find_year(words, start, std::min(numbers, quality));
  if (year < words.size()) release.year = year_at(words, year);
  std::size_t title_end = std::min({year, numbers, quality});
  if (title_end == quality && quality < words.size() && quality > start)
    title_end = std::max(without_marks(words, start, quality, Trailing::marks), start + 1);
  release.title = words_text(words, start, title_end);

  const std::size_t group = find_group(words, std::max(title_end + 1, behind));
  read_marks(words, title_end, group, release);
  const bool is_marked = read_marks(words, 0, start, release);
  if (group < words.size())
    release.group = group_text(words, group, group + 1);
  else if (front.is_bracket && !is_marked)
    release.group = group_text(words, 0, start);

  if (found && found->numbers.has_episode())
    release.episode_title = episode_title(words, behind, group);
  if (release.title.empty() && front.is_bracket && !found) {  // "[REC] 1080p"
    release.title = words_text(words, 0, start);
    release.group.clear();
  }
  return release;
}

std::string quality_of(const ReleaseName& release) {
  if (release.source.empty() || release.resolution.empty())
    return release.source + release.resolution;
  return release.source + "-" + release.resolution;
}

std::string_view revision_of(const ReleaseName& release) {
  if (release.repack) return "Repack";
  return release.proper ? "Proper" : "";
}

}  // namespace haul::library
