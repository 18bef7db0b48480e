#pragma once
// Which address a request comes from, where proxies stand between haul and its clients.

#include <span>
#include <string>

#include "base/web.h"
#include "io/address.h"

namespace haul {

bool is_trusted(const std::string& address, std::span<const Network> proxies);

// The connection's own address, unless it is a trusted proxy: then the last address in
// X-Forwarded-For (or else in Forwarded) that is not a trusted proxy itself. Clients can write
// anything to the left of that one. What cannot be read as an address ends the search at the proxy
// that passed it on. Where both headers are there and disagree, one of them is the client's own:
// the connection's address is used.
std::string forwarded_address(const std::string& peer, const WebFields& headers,
                              std::span<const Network> proxies);

}  // namespace haul
