#pragma once
// The hash that the server claims for a file.

#include <string>

#include "server/representation.h"

namespace haul::server {

enum class Digest : std::uint8_t { good, bad };

// SHA-256 of the whole file in base64. Throws BadSwitch if the file is larger than 1 GiB.
std::string digest(const Representation& of, Digest which);

}  // namespace haul::server
