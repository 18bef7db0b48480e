#pragma once
// Descriptions of the API, generated from its routes.

#include <string>
#include <string_view>

namespace haul::api {

// OpenAPI 3.1.
std::string openapi_json(std::string_view version);

// The same as Markdown: docs/api.md.
std::string api_doc();

}  // namespace haul::api
