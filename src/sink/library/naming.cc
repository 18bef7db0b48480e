#include "sink/library/naming.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "io/file/filename.h"
#include "sink/library/name_text.h"

namespace haul::library {
namespace {

// A component fits with an extension and the tags of a subtitle into what safe_name() keeps.
constexpr std::size_t kComponentMax = 150;
constexpr std::size_t kTitleMax[] = {150, 100, 60, 30};  // Tried in this order, in bytes.
constexpr std::string_view kGlue = " -._";
constexpr std::string_view kOpen = "([{";
constexpr std::string_view kClose = ")]}";

std::string padded(int number, std::size_t digits) {
  std::string text = fmt::format("{}", number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text;
}

// "01", "01-E03" for the range from 1 to 3, "01E05" for 1 and 5. `letter` is what the template has
// before the number.
std::string episodes_text(const std::vector<int>& episodes, std::size_t digits,
                          std::string_view letter) {
  std::string text;
  for (std::size_t i = 0; i < episodes.size();) {
    std::size_t last = i;
    while (last + 1 < episodes.size() && episodes[last + 1] == episodes[last] + 1) ++last;
    if (i > 0) text += letter.empty() ? "-" : letter;
    text += padded(episodes[i], digits);
    if (last > i) text += fmt::format("-{}{}", letter, padded(episodes[last], digits));
    i = last + 1;
  }
  return text;
}

std::string date_text(std::chrono::year_month_day date) {
  return fmt::format("{}-{}-{}", padded(static_cast<int>(date.year()), 4),
                     padded(static_cast<int>(static_cast<unsigned>(date.month())), 2),
                     padded(static_cast<int>(static_cast<unsigned>(date.day())), 2));
}

// Joins pieces to one component. A token without a value leaves a gap, which takes the brackets
// around it and the separators on one side of it.
class Component {
 public:
  void add_text(std::string_view text) {
    while (has_gap_ && !text.empty()) text = close_gap(text);
    append(text);
  }
  void add_value(std::string_view value) {
    has_gap_ = value.empty();
    if (has_gap_) return;
    text_ += value;
    own_ = 0;
  }
  std::string finished() {
    if (has_gap_) cut_glue();
    return std::move(text_);
  }
  // The letter before a number: "E" of "S01E".
  std::string_view letter() const {
    const bool is_there = own_ > 0 && is_letter(text_.back());
    return is_there ? std::string_view{text_}.substr(text_.size() - 1) : std::string_view{};
  }

 private:
  // Adds text behind a gap, as far as the gap decides about it. Returns the rest.
  std::string_view close_gap(std::string_view text) {
    const std::string before = cut_glue();
    const std::string_view glue = text.substr(0, text.find_first_not_of(kGlue));
    text.remove_prefix(glue.size());
    const std::size_t open = own_ > 0 ? kOpen.find(text_.back()) : std::string_view::npos;
    const std::size_t close = text.empty() ? std::string_view::npos : kClose.find(text[0]);
    if (open != std::string_view::npos && open == close) {
      text_.pop_back();
      --own_;
      return text.substr(1);
    }
    const bool is_edge =
        text_.empty() || open != std::string_view::npos || close != std::string_view::npos;
    if (!is_edge) append(before.size() >= glue.size() ? std::string_view{before} : glue);
    has_gap_ = text.empty();  // The separators of two gaps in a row are joined, too.
    return text;
  }
  // Removes the separators at the end that the template put there, and returns them.
  std::string cut_glue() {
    std::size_t size = 0;
    while (size < own_ && kGlue.find(text_[text_.size() - 1 - size]) != std::string_view::npos)
      ++size;
    std::string glue = text_.substr(text_.size() - size);
    text_.resize(text_.size() - size);
    own_ -= size;
    return glue;
  }
  void append(std::string_view text) {
    text_ += text;
    own_ += text.size();
  }

  std::string text_{};
  std::size_t own_ = 0;  // How many of the last bytes come from the template.
  bool has_gap_ = false;
};

std::string value_of(const TemplatePiece& piece, const NameValues& values, std::size_t title_max,
                     std::string_view letter) {
  const auto plain = [&](std::string_view text) { return file_text(text, title_max); };
  // Nothing may be left of a title, but it has to stay a name.
  const auto or_safe = [](const std::string& text, std::string_view wanted) {
    return text.empty() ? io::safe_name(wanted) : text;
  };
  switch (piece.token) {
    case NameToken::title:
      return or_safe(plain(values.title), values.title);
    case NameToken::clean_title:
      return or_safe(clean_text(values.title, title_max), values.title);
    case NameToken::year:
      return values.year ? padded(*values.year, 1) : std::string{};
    case NameToken::season:
      return values.season ? padded(*values.season, piece.digits) : std::string{};
    case NameToken::episode:
      return episodes_text(values.episodes, piece.digits, letter);
    case NameToken::episode_title:
      return plain(values.episode_title);
    case NameToken::date:
      return values.date ? date_text(*values.date) : std::string{};
    case NameToken::quality_full:
      return plain(values.quality + " " + values.revision);
    case NameToken::quality_title:
      return plain(values.quality);
    case NameToken::edition:
      return plain(values.edition);
    case NameToken::group:
      return plain(values.group);
    case NameToken::original:
      return or_safe(plain(values.original), values.original);
    case NameToken::text:
    case NameToken::folder:
      return {};
  }
  return {};
}

std::vector<std::string> components_of(const NameTemplate& pieces, const NameValues& values,
                                       std::size_t title_max) {
  std::vector<std::string> done;
  Component component;
  const auto finish = [&] {
    std::string name = component.finished();
    if (!name.empty()) done.push_back(std::move(name));  // A folder without a name is left out.
    component = {};
  };
  for (const TemplatePiece& piece : pieces) {
    if (piece.token == NameToken::folder) {
      finish();
    } else if (piece.token == NameToken::text) {
      component.add_text(piece.text);
    } else {
      const std::string_view letter = piece.before.empty() ? component.letter() : "";
      const std::string value = value_of(piece, values, title_max, std::string{letter});
      component.add_value(value.empty() ? value : piece.before + value + piece.after);
    }
  }
  finish();
  return done;
}

}  // namespace

std::string name_path(const NameTemplate& pieces, const NameValues& values) {
  std::vector<std::string> components;
  for (const std::size_t title_max : kTitleMax) {
    components = components_of(pieces, values, title_max);
    if (std::ranges::all_of(components,
                            [](const auto& each) { return each.size() <= kComponentMax; }))
      break;
  }
  std::string path;
  for (const std::string& component : components)
    path += (path.empty() ? "" : "/") + io::safe_name(component);
  return path;
}

}  // namespace haul::library
