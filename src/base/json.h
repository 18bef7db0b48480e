#pragma once
// Reading and quoting JSON text for callers that do not include a JSON library.

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
  std::string text;  // A string without quotes and escapes; any other value as canonical JSON.
  bool is_null = false;
  std::string json;  // The value as canonical JSON, whatever its type.

  bool operator==(const JsonField&) const = default;
};

// An object's fields in the order of their names. Refuses text that is not one object, a name given
// twice, depth over 32, and more than 16 MiB (a list of a quarter of a million addresses). Callers
// that read untrusted input set a smaller limit.
Result<std::vector<JsonField>> read_object(std::string_view text);

// The same object with sorted names and no blanks, so that equal requests give equal text.
Result<std::string> canonical(std::string_view text);

// An array's elements, each in the form of JsonField::text. Refuses text that is not one array.
// The limits of read_object apply.
Result<std::vector<std::string>> read_array(std::string_view text);

// A member that is neither an object nor an array.
struct JsonScalar {
  enum class Kind : std::uint8_t { none, text, number, boolean };

  Kind kind = Kind::none;  // None: missing, null, or not a scalar.
  std::string text;        // A string's text, a number as written, or true or false.

  // Nothing if the value is not a whole number or does not fit.
  std::optional<std::int64_t> whole() const;
  bool operator==(const JsonScalar&) const = default;
};
using JsonRow = std::vector<JsonScalar>;

// Reads an array of objects: one row per element, with the named members in the order of `names`.
// An element that is not an object gives a row of `none`. For long answers of other programs: it
// keeps nothing but the named members. Refuses text that is not one array, depth over 32, more than
// `rows_max` rows, and more than 64 MiB.
Result<std::vector<JsonRow>> read_rows(std::string_view text,
                                       std::span<const std::string_view> names,
                                       std::size_t rows_max);

// Whether a string or a name inside a value in canonical JSON has a control character.
bool has_control_within(std::string_view canonical_json);

// The position after the first bracket that leaves `depth` brackets open. npos if there is none.
// Ignores brackets inside strings. Does not check that the text is JSON.
std::size_t end_at_depth(std::string_view text, int depth);

// Whether the text is one JSON value of any type.
bool is_json_text(std::string_view text);

// A JSON string literal, with quotes.
std::string json_quoted(std::string_view text);
void append_quoted(std::string& out, std::string_view text);

}  // namespace haul
