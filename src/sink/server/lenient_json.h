#pragma once
// Reads the JSON of a media server leniently: a member that is missing or of another type is empty.
// Plex sends the same attribute as a number here and as a string there.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace haul::media_server {

class LenientJson {
 public:
  // No value if the text is not one JSON object.
  static std::optional<LenientJson> read(std::string_view text);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  // A string, or a number or boolean as written. Empty for all else.
  std::string text(std::string_view name) const;
  // A whole number, also one in a string.
  std::optional<std::int64_t> whole(std::string_view name) const;
  // Says no in one of the forms that servers use: false, 0, "0".
  bool is_no(std::string_view name) const;
  // A member that is an object.
  std::optional<LenientJson> object(std::string_view name) const;
  // The objects in a member that is an array. No value if it is not an array.
  std::optional<std::vector<LenientJson>> objects(std::string_view name) const;
  // The texts in a member that is an array. Empty if it is not an array.
  std::vector<std::string> texts(std::string_view name) const;

 private:
  const JsonField* find(std::string_view name) const;

  std::vector<JsonField> fields_;
};

// The objects of a text that is one JSON array. No value if it is not an array.
std::optional<std::vector<LenientJson>> read_objects(std::string_view text);

}  // namespace haul::media_server
