#pragma once
// Brings the host of a URL into one canonical form, which libcurl and the resolver read alike.

#include <optional>
#include <string>
#include <string_view>

namespace haul {

// Returns lower case ASCII without a last dot: a name, four decimal numbers, or an IPv6 address in
// brackets. An IPv4 address in another form (0x7f.1) becomes four decimal numbers. Empty if it is
// not a host, or if IDNA turns a non-ASCII name into plain ASCII: that is an address or a name in
// disguise.
std::optional<std::string> canonical_host(std::string_view host);

}  // namespace haul
