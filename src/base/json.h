#pragma once
// The little that haul needs to know about JSON text without a JSON library in sight.

#include <cstdint>
#include <optional>
#include <span>
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

// A member that is no object and no list.
struct JsonScalar {
  enum class Kind : std::uint8_t { none, text, number, boolean };

  Kind kind = Kind::none;  // None: it is not there, is null, or is no scalar.
  std::string text;        // A text's own; a number as it was written; true or false.

  // Nothing if it is no whole number, or none that fits.
  std::optional<std::int64_t> whole() const;
  bool operator==(const JsonScalar&) const = default;
};
using JsonRow = std::vector<JsonScalar>;

// Of an array of objects these members of each, in the order of the names; an element that is no
// object is a row of nothing. For long answers of others: nothing else of them is kept. Refused:
// what is not one array, depth over 32, more rows than that.
Result<std::vector<JsonRow>> read_rows(std::string_view text,
                                       std::span<const std::string_view> names,
                                       std::size_t rows_max);

bool is_json_text(std::string_view text);

// A JSON string literal, with quotes.
std::string json_quoted(std::string_view text);
void append_quoted(std::string& out, std::string_view text);

}  // namespace haul
