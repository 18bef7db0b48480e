#pragma once
// Names from the disk and from users, made safe for messages and buttons.

#include <cstddef>
#include <string>
#include <string_view>

namespace haul::bot {

inline constexpr std::size_t kLabelMax = 48;  // Characters of a button.

// One line without control and invisible characters, with at most `most` characters: a longer name
// loses its middle, because its end tells its type. A question mark if nothing is left.
std::string label_of(std::string_view name, std::size_t most = kLabelMax);

// The text as searches compare it: small letters, also of Cyrillic, with ё as е.
std::string folded(std::string_view text);

}  // namespace haul::bot
