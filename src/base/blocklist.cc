#include "base/blocklist.h"

#include <fmt/core.h>
#include <re2/re2.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/fold.h"
#include "base/utf8.h"

namespace haul {
namespace {

constexpr std::size_t kTextMax = std::size_t{1} << 20U;
constexpr std::size_t kWordsMax = 10'000;
constexpr std::size_t kPatternsMax = 1'000;
constexpr std::size_t kWordsTogether = 500;  // In one expression.
constexpr std::int64_t kMemory = std::int64_t{64} << 20U;

constexpr std::string_view kInWord = R"(\p{L}\p{N}\p{M})";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

std::unique_ptr<RE2> compile(const std::string& pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMemory);
  return std::make_unique<RE2>(pattern, options);
}

// "blood  bath" becomes "blood", what may stand between words, "bath".
std::string as_pattern(std::string_view phrase) {
  std::string out;
  while (!phrase.empty()) {
    const std::size_t end = std::min(phrase.find(' '), phrase.size());
    if (end > 0) {
      if (!out.empty()) out += fmt::format("[^{}]+", kInWord);
      out += RE2::QuoteMeta({phrase.data(), end});
    }
    phrase.remove_prefix(std::min(end + 1, phrase.size()));
  }
  return out;
}

// A mark that was put behind a letter does not make another word of a blocked one. Letters that
// have their accent by themselves stay.
std::string without_accents(std::string text) {
  static const RE2 accents{R"([\x{0300}-\x{036f}\x{1ab0}-\x{1aff}\x{1dc0}-\x{1dff}]+)"};
  RE2::GlobalReplace(&text, accents, "");
  return text;
}

Fault wrong_line(std::size_t line, const std::string& why) {
  return {FaultKind::permanent, "bad_blocklist", fmt::format("line {}: {}", line, why)};
}

}  // namespace

struct Blocklist::Patterns {
  std::vector<std::unique_ptr<RE2>> words;  // Groups of words, for folded text.
  std::vector<std::unique_ptr<RE2>> patterns;

  static bool matches(std::string_view text, const RE2& what) {
    return RE2::PartialMatch({text.data(), text.size()}, what);
  }
};

Blocklist::Blocklist() = default;
Blocklist::Blocklist(Blocklist&&) noexcept = default;
Blocklist& Blocklist::operator=(Blocklist&&) noexcept = default;
Blocklist::~Blocklist() = default;

Result<Blocklist> Blocklist::read(std::string_view text) {
  if (text.size() > kTextMax || !is_utf8(text))
    return std::unexpected{
        Fault{FaultKind::permanent, "bad_blocklist", "expected at most 1 MiB of text in UTF-8"}};
  auto patterns = std::make_unique<Patterns>();
  std::vector<std::string> words;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.size() > 2 && line.starts_with('/') && line.ends_with('/')) {
      auto pattern = compile("(?i)" + std::string{line.substr(1, line.size() - 2)});
      if (!pattern->ok()) return std::unexpected{wrong_line(number, pattern->error())};
      patterns->patterns.push_back(std::move(pattern));
    } else if (std::string word = as_pattern(folded(line)); !word.empty()) {
      words.push_back(std::move(word));
    }
    if (words.size() > kWordsMax || patterns->patterns.size() > kPatternsMax)
      return std::unexpected{
          wrong_line(number, "a blocklist has at most 10,000 words and 1,000 patterns")};
  }
  for (std::size_t i = 0; i < words.size(); i += kWordsTogether) {
    std::string any;
    for (std::size_t j = i; j < std::min(words.size(), i + kWordsTogether); ++j)
      any += (any.empty() ? "" : "|") + words[j];
    auto group = compile(fmt::format("(?:^|[^{0}])(?:{1})(?:$|[^{0}])", kInWord, any));
    if (!group->ok()) return std::unexpected{wrong_line(0, group->error())};
    patterns->words.push_back(std::move(group));
  }
  Blocklist list;
  if (!patterns->words.empty() || !patterns->patterns.empty()) list.patterns_ = std::move(patterns);
  return list;
}

bool Blocklist::blocks(std::string_view text) const {
  if (!patterns_) return false;
  const std::string plain = folded(text);
  const std::string bare = folded(without_accents(std::string{text}));
  for (const auto& group : patterns_->words)
    if (Patterns::matches(plain, *group) || Patterns::matches(bare, *group)) return true;
  for (const auto& pattern : patterns_->patterns)
    if (Patterns::matches(plain, *pattern) || Patterns::matches(text, *pattern)) return true;
  return false;
}

}  // namespace haul
