#include "base/redact.h"

#include <re2/re2.h>

#include <memory>
#include <vector>

#include "base/text.h"

namespace haul {
namespace {

constexpr std::size_t kDetailMax = 1'000;
constexpr std::size_t kReasonMax = 64;
constexpr std::size_t kRead = 8'000;  // The rest of a longer detail is dropped unread.

struct Rule {
  const char* what;
  const char* instead;
};
constexpr Rule kRules[] = {
    {R"(([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/?#]*@)", R"(\1***@)"},
    {R"(/bot[0-9]+:[A-Za-z0-9_-]+)", "/bot***"},
    {R"((?i)\b((?:proxy-)?authorization|x-api-key|(?:set-)?cookie)(\s*[:=]\s*)[^\r\n]+)",
     R"(\1\2***)"},
    {R"((?i)\b(bearer|basic|oauth)(\s+)[^\s,;"'*]{6,})", R"(\1\2***)"},
    {R"((?i)([a-z0-9_.-]*(?:token|secret|passw(?:or)?d|signature|api_?key|credential))"
     R"(|\b(?:sig|auth|key|pwd|pass))(["']?\s*[=:]\s*["']?)[^&\s#"',;]+)",
     R"(\1\2***)"},
};

// Text without any of these characters matches no rule.
constexpr std::string_view kInEveryRule = ":= \t\n\v\f\r";

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

struct Compiled {
  std::unique_ptr<RE2> what;
  const char* instead;
};

std::vector<Compiled> compile() {
  std::vector<Compiled> rules;
  for (const Rule& rule : kRules)  // Latin1 matches bytes: broken UTF-8 cannot hide a secret.
    rules.push_back({std::make_unique<RE2>(rule.what, RE2::Latin1), rule.instead});
  return rules;
}

// At most `bytes` bytes, cut between two characters.
std::string_view cut(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U;
  };
  while (bytes > 0 && continues(bytes)) --bytes;
  return text.substr(0, bytes);
}

}  // namespace

std::string redacted(std::string_view text) {
  if (text.find_first_of(kInEveryRule) == std::string_view::npos) return std::string{text};
  static const std::vector<Compiled> rules = compile();
  std::string out{text};
  for (const auto& [what, instead] : rules) RE2::GlobalReplace(&out, *what, instead);
  return out;
}

std::string safe_detail(std::string_view text) {
  if (text.empty()) return {};
  return std::string{cut(redacted(printable(cut(text, kRead))), kDetailMax)};
}

std::string safe_reason(std::string_view code) {
  std::string out;
  for (const char c : code.substr(0, kReasonMax)) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    out += is_plain(lower) ? lower : '_';
  }
  return out.empty() ? "unknown" : out;
}

}  // namespace haul
