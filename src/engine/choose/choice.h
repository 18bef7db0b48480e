#pragma once
// Which engine an address is for, as far as it can be said by looking: at its name, and at what its
// server calls it. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul {

enum class Guess : std::uint8_t {
  file,     // Its name ends as a file's does.
  unknown,  // It may be a page, or anything.
};
Guess guess_by_name(std::string_view url);

// Whether a page of such a type may have media on it, or be a list of them.
bool may_have_media(std::string_view content_type);

// The request with only these addresses in it.
std::string with_urls(std::string_view request, const std::vector<std::string>& urls);

// The field of the request: auto if there is none. Refused is what is no engine.
Result<std::string> engine_wanted(std::string_view request);

}  // namespace haul
