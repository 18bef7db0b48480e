#pragma once
// Reads times as to_iso() prints them.

#include <optional>
#include <string_view>

#include "base/time.h"

namespace haul {

// Reads "2026-02-03T04:05Z", with seconds and up to three digits of a fraction if given. UTC only.
// Nothing for any other text, or a day that does not exist.
std::optional<Time> read_iso(std::string_view text);

}  // namespace haul
