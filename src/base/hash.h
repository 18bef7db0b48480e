#pragma once
// SHA-256, for keys that must not be guessed or reversed by eye (idempotency keys, user hashes).

#include <string>
#include <string_view>

namespace haul {

// Sixty-four lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace haul
