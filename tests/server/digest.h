#pragma once
// What a server says the hash of its file is.

#include <string>

#include "server/representation.h"

namespace haul::server {

enum class Digest : std::uint8_t { good, bad };

// SHA-256 of the whole file in base64. BadSwitch if that would take too long.
std::string digest(const Representation& of, Digest which);

}  // namespace haul::server
