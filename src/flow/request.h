#pragma once
// What a request of each lifecycle may contain. One table per lifecycle: the check, the forms, the
// API description and the docs all read it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/few.h"
#include "lifecycle/table.h"

namespace haul {

enum class FieldType : std::uint8_t {
  text,      // A string without control characters.
  lines,     // A string that may also contain tabs and newlines.
  number,    // A whole number.
  flag,      // true or false.
  duration,  // "15s", "500ms", or 0.
  id,        // A string or a whole number.
  list,      // A list of strings.
  object,    // An object with the fields of `within`.
  logins,    // An object: origin to "user:password".
  any,       // Any object. Its strings have no control characters.
};

// "string", "number", "boolean", "list" or "object": the type's name in forms and descriptions.
std::string_view name(FieldType type);

struct RequestField {
  std::string_view name;
  FieldType type;
  std::string_view about;
  bool required = false;
  // A number lies in this range. A text has at most so many bytes, a list so many elements, a
  // duration so many milliseconds. A text whose least is 0 may be empty, which leaves it unset.
  std::int64_t least = 0;
  std::int64_t most = 0;
  Few<std::string_view, 5> values{};  // A text, or each element of a list, is one of these.
  // What is wrong with a text, a number, or an element of a list. Empty: nothing.
  std::string (*wrong)(std::string_view text) = nullptr;
  std::span<const RequestField> within{};
};

std::span<const RequestField> request_fields(const Lifecycle& lifecycle);
// Those of a batch's `limits`.
std::span<const RequestField> limit_fields();

// "0 to 64", "at most 200 bytes": which values a field takes. Empty if the table does not limit
// them.
std::string values_of(const RequestField& field);

// What is wrong with the id or the title of a book. Empty if nothing is. An id is part of URLs, so
// it must not be a path.
std::string wrong_with_book_id(std::string_view id);
std::string wrong_with_title(std::string_view title);

}  // namespace haul
