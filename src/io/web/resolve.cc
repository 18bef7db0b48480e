#include "io/web/resolve.h"

#include <netdb.h>

#include <cstring>
#include <memory>
#include <thread>
#include <utility>

namespace haul::io {
namespace {

constexpr std::size_t kAddressesMax = 64;  // X21: some name servers return thousands.

Fault fault_of(int error) {
  const std::string detail = ::gai_strerror(error);
  return {FaultKind::retryable, "host_not_found", detail};
}

Addresses look_up(std::string host, std::uint16_t port, int flags) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | flags;
  addrinfo* list = nullptr;
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (error != 0) return std::unexpected{fault_of(error)};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned{list, &::freeaddrinfo};
  std::vector<Resolved> found;
  for (const addrinfo* at = list; at != nullptr && found.size() < kAddressesMax; at = at->ai_next) {
    Resolved resolved;
    resolved.size = at->ai_addrlen;
    std::memcpy(&resolved.address, at->ai_addr, at->ai_addrlen);
    found.push_back(resolved);
  }
  return found;
}

}  // namespace

void resolve(const PollLoop& loop, const std::string& host, std::uint16_t port,
             std::weak_ptr<const bool> alive, std::function<void(const Addresses&)> done) {
  const auto tell = [to = loop.poster(), alive = std::move(alive),
                     done = std::move(done)](Addresses found) {
    to->post([found = std::move(found), alive, done] {
      if (alive.lock()) done(found);
    });
  };
  if (Addresses known = look_up(host, port, AI_NUMERICHOST); known) return tell(std::move(known));
  std::thread{[tell, host, port] { tell(look_up(host, port, AI_ADDRCONFIG)); }}.detach();
}

}  // namespace haul::io
