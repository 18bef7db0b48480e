#include "sink/library/number_reader.h"

#include <algorithm>

#include "base/ascii.h"

namespace haul::library {
namespace {

constexpr std::size_t kDigitsMax = 4;

bool has_bracket(std::string_view gap) {
  return gap.find_first_of("[]()") != std::string_view::npos;
}

// Where a number stands, and whether that is the place of an episode's number.
class NumberSpot {
 public:
  NumberSpot(const ReleaseWords& words, std::size_t i, std::size_t from, std::size_t quality)
      : words_{words}, i_{i}, from_{from}, quality_{quality} {
    NumberReader reader{words.low(i)};
    const auto number = reader.number(1, kDigitsMax);
    if (!number || !reader.is_done()) return;
    if (*number >= kReleaseYearMin && *number <= kReleaseYearMax) return;
    number_ = *number;
    digits_ = words.low(i).find_first_not_of("0123456789");
    if (digits_ == std::string::npos) digits_ = words.low(i).size();
  }

  std::optional<BareNumber> value() const {
    if (digits_ == 0) return {};
    return BareNumber{number_, i_};
  }
  // "Show - 05".
  bool is_after_dash() const {
    return digits_ > 0 && i_ > from_ && words_.gap(i_) == " - " && (digits_ > 1 || is_last());
  }
  // "Show [05]", "05", "05 - Title", "05. Title", and "[Group] Show 05 [1080p]".
  bool is_alone() const {
    if (digits_ == 0) return false;
    if (i_ == from_ && (is_end() || next_gap() == " - " || next_gap() == ". "))
      return digits_ < kDigitsMax;
    if (digits_ < 2 || i_ == from_) return false;
    if (words_.words[i_].bracket == '[' && words_.gap(i_).ends_with('[') &&
        (is_end() || next_gap().starts_with(']')))
      return true;
    return from_ > 0 && words_.is_joined(i_) && is_last();
  }

 private:
  bool is_end() const { return i_ + 1 == words_.size(); }
  std::string_view next_gap() const { return is_end() ? std::string_view{} : words_.gap(i_ + 1); }
  bool is_last() const {
    return is_end() || i_ + 1 == quality_ || has_bracket(next_gap()) || next_gap() == " - ";
  }

  const ReleaseWords& words_;
  std::size_t i_;
  std::size_t from_;
  std::size_t quality_;
  int number_ = 0;
  std::size_t digits_ = 0;
};

}  // namespace

bool NumberReader::is_done() const {
  return rest_.empty() || (rest_.size() == 2 && rest_[0] == 'v' && is_digit(rest_[1]));
}

bool NumberReader::skip(std::string_view wanted) {
  if (!rest_.starts_with(wanted)) return false;
  rest_.remove_prefix(wanted.size());
  return true;
}

std::optional<int> NumberReader::number(std::size_t digits_min, std::size_t digits_max) {
  std::size_t digits = 0;
  while (digits < rest_.size() && is_digit(rest_[digits])) ++digits;
  if (digits < digits_min || digits > std::min(digits_max, kDigitsMax)) return {};
  int value = 0;
  for (const char c : rest_.substr(0, digits)) value = value * 10 + (c - '0');
  rest_.remove_prefix(digits);
  return value;
}

std::optional<BareNumber> find_bare_number(const ReleaseWords& words, std::size_t from,
                                           std::size_t quality) {
  const std::size_t end = std::min(quality, words.size());
  for (std::size_t i = from; i < end; ++i)
    if (const NumberSpot spot{words, i, from, quality}; spot.is_after_dash()) return spot.value();
  for (std::size_t i = from; i < end; ++i)
    if (const NumberSpot spot{words, i, from, quality}; spot.is_alone()) return spot.value();
  return {};
}

}  // namespace haul::library
