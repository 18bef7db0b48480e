#pragma once
// Reads a reply of the API by field name. A field that is missing or of another type reads as
// empty, so that with a newer or older daemon a command shows less instead of failing.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/json.h"

namespace haul::cli {

class JsonView {
 public:
  JsonView() = default;
  // Returns the fault `bad_answer` if the text is not a JSON object.
  static Result<JsonView> read(std::string_view text);

  std::string text(std::string_view name) const;
  std::optional<std::int64_t> number(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;
  JsonView object(std::string_view name) const;
  std::string json(std::string_view name) const;  // Empty if absent or null.
  bool is_empty() const { return fields_.empty(); }
  std::vector<std::string> names() const;

 private:
  const JsonField* find(std::string_view name) const;
  std::vector<JsonField> fields_;
};

// A page of a list.
struct ListView {
  std::vector<std::string> items;       // Each is JSON.
  std::string next;                     // Empty on the last page.
  std::vector<std::string> problems{};  // What the list lacks, as sentences.
  std::int64_t searched = 0;            // Rows that a search read for this page.
  std::string body{};                   // The page as it came.
};
// `name` is the field that has the items.
Result<ListView> read_list(std::string_view text, std::string_view name = "items");

// The same JSON on one line, with everything that could control a terminal escaped.
std::string safe_json(std::string_view json);

}  // namespace haul::cli
