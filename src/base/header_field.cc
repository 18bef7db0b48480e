#include "base/header_field.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"

namespace haul {
namespace {

constexpr std::array<std::string_view, 14> kReserved{
    "connection",        "content-length", "expect",     "host",
    "http2-settings",    "if-range",       "keep-alive", "proxy-authorization",
    "proxy-connection",  "range",          "te",         "trailer",
    "transfer-encoding", "upgrade",
};
constexpr std::size_t kLineMax = 8'192;

// A character of a header's name, as RFC 9110 has it.
bool is_token(char c) {
  return is_letter(c) || is_digit(c) ||
         std::string_view{"!#$%&'*+-.^_`|~"}.find(c) != std::string_view::npos;
}

}  // namespace

bool is_reserved_header(std::string_view name) {
  const std::string lowered = lower(name);
  return std::ranges::find(kReserved, std::string_view{lowered}) != kReserved.end();
}

std::string wrong_with_header(std::string_view line) {
  if (line.size() > kLineMax) return "at most 8192 bytes";
  if (has_control(line)) return "control characters are not allowed";
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, std::min(colon, line.size()));
  if (colon == std::string_view::npos || name.empty() || !std::ranges::all_of(name, is_token))
    return "expected Name: value";
  if (is_reserved_header(name)) return "haul sets this header itself; leave it out";
  return {};
}

}  // namespace haul
