#pragma once
// Terminal colours.

#include <cstdint>
#include <string>
#include <string_view>

namespace haul {

enum class Colour : std::uint8_t { off, on };

// Only the sixteen colours that every terminal has: users choose them to be readable.
enum class Ink : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

// The text in that colour; text after it is not affected.
std::string painted(Colour colour, Ink ink, std::string_view text);

// The text without the escapes that painted() adds.
std::string unpainted(std::string_view text);

}  // namespace haul
