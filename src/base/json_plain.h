#pragma once
// A fast reader for the JSON that programs mostly write: ASCII without escapes, whole numbers. It
// leaves all other text to the JSON library, which takes ten times as long.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace haul {

// The answers of read_object, read_array and canonical. Nothing if the library must decide.
std::optional<std::vector<JsonField>> read_plain_object(std::string_view text);
std::optional<std::vector<std::string>> read_plain_array(std::string_view text);
std::optional<std::string> plain_canonical(std::string_view text);

// A member of an object as it is written. The views are parts of the text.
struct JsonMember {
  std::string_view name;
  std::string_view json;

  bool operator==(const JsonMember&) const = default;
};
// The members in their order. Nothing if the library must decide.
std::optional<std::vector<JsonMember>> plain_members(std::string_view text);

// True if the text is one JSON value. False if the library must decide.
bool is_plain_json(std::string_view text);

}  // namespace haul
