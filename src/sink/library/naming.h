#pragma once
// The names of files in the library (S1-21): templates with the tokens of Radarr and Sonarr.
//
// {Movie Title} {Movie CleanTitle} {Series Title} {Series CleanTitle} {Release Year} {season:00}
// {episode:00} {Episode Title} {Air-Date} {Quality Full} {Quality Title} {Edition Tags}
// {Release Group} {Original Title}
//
// '/' separates folders. A token may have separators or brackets within its braces, which vanish
// with it: {-Release Group}, {[Quality Full]}.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace haul::library {

enum class TemplateUse : std::uint8_t {
  movie,
  series,
  daily,  // Episodes that have a date instead of a number.
};

inline constexpr std::string_view kMovieTemplate =
    "{Movie Title} ({Release Year})/{Movie Title} ({Release Year}) [{Quality Full}]";
inline constexpr std::string_view kSeriesTemplate =
    "{Series Title}/Season {season:00}/{Series Title} - S{season:00}E{episode:00}";
inline constexpr std::string_view kDailyTemplate =
    "{Series Title}/Season {season:00}/{Series Title} - {Air-Date}";

inline constexpr std::size_t kTemplateMax = 500;  // Bytes.
inline constexpr std::size_t kTemplateFoldersMax = 8;

enum class NameToken : std::uint8_t {
  text,    // No token: a part of the template as it stands.
  folder,  // The '/' between two folders.
  title,
  clean_title,
  year,
  season,
  episode,
  episode_title,
  date,
  quality_full,
  quality_title,
  edition,
  group,
  original,
};

struct TemplatePiece {
  NameToken token = NameToken::text;
  std::string text{};    // Of NameToken::text.
  std::string before{};  // Separators and brackets within the braces.
  std::string after{};
  std::size_t digits = 1;  // At least this many: two for {season:00}.

  bool operator==(const TemplatePiece&) const = default;
};

using NameTemplate = std::vector<TemplatePiece>;

struct TemplateProblem {
  std::size_t position = 0;  // In bytes, from zero.
  std::string why;

  bool operator==(const TemplateProblem&) const = default;
};

// Refuses unknown tokens, unbalanced braces, paths that leave the library, and templates that would
// give two films or two episodes the same name.
std::expected<NameTemplate, TemplateProblem> read_template(TemplateUse use, std::string_view text);

// What the tokens stand for. What is unknown is empty.
struct NameValues {
  std::string title{};
  std::optional<int> year{};
  std::optional<int> season{};
  std::vector<int> episodes{};  // Ascending.
  std::optional<std::chrono::year_month_day> date{};
  std::string episode_title{};
  std::string quality{};   // "Bluray-1080p"
  std::string revision{};  // "Proper"
  std::string edition{};
  std::string group{};
  std::string original{};  // The name that the file or release came with.
};

// The path in the library, without an extension. Every component is safe (io/file/filename.h). A
// token without a value takes its brackets and separators with it. Long titles are cut, so that the
// numbers behind them stay.
std::string name_path(const NameTemplate& pieces, const NameValues& values);

}  // namespace haul::library
