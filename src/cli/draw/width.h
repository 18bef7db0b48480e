#pragma once
// Measures and limits the terminal columns of a text. All functions expect text from printable():
// valid UTF-8 without control characters.

#include <cstddef>
#include <string>
#include <string_view>

namespace haul::cli {

// Letters of East Asian scripts and emoji take two columns, combining marks none. Where terminals
// disagree, returns the larger number: a line too short is harmless, one too long wraps.
std::size_t columns_of(std::string_view text);

// At most `columns` wide. A longer text loses its middle ("Big.Bu….mkv"), so that both the start
// and the extension stay. Never separates a letter from its combining marks.
std::string shortened(std::string_view text, std::size_t columns);

// At most `columns` wide. A longer text loses its end.
std::string cut(std::string_view text, std::size_t columns);

// Cut or padded with blanks to exactly `columns`.
std::string left_aligned(std::string_view text, std::size_t columns);
std::string right_aligned(std::string_view text, std::size_t columns);

}  // namespace haul::cli
