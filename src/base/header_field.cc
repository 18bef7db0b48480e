#include "base/header_field.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace haul {
namespace {

constexpr std::array<std::string_view, 14> kReserved{
    "connection",        "content-length", "expect",     "host",
    "http2-settings",    "if-range",       "keep-alive", "proxy-authorization",
    "proxy-connection",  "range",          "te",         "trailer",
    "transfer-encoding", "upgrade",
};

}  // namespace

bool is_reserved_header(std::string_view name) {
  const std::string lowered = lower(name);
  return std::ranges::find(kReserved, std::string_view{lowered}) != kReserved.end();
}

std::string_view header_name(std::string_view line) {
  return trimmed(line.substr(0, std::min(line.find_first_of(":;"), line.size())));
}

}  // namespace haul
