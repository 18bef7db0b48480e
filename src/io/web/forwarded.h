#pragma once
// Finds the address a request comes from when proxies stand between haul and its clients.

#include <span>
#include <string>

#include "base/web.h"
#include "io/web/address.h"

namespace haul::io {

bool is_trusted(const std::string& address, std::span<const Network> proxies);

// The connection's own address, unless that is a trusted proxy. Behind a trusted proxy it is the
// last address in X-Forwarded-For (without that header, in Forwarded) that is not a trusted proxy
// itself. A client can write anything to the left of that one. An element that is not an address
// ends the search at the proxy that passed it on. If both headers are present and disagree, the
// client may have sent one of them, so the connection's own address is used.
std::string forwarded_address(const std::string& peer, const WebFields& headers,
                              std::span<const Network> proxies);

}  // namespace haul::io
