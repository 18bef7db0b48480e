#pragma once
// The description of the API, drawn from its routes.

#include <string>
#include <string_view>

namespace haul {

// OpenAPI 3.1.
std::string openapi_json(std::string_view version);

// The same for people: docs/api.md.
std::string api_page();

}  // namespace haul
