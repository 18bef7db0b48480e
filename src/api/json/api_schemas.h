#pragma once
// The schemas of what the API takes and answers, in the notation of schema.h. The requests of
// lifecycles are not here: their tables describe them.

#include <span>
#include <string_view>

namespace haul::api {

struct NamedSchema {
  std::string_view name;
  std::string_view members;
};

std::span<const NamedSchema> api_schemas();
// The schema of that name must exist.
std::string_view members_of_schema(std::string_view name);

}  // namespace haul::api
