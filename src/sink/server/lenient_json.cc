#include "sink/server/lenient_json.h"

#include <algorithm>
#include <charconv>

namespace haul::media_server {
namespace {

bool is_nested(const JsonField& field) {
  return field.json.starts_with('{') || field.json.starts_with('[');
}

}  // namespace

std::optional<LenientJson> LenientJson::read(std::string_view text) {
  auto fields = read_object(text);
  if (!fields) return std::nullopt;
  LenientJson view;
  view.fields_ = *std::move(fields);
  return view;
}

const JsonField* LenientJson::find(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &JsonField::name);
  return found == fields_.end() || found->is_null ? nullptr : &*found;
}

std::string LenientJson::text(std::string_view name) const {
  const JsonField* field = find(name);
  return field && !is_nested(*field) ? field->text : std::string{};
}

std::optional<std::int64_t> LenientJson::whole(std::string_view name) const {
  const std::string given = text(name);
  std::int64_t value = 0;
  const char* end = given.data() + given.size();
  const auto [stop, error] = std::from_chars(given.data(), end, value);
  if (given.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

bool LenientJson::is_no(std::string_view name) const {
  const std::string given = text(name);
  return given == "false" || given == "0";
}

std::optional<LenientJson> LenientJson::object(std::string_view name) const {
  const JsonField* field = find(name);
  return field && field->json.starts_with('{') ? read(field->json) : std::nullopt;
}

std::optional<std::vector<LenientJson>> LenientJson::objects(std::string_view name) const {
  const JsonField* field = find(name);
  return field ? read_objects(field->json) : std::nullopt;
}

std::vector<std::string> LenientJson::texts(std::string_view name) const {
  const JsonField* field = find(name);
  if (!field) return {};
  return read_array(field->json).value_or(std::vector<std::string>{});
}

std::optional<std::vector<LenientJson>> read_objects(std::string_view text) {
  const auto elements = read_array(text);
  if (!elements) return std::nullopt;
  std::vector<LenientJson> views;
  for (const std::string& element : *elements)
    if (auto view = LenientJson::read(element)) views.push_back(*std::move(view));
  return views;
}

}  // namespace haul::media_server
