#pragma once
// The little that haul needs to know about JSON text without a JSON library in sight.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul {

struct JsonField {
  std::string name;
  std::string text;  // A string's own text; anything else as canonical JSON.
  bool is_null = false;
  std::string json;  // As canonical JSON, whatever it is.
};

// An object's fields in the order of their names. Refused: what is not one object, a name given
// twice, depth over 32, more than 16 MiB: a list of a quarter of a million
// addresses. Who reads for strangers takes less.
Result<std::vector<JsonField>> read_object(std::string_view text);

// The same object with sorted names and no blanks: equal requests are equal text.
Result<std::string> canonical(std::string_view text);

// An array's elements, each as a field's text is. Refused: what is not one array, and as above.
Result<std::vector<std::string>> read_array(std::string_view text);

// A JSON string literal, with quotes.
std::string json_quoted(std::string_view text);

}  // namespace haul
