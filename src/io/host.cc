#include "io/host.h"

#include <algorithm>

namespace haul {

std::string host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view host = url.substr(scheme + 3);
  host = host.substr(0, host.find_first_of("/?#\\"));
  if (const std::size_t user = host.rfind('@'); user != std::string_view::npos)
    host.remove_prefix(user + 1);
  if (host.starts_with('['))
    host = host.substr(0, host.find(']') + 1);
  else
    host = host.substr(0, host.find(':'));
  std::string lower{host};
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  if (lower.starts_with("www.")) lower.erase(0, 4);
  return lower;
}

}  // namespace haul
