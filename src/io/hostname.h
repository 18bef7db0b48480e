#pragma once
// The host part of an address in the one form that everybody after us reads alike.

#include <optional>
#include <string>
#include <string_view>

namespace haul {

// Lower case, ASCII, no last dot: a name, four decimal numbers, or an IPv6 address in brackets.
// Nothing if it is none, or only looks like one: an address in disguise, a name that IDNA turns
// into plain letters.
std::optional<std::string> canonical_host(std::string_view host);

}  // namespace haul
