#include "flow/request_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "base/ascii.h"
#include "base/header_field.h"
#include "flow/request.h"
#include "io/url.h"

namespace haul {
namespace {

constexpr std::size_t kBookIdMax = 200;
constexpr std::size_t kTitleMax = 1'000;
constexpr std::size_t kHeaderMax = 8'192;
constexpr std::size_t kExtensionMax = 32;

struct Digest {
  std::string_view name;
  std::size_t digits;
};
constexpr std::array kDigests{Digest{"sha256", 64}, Digest{"sha512", 128}, Digest{"sha1", 40},
                              Digest{"md5", 32}};

// Whether RFC 9110 allows the character in the name of a header.
bool is_token(char c) {
  return is_letter(c) || is_digit(c) ||
         std::string_view{"!#$%&'*+-.^_`|~"}.find(c) != std::string_view::npos;
}

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

int digits_of(std::string_view text) {
  int value = -1;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return at == end ? value : -1;
}

std::string_view without_prefix(std::string_view text) {
  for (const std::string_view prefix : {"r:", "recursive:"})
    if (text.starts_with(prefix)) return text.substr(prefix.size());
  return text;
}

bool is_magnet(std::string_view text) { return text.starts_with("magnet:?"); }

}  // namespace

std::string wrong_with_book_id(std::string_view id) {
  if (id.empty()) return "required";
  if (id.size() > kBookIdMax) return "at most 200 bytes";
  if (id == "." || id == ".." || id.find_first_of("/\\") != std::string_view::npos)
    return "must not be a path";
  return {};
}

std::string wrong_with_title(std::string_view title) {
  return title.size() > kTitleMax ? "at most 1000 bytes" : "";
}

std::string wrong_with_address(std::string_view text) {
  const auto url = parse_url(text);
  if (url) return {};
  return "not an http or https address: " + url.error().detail;
}

bool has_recursive_prefix(std::string_view text) { return without_prefix(text) != text; }

std::string wrong_with_page(std::string_view text) {
  return wrong_with_address(without_prefix(text));
}

std::string wrong_with_uri(std::string_view text) {
  if (is_magnet(text) || parse_url(text)) return {};
  return "expected a magnet link, or an http or https address";
}

std::string code_for(std::string (*wrong)(std::string_view), std::string_view text) {
  if (wrong == wrong_with_uri) return "bad_uri";
  if (wrong != wrong_with_address && wrong != wrong_with_page) return "bad_request";
  const auto url = parse_url(without_prefix(text));
  return url ? "bad_request" : url.error().code;
}

std::string wrong_with_date(std::string_view text) {
  constexpr const char* kWanted = "expected a date such as 2026-01-31";
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return kWanted;
  const int year = digits_of(text.substr(0, 4));
  const int month = digits_of(text.substr(5, 2));
  const int day = digits_of(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return kWanted;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  return date.ok() ? "" : "no such day";
}

std::string wrong_with_extension(std::string_view text) {
  const std::string_view bare = text.starts_with('.') ? text.substr(1) : text;
  const bool is_fit = !bare.empty() && text.size() <= kExtensionMax &&
                      bare.find_first_of("/\\") == std::string_view::npos;
  return is_fit ? "" : "expected a file name extension such as .zip";
}

std::string wrong_with_path(std::string_view text) {
  return text.starts_with('/') ? "" : "expected an absolute path";
}

std::string wrong_with_proxy(std::string_view text) {
  constexpr const char* kWanted =
      "expected a proxy such as http://host:3128 or socks5h://host:1080";
  constexpr std::array<std::string_view, 6> kSchemes{"http",    "https",  "socks4",
                                                     "socks4a", "socks5", "socks5h"};
  const std::size_t colon = text.find("://");
  const std::string_view rest = colon == std::string_view::npos ? text : text.substr(colon + 3);
  const bool is_known = colon == std::string_view::npos ||
                        std::ranges::find(kSchemes, lower(text.substr(0, colon))) != kSchemes.end();
  const std::string_view host = rest.substr(rest.rfind('@') + 1);
  const bool is_fit = !host.empty() && host.find_first_of(" \\?#") == std::string_view::npos;
  return is_known && is_fit ? "" : kWanted;
}

std::string wrong_with_checksum(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const std::string_view hex = text.substr(std::min(name.size() + 1, text.size()));
  const auto known = std::ranges::find(kDigests, name, &Digest::name);
  if (known != kDigests.end() && hex.size() == known->digits && std::ranges::all_of(hex, is_hex))
    return {};
  return "expected sha256:<64 hexadecimal digits>, or sha512, sha1, md5";
}

std::string wrong_with_header(std::string_view text) {
  if (text.size() > kHeaderMax) return "at most 8192 bytes";
  const std::size_t colon = text.find(':');
  const std::string_view field = text.substr(0, std::min(colon, text.size()));
  if (colon == std::string_view::npos || field.empty() || !std::ranges::all_of(field, is_token))
    return "expected Name: value";
  if (is_reserved_header(field)) return "haul sets this header itself; leave it out";
  return {};
}

}  // namespace haul
