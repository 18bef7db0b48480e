#pragma once
// What a stop does with what a transfer leaves behind.

#include <cstdint>

namespace haul {

// What happens to the parts of a stopped transfer: keep them for a later start, or remove them.
enum class Leftovers : std::uint8_t { keep, remove };

}  // namespace haul
