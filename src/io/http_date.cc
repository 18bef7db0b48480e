#include "io/http_date.h"

#include <curl/curl.h>

#include <string>

namespace haul {

std::optional<Time> read_http_date(std::string_view text) {
  if (text.empty() || text.size() > 100) return std::nullopt;
  const time_t seconds = curl_getdate(std::string{text}.c_str(), nullptr);
  if (seconds < 0) return std::nullopt;
  return Time{std::chrono::seconds{seconds}};
}

}  // namespace haul
