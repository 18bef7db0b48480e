#pragma once
// Guesses which engine an address is for, from its name and from the content type that its server
// reports. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul::choose {

enum class Guess : std::uint8_t {
  file,     // Its name has a file's extension.
  unknown,  // It may be a page or anything else.
};
Guess guess_by_name(std::string_view url);

// Whether a page of this content type may contain media, or is itself a playlist.
bool may_have_media(std::string_view content_type);

// The request, with its addresses replaced by these.
std::string with_urls(std::string_view request, const std::vector<std::string>& urls);

// The request's `engine` field. Default: auto. `bad_request` if there is no such engine.
Result<std::string> engine_wanted(std::string_view request);

}  // namespace haul::choose
