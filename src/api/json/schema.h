#pragma once
// JSON Schemas, from the short notation of api_schemas.h and from the fields of a request.
//
// Members have a line each: "name: type # description". "name?:" may be absent, and "...Name" takes
// over the members of another schema. A type is
//   string, integer, number, boolean, time, object, any, null, id (a number, also as text),
//   integer 1..100 (a range), a|b (one of these words), A|B (one of these schemas), =word,
//   Name (another schema), type[], map<type>, page<type> (a list with `next`), and type? (or null).

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "lifecycle/request.h"

namespace haul::api {

// Each returns a JSON text.
std::string schema_of_type(std::string_view text);
std::string schema_of_members(std::string_view members);
std::string schema_of_request(std::span<const RequestField> fields);

struct Member {
  std::string_view name;
  bool required = true;
  std::string_view type;
  std::string_view about;  // Empty: none.
};
// Calls `each` for every member, also for those of "...Name".
void read_members(std::string_view members, const std::function<void(const Member&)>& each);

}  // namespace haul::api
