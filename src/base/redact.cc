#include "base/redact.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/ascii.h"
#include "base/json.h"
#include "base/text.h"

namespace haul {
namespace {

constexpr std::size_t kDetailMax = 1'000;
constexpr std::size_t kReasonMax = 64;
constexpr std::size_t kRead = 8'000;  // Of a longer detail the rest is not looked at.
constexpr const char* kMasked = "***";

struct Rule {
  const char* what;
  const char* instead;
};
// An address inside of another one is percent-encoded, each time it is put into one more: "%3A",
// "%253A" and so on.
constexpr Rule kRules[] = {
    {R"(([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/?#]*@)", R"(\1***@)"},
    {R"((?i)([a-z][a-z0-9+.-]*(?::|%(?:25)*3A)(?:/|%(?:25)*2F){2}))"
     R"((?:[^\s/?#&%]|%(?:25)*(?:[014-9a-f][0-9a-f]|2[0-24-9a-e]|3[0-9a-e]))*%(?:25)*40)",
     R"(\1***%40)"},
    // A fragment that is one long word: some hosts put the key of a file there.
    {R"(([a-zA-Z][a-zA-Z0-9+.-]*://[^\s#"']*#)[^\s=&"']{17,})", R"(\1***)"},
    {R"((?i)([a-z][a-z0-9+.-]*%(?:25)*3A(?:%(?:25)*2F){2}[^\s#&"']*%(?:25)*23)[^\s#&=%"']{17,})",
     R"(\1***)"},
    {R"(/bot[0-9]+:[A-Za-z0-9_-]+)", "/bot***"},
    {R"((?i)\b((?:proxy-)?authorization|x-api-key|(?:set-)?cookie)(\s*[:=]\s*)[^\r\n]+)",
     R"(\1\2***)"},
    {R"((?i)\b(bearer|basic|oauth)(\s+)[^\s,;"'*]{6,})", R"(\1\2***)"},
    {R"((?i)([a-z0-9_.-]*(?:token|secret|passw(?:or)?d|signature|api_?key|credential))"
     R"(|(?:\b|%(?:25)*(?:3F|26|23|3B))(?:sig|auth|key|pwd|pass)))"
     R"((["']?\s*(?:[=:]|%(?:25)*3D)\s*["']?)[^&\s#"',;]+)",
     R"(\1\2***)"},
};

// Each rule wants one of these.
constexpr CharSet kInEveryRule{":=% \t\n\v\f\r"};

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// "https://host:8080/a/file.bin": no rule can match, and most addresses look like this.
bool is_plain_address(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view rest = text.substr(scheme + 3);
  const std::string_view host = rest.substr(0, rest.find_first_of(":/"));
  std::string_view path = rest.substr(host.size());
  if (path.starts_with(':')) {
    const std::size_t port_end = std::min(path.find('/'), path.size());
    if (!std::ranges::all_of(path.substr(1, port_end - 1), is_digit)) return false;
    path.remove_prefix(port_end);
  }
  const auto is_unreserved = [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
  };
  return std::ranges::all_of(text.substr(0, scheme), is_unreserved) &&
         std::ranges::all_of(host, is_unreserved) &&
         std::ranges::all_of(path, [&](char c) { return is_unreserved(c) || c == '/'; });
}

// Whether no rule can match. The rules cost more than the rest of an event's insert.
bool is_clean(std::string_view text) {
  return kInEveryRule.find_in(text) == std::string_view::npos || is_plain_address(text);
}

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

// The beginning of a long text. The word that the cut is in goes as a whole: half an address does
// not show that what it begins with is a password.
std::string_view beginning(std::string_view text) {
  if (text.size() <= kRead) return text;
  std::size_t end = kRead;
  while (end > 0 && !is_blank(text[end])) --end;
  return end > 0 ? text.substr(0, end) : kMasked;
}

// Where the string literal that begins here ends; npos: it does not.
std::size_t end_of_literal(std::string_view json, std::size_t begin) {
  for (std::size_t i = begin + 1; i < json.size(); ++i) {
    if (json[i] == '\\')
      ++i;
    else if (json[i] == '"')
      return i + 1;
  }
  return std::string_view::npos;
}

void append_redacted(std::string& out, std::string_view literal) {
  const std::string_view written = literal.substr(1, literal.size() - 2);
  const bool is_escaped = written.find('\\') != std::string_view::npos;
  if (!is_escaped && is_clean(written)) {
    out.append(literal);
    return;
  }
  std::string text{written};
  if (is_escaped) {
    const auto read = read_array("[" + std::string{literal} + "]");
    const bool is_read = read && read->size() == 1;
    text = is_read ? read->front() : kMasked;
    if (!is_read) return append_quoted(out, text);
  }
  const std::string safe = redacted(text);
  if (safe == text)
    out.append(literal);
  else
    append_quoted(out, safe);
}

}  // namespace

std::string redacted(std::string_view text) {
  if (is_clean(text)) return std::string{text};
  static const std::vector<Compiled> rules = compile();
  std::string out{text};
  for (const auto& [what, instead] : rules) RE2::GlobalReplace(&out, *what, instead);
  return out;
}

std::string safe_detail(std::string_view text) {
  if (text.empty()) return {};
  return std::string{cut(redacted(printable(beginning(text))), kDetailMax)};
}

std::string redacted_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t begin = std::min(json.find('"', at), json.size());
    out.append(json.substr(at, begin - at));
    const std::size_t end = end_of_literal(json, begin);
    if (end == std::string_view::npos) return out.append(redacted(json.substr(begin)));
    append_redacted(out, json.substr(begin, end - begin));
    at = end;
  }
  return out;
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
