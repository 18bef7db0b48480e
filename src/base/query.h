#pragma once
// The fields of a query or of a form, as an address or a body has them.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haul {

using QueryFields = std::vector<std::pair<std::string, std::string>>;

// "hashes=a%7Cb&deleteFiles=false"
std::string query_text(const QueryFields& fields);

// "/library/sections/1/refresh?path=%2Fmedia"; the path alone without fields.
std::string with_query(std::string_view path, const QueryFields& fields);

}  // namespace haul
