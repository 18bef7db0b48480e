#pragma once
// JSON as programs mostly write it, read in one go: ASCII without escapes, whole numbers. What is
// not so plain is not judged here but left to the library, which knows all of JSON and costs ten
// times as much.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace haul {

// What read_object, read_array and canonical would answer; nothing: ask the library.
std::optional<std::vector<JsonField>> read_plain_object(std::string_view text);
std::optional<std::vector<std::string>> read_plain_array(std::string_view text);
std::optional<std::string> plain_canonical(std::string_view text);
// Whether it is a value of JSON; false: ask the library.
bool is_plain_json(std::string_view text);

}  // namespace haul
