// Reads and checks a naming template.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sink/library/naming.h"

namespace haul::library {
namespace {

constexpr std::string_view kOpening = " -._[(";
constexpr std::string_view kClosing = " -._])";
constexpr std::size_t kDigitsMax = 4;

enum class Allowed : std::uint8_t { movie, series, both };

struct TokenRow {
  std::string_view name;
  NameToken token;
  Allowed in;
};
// clang-format off
constexpr TokenRow kTokens[] = {
    {"Movie Title",       NameToken::title,         Allowed::movie},
    {"Movie CleanTitle",  NameToken::clean_title,   Allowed::movie},
    {"Series Title",      NameToken::title,         Allowed::series},
    {"Series CleanTitle", NameToken::clean_title,   Allowed::series},
    {"Release Year",      NameToken::year,          Allowed::both},
    {"season",            NameToken::season,        Allowed::series},
    {"episode",           NameToken::episode,       Allowed::series},
    {"Episode Title",     NameToken::episode_title, Allowed::series},
    {"Air-Date",          NameToken::date,          Allowed::series},
    {"Quality Full",      NameToken::quality_full,  Allowed::both},
    {"Quality Title",     NameToken::quality_title, Allowed::both},
    {"Edition Tags",      NameToken::edition,       Allowed::both},
    {"Release Group",     NameToken::group,         Allowed::both},
    {"Original Title",    NameToken::original,      Allowed::both},
};
// clang-format on

// The token whose name is most like this one.
std::string_view nearest_token(std::string_view name) {
  std::vector<std::string_view> names;
  for (const TokenRow& row : kTokens) {
    if (lower(row.name) == lower(name)) return row.name;
    names.push_back(row.name);
  }
  return nearest(name, names);
}

class TemplateReader {
 public:
  TemplateReader(TemplateUse use, std::string_view text) : use_{use}, text_{text} {}

  std::expected<NameTemplate, TemplateProblem> read() {
    if (text_.empty()) return fail(0, "empty template");
    if (text_.size() > kTemplateMax)
      return fail(kTemplateMax, fmt::format("longer than {} bytes", kTemplateMax));
    if (has_control(text_)) return fail(0, "control characters or broken UTF-8");
    while (at_ < text_.size())
      if (!read_piece()) return std::unexpected{problem_};
    if (!check_folders() || !check_distinct()) return std::unexpected{problem_};
    return std::move(pieces_);
  }

 private:
  std::unexpected<TemplateProblem> fail(std::size_t position, std::string why) {
    problem_ = {position, std::move(why)};
    return std::unexpected{problem_};
  }
  bool refuse(std::size_t position, std::string why) {
    problem_ = {position, std::move(why)};
    return false;
  }

  bool read_piece() {
    const char c = text_[at_];
    if (c == '{') return read_token();
    if (c == '}') return refuse(at_, "'}' without a '{' before it");
    if (c == '\\') return refuse(at_, "'\\' in a template; use '/' between folders");
    if (c == '/') {
      pieces_.push_back({.token = NameToken::folder});
      ++at_;
      return true;
    }
    const std::size_t end = std::min(text_.find_first_of("{}/\\", at_), text_.size());
    pieces_.push_back({.text = std::string{text_.substr(at_, end - at_)}});
    at_ = end;
    return true;
  }

  bool read_token() {
    const std::size_t end = text_.find_first_of("{}/", at_ + 1);
    if (end == std::string_view::npos || text_[end] != '}')
      return refuse(at_, "'{' without a '}' after it");
    std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
    TemplatePiece piece;
    const std::size_t begin = std::min(inner.find_first_not_of(kOpening), inner.size());
    piece.before = inner.substr(0, begin);
    inner.remove_prefix(begin);
    const std::size_t size = inner.find_last_not_of(kClosing) + 1;
    piece.after = inner.substr(size);
    inner = inner.substr(0, size);

    const std::size_t colon = inner.find(':');
    const std::string_view name = inner.substr(0, colon);
    const auto* const row = std::ranges::find(kTokens, name, &TokenRow::name);
    if (row == std::end(kTokens)) return refuse_token(name);
    if (row->in != Allowed::both && (row->in == Allowed::movie) != (use_ == TemplateUse::movie))
      return refuse(at_, fmt::format("{{{}}} is not for {}", name,
                                     use_ == TemplateUse::movie ? "movies" : "series"));
    piece.token = row->token;
    if (colon != std::string_view::npos && !read_digits(inner.substr(colon + 1), piece))
      return refuse(at_, fmt::format("{{{}}}: after ':' expected zeros, as in {{season:00}}",
                                     printable(inner)));
    pieces_.push_back(std::move(piece));
    at_ = end + 1;
    return true;
  }

  bool refuse_token(std::string_view name) {
    const std::string_view close = nearest_token(name);
    const std::string hint =
        close.empty() ? std::string{} : fmt::format("; did you mean {{{}}}?", close);
    return refuse(at_, fmt::format("no token {{{}}}{}", printable(name), hint));
  }

  static bool read_digits(std::string_view zeros, TemplatePiece& piece) {
    if (piece.token != NameToken::season && piece.token != NameToken::episode) return false;
    if (zeros.empty() || zeros.size() > kDigitsMax) return false;
    piece.digits = zeros.size();
    return zeros.find_first_not_of('0') == std::string_view::npos;
  }

  // Each component needs a name that stays if every unknown token is left out.
  bool check_folders() {
    std::size_t begin = 0;
    for (std::size_t count = 0;; ++count) {
      const std::size_t slash = text_.find('/', begin);
      const std::string_view part = text_.substr(begin, slash - begin);
      if (part.find_first_not_of(". ") == std::string_view::npos)
        return refuse(begin, "a folder or file without a name");
      if (count > kTemplateFoldersMax)
        return refuse(begin, fmt::format("more than {} folders", kTemplateFoldersMax));
      if (slash == std::string_view::npos) return check_last(begin);
      begin = slash + 1;
    }
  }

  bool check_last(std::size_t position) {
    for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
      if (piece->token == NameToken::folder) break;
      if (is_always_there(*piece)) return true;
    }
    return refuse(position, "the file's name would be empty if its tokens are unknown");
  }

  bool is_always_there(const TemplatePiece& piece) const {
    switch (piece.token) {
      case NameToken::text:
        return piece.text.find_first_not_of(" -._[]()") != std::string::npos;
      case NameToken::title:
      case NameToken::clean_title:
      case NameToken::original:
      case NameToken::season:
        return true;
      case NameToken::episode:
        return use_ == TemplateUse::series;
      case NameToken::date:
        return use_ == TemplateUse::daily;
      case NameToken::folder:
      case NameToken::year:
      case NameToken::episode_title:
      case NameToken::quality_full:
      case NameToken::quality_title:
      case NameToken::edition:
      case NameToken::group:
        return false;
    }
    return false;
  }

  bool has(NameToken token) const {
    return std::ranges::find(pieces_, token, &TemplatePiece::token) != pieces_.end();
  }

  bool check_distinct() {
    if (has(NameToken::original)) return true;
    const bool has_title = has(NameToken::title) || has(NameToken::clean_title);
    const std::size_t end = text_.size();
    switch (use_) {
      case TemplateUse::movie:
        if (has_title && has(NameToken::year)) return true;
        return refuse(end, "needs {Movie Title} and {Release Year}, or {Original Title}");
      case TemplateUse::series:
        if (has_title && has(NameToken::season) && has(NameToken::episode)) return true;
        return refuse(end,
                      "needs {Series Title}, {season:00} and {episode:00}, or {Original Title}");
      case TemplateUse::daily:
        if (has_title && has(NameToken::date)) return true;
        return refuse(end, "needs {Series Title} and {Air-Date}, or {Original Title}");
    }
    return false;
  }

  TemplateUse use_;
  std::string_view text_;
  std::size_t at_ = 0;
  NameTemplate pieces_{};
  TemplateProblem problem_{};
};

}  // namespace

std::expected<NameTemplate, TemplateProblem> read_template(TemplateUse use, std::string_view text) {
  return TemplateReader{use, text}.read();
}

}  // namespace haul::library
