#pragma once
// Terminal colours.

#include <cstdint>
#include <string>
#include <string_view>

namespace haul::cli {

enum class Colour : std::uint8_t { off, on };

// Only the sixteen standard colours, because users configure those to be readable.
enum class Ink : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

// The text in that colour; text after it is not affected.
std::string painted(Colour colour, Ink ink, std::string_view text);

// The text without the escapes that painted() adds.
std::string unpainted(std::string_view text);

}  // namespace haul::cli
