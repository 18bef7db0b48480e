#include "sink/server/query.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"

namespace haul::media_server {
namespace {

constexpr std::size_t kIdMax = 64;

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_digit(c) || is_letter(c) || c == '-' || c == '_' || c == '.' || c == '~')
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

std::string with_query(std::string_view path, const QueryFields& fields) {
  std::string target{path};
  char mark = '?';
  for (const auto& [name, value] : fields) {
    target.append(1, mark).append(encoded(name)).append("=").append(encoded(value));
    mark = '&';
  }
  return target;
}

bool is_plain_id(std::string_view id) {
  return !id.empty() && id.size() <= kIdMax &&
         std::ranges::all_of(id, [](char c) { return is_digit(c) || is_letter(c) || c == '-'; });
}

}  // namespace haul::media_server
