#include "api/doors.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

namespace haul::api {

std::string address_group(const std::string& address) {
  constexpr std::size_t kNetworkBytes = 8;
  std::array<unsigned char, 16> bytes{};
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1) return address;
  if (address.starts_with("::ffff:")) return address;  // IPv4-mapped.
  std::fill(bytes.begin() + kNetworkBytes, bytes.end(), 0);
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (!::inet_ntop(AF_INET6, bytes.data(), text.data(), text.size())) return address;
  return std::string{text.data()} + "/64";
}

std::optional<ApiError> spend(RateLimit& limit, const std::string& key, Steady now) {
  const auto wait = limit.spend(key, now);
  if (!wait) return std::nullopt;
  ApiError error{429, "too_many_requests", "too many requests; wait and try again"};
  error.retry_after_s = static_cast<int>(std::chrono::ceil<std::chrono::seconds>(*wait).count());
  return error;
}

}  // namespace haul::api
