#pragma once
// Text that came from outside, made safe to print.

#include <span>
#include <string>
#include <string_view>

namespace haul {

// The text with control characters, bidirectional overrides and broken UTF-8 shown as \xNN or
// \u{N}, so that one value stays on one line and cannot steer a terminal.
std::string printable(std::string_view text);

// The candidate most like the word a person typed, for "did you mean"; empty if none is close.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace haul
