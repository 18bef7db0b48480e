#pragma once
// Builds the targets of requests.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haul::media_server {

using QueryFields = std::vector<std::pair<std::string, std::string>>;

// "/library/sections/1/refresh?path=%2Fmedia"
std::string with_query(std::string_view path, const QueryFields& fields);

// Whether a server's id may be part of a path: letters, digits and dashes only.
bool is_plain_id(std::string_view id);

}  // namespace haul::media_server
