#include "base/host.h"

#include "base/ascii.h"

namespace haul {

namespace {

constexpr CharSet kAfterHost{"/?#\\"};

}  // namespace

std::string host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view host = url.substr(scheme + 3);
  host = host.substr(0, kAfterHost.find_in(host));
  if (const std::size_t user = host.rfind('@'); user != std::string_view::npos)
    host.remove_prefix(user + 1);
  if (host.starts_with('['))
    host = host.substr(0, host.find(']') + 1);
  else
    host = host.substr(0, host.find(':'));
  std::string name = lower(host);
  if (name.starts_with("www.")) name.erase(0, 4);
  return name;
}

}  // namespace haul
