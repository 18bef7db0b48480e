#pragma once
// Reads the JSON of providers. A member that is missing or of another type is empty. An image in a
// text may be longer than haul's reader of JSON takes, so such texts are cut out first.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace haul::imageapi {

class AnswerJson {
 public:
  // No value if the text is not one JSON object.
  static std::optional<AnswerJson> read(std::string_view text);

  // A string, or a number or boolean as written. Empty for all else.
  std::string text(std::string_view name) const;
  std::optional<AnswerJson> object(std::string_view name) const;
  // The elements of an array: strings without quotes, all else as JSON. Empty if it is no array.
  std::vector<std::string> array(std::string_view name) const;
  // The value as JSON. Empty if it is absent or null.
  std::string json(std::string_view name) const;
  const std::vector<JsonField>& members() const { return fields_; }

 private:
  const JsonField* find(std::string_view name) const;

  std::vector<JsonField> fields_;
};

// JSON with a short mark in place of each long text of base64.
struct CutJson {
  std::string json;
  std::vector<std::string_view> texts{};  // Parts of the text that was cut.

  // What stood where the mark stands. The text itself if it is no mark.
  std::string_view whole(std::string_view text) const;
};
// The bytes of an image as base64, perhaps with line breaks or as a data: address. No value if it
// is no base64.
std::optional<std::string> image_bytes(std::string_view text);

// The text outlives the result.
CutJson cut_long_texts(std::string_view json);

}  // namespace haul::imageapi
