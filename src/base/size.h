#pragma once
// Sizes in bytes as people write them: "64G", "500 MiB".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace haul {

// A whole number and perhaps a unit: K, M, G or T, each with or without B or iB, in either case.
// All of them are powers of 1024. Nothing if the text is not a size.
std::optional<std::int64_t> read_size(std::string_view text);

// "943 MiB": in the largest unit that leaves at least ten.
std::string size_text(std::int64_t bytes);

}  // namespace haul
