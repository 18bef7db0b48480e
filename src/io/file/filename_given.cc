// Reads names as servers give them: in a Content-Disposition header (RFC 6266, RFC 8187 and other
// forms that servers send) or in a URL.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/ascii.h"
#include "base/utf8.h"
#include "io/file/filename.h"

namespace haul::io {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr CharSet kAfterPath{"?#"};
constexpr std::size_t kWordMax = 1'024;  // RFC 2047 allows 75.

std::string last_component(std::string_view name) {
  std::string out{name.substr(name.find_last_of("/\\") + 1)};
  std::erase(out, '\0');
  return out;
}

// Converts bytes from a charset that a header may name. Empty if the charset is another one or the
// bytes are not valid in it.
std::optional<std::string> decoded(std::string_view bytes, std::string_view charset) {
  const std::string name = lower(charset);
  if (name == "utf-8" && is_utf8(bytes)) return std::string{bytes};
  if (name != "iso-8859-1") return std::nullopt;
  std::string out;
  for (const char c : bytes) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

// RFC 8187: UTF-8'en'na%C3%AFve.txt
std::optional<std::string> extended(std::string_view value) {
  const std::size_t charset = value.find('\'');
  const std::size_t language = value.find('\'', charset + 1);
  if (charset == std::string_view::npos || language == std::string_view::npos) return std::nullopt;
  const std::string_view text = value.substr(language + 1);
  if (!is_percent_encoded(text)) return std::nullopt;
  return decoded(percent_decoded(text), value.substr(0, charset));
}

std::string from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const std::size_t value = kBase64.find(c);
    if (value == std::string_view::npos) break;  // Padding, or a character that is not base64.
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xffU);
  }
  return out;
}

std::string from_quoted(std::string_view text) {
  std::string out{text};
  std::ranges::replace(out, '_', ' ');
  return percent_decoded(out, '=');
}

struct Word {
  std::string text;
  std::size_t size = 0;  // Bytes it takes in the header; zero if there is no word.
};

// RFC 2047: =?UTF-8?B?...?= or =?UTF-8?Q?...?=. Meant for mail, but HTTP servers send it, too.
Word first_word(std::string_view text) {
  text = text.substr(0, kWordMax);
  if (!text.starts_with("=?")) return {};
  const std::size_t coding = text.find('?', 2);
  if (coding == std::string_view::npos || text.size() < coding + 3 || text[coding + 2] != '?')
    return {};
  const std::size_t body = coding + 3;
  const std::size_t end = text.find("?=", body);
  const char how = lower(text[coding + 1]);
  if (end == std::string_view::npos || (how != 'b' && how != 'q')) return {};
  const std::string_view inner = text.substr(body, end - body);
  const std::optional<std::string> plain =
      decoded(how == 'b' ? from_base64(inner) : from_quoted(inner), text.substr(2, coding - 2));
  return plain ? Word{*plain, end + 2} : Word{};
}

std::string without_words(std::string_view text) {
  std::string out;
  std::string blanks;  // Between two encoded words they are only folding.
  bool after_word = false;
  while (!text.empty()) {
    const Word word = first_word(text);
    if (word.size > 0) {
      out += word.text;
      blanks.clear();
    } else if (after_word && is_blank(text.front())) {
      blanks += text.front();
      text.remove_prefix(1);
      continue;
    } else {
      out += blanks + text.front();
      blanks.clear();
    }
    after_word = word.size > 0;
    text.remove_prefix(std::max<std::size_t>(word.size, 1));
  }
  return out + blanks;
}

// Reads a quoted value after its opening quote. Leaves `rest` at the closing quote.
std::string quoted(std::string_view& rest) {
  std::string value;
  while (!rest.empty() && rest.front() != '"') {
    if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
    value += rest.front();
    rest.remove_prefix(1);
  }
  return value;
}

// Reads the value after '='. Leaves `rest` after the semicolon that ends it.
std::string take_value(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::string value;
  const bool in_quotes = rest.starts_with('"');
  if (in_quotes) {
    rest.remove_prefix(1);
    value = quoted(rest);
  }
  const std::size_t end = std::min(rest.find(';'), rest.size());
  if (!in_quotes) value = trimmed(rest.substr(0, end));
  if (!in_quotes && value.size() > 1 && value.starts_with('\'') && value.ends_with('\''))
    value = value.substr(1, value.size() - 2);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return value;
}

// Decodes a plain filename. Servers send RFC 2047 words and percent-encoding there, although
// RFC 6266 allows neither.
std::string plain(std::string_view value) {
  const std::string text = to_utf8(without_words(value));
  const std::string bare = percent_decoded(text);
  return is_percent_encoded(text) && is_utf8(bare) ? bare : text;
}

}  // namespace

std::string disposition_name(std::string_view header) {
  std::string filename;
  std::string better;
  bool has_better = false;
  for (std::string_view rest = header; !rest.empty();) {
    const std::size_t end = rest.find_first_of(";=");
    if (end == std::string_view::npos) break;
    const std::string name = lower(trimmed(rest.substr(0, end)));
    const bool has_value = rest[end] == '=';
    rest.remove_prefix(end + 1);
    if (!has_value) continue;
    const std::string value = take_value(rest);
    if (name == "filename" && filename.empty()) filename = value;
    if (name == "filename*" && better.empty())
      better = last_component(extended(value).value_or(""));
    has_better = has_better || name == "filename*";
  }
  if (!better.empty()) return better;
  return last_component(has_better ? to_utf8(without_words(filename)) : plain(filename));
}

std::string url_name(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, kAfterPath.find_in(url));
  const std::size_t path = url.find('/');
  if (path == std::string_view::npos) return {};
  return last_component(percent_decoded(url.substr(url.rfind('/') + 1)));
}

}  // namespace haul::io
