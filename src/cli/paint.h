#pragma once
// Colours of a terminal, or none.

#include <cstdint>
#include <string>
#include <string_view>

namespace haul {

enum class Colour : std::uint8_t { off, on };

// The sixteen colours every terminal has, because a person has chosen them to be readable.
enum class Ink : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

// The text in that ink, and what follows it as before.
std::string painted(Colour colour, Ink ink, std::string_view text);

// The same text without what painted() put around it.
std::string unpainted(std::string_view text);

}  // namespace haul
