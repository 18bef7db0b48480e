#pragma once
// How much a line of the log matters.

#include <cstdint>

namespace haul {

enum class Level : std::uint8_t { debug, info, warning, error };

}  // namespace haul
