#include "cli/remote/json_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "base/utf8.h"

namespace haul::cli {
namespace {

std::unexpected<Fault> bad_answer(const std::string& why) {
  return std::unexpected{Fault{FaultKind::permanent, "bad_answer",
                               fmt::format("this is not an answer of haul: {}", why)}};
}

bool is_string(const JsonField& field) { return field.json.starts_with('"'); }

}  // namespace

Result<JsonView> JsonView::read(std::string_view text) {
  auto fields = read_object(text);
  if (!fields) return bad_answer(fields.error().detail);
  JsonView view;
  view.fields_ = *std::move(fields);
  return view;
}

const JsonField* JsonView::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(fields_, name, {}, &JsonField::name);
  return found != fields_.end() && found->name == name && !found->is_null ? &*found : nullptr;
}

std::string JsonView::text(std::string_view name) const {
  const JsonField* field = find(name);
  return field ? field->text : std::string{};
}

std::optional<std::int64_t> JsonView::number(std::string_view name) const {
  const JsonField* field = find(name);
  if (!field || is_string(*field)) return std::nullopt;
  double value = 0;  // A speed may have a fraction.
  const char* end = field->json.data() + field->json.size();
  std::int64_t whole = 0;
  if (const auto [at, error] = std::from_chars(field->json.data(), end, whole);
      error == std::errc{} && at == end)
    return whole;
  const auto [at, error] = std::from_chars(field->json.data(), end, value);
  if (error != std::errc{} || at != end || value < -9.0e18 || value > 9.0e18) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

bool JsonView::flag(std::string_view name) const {
  const JsonField* field = find(name);
  return field && field->json == "true";
}

std::vector<std::string> JsonView::list(std::string_view name) const {
  const JsonField* field = find(name);
  if (!field) return {};
  return read_array(field->json).value_or(std::vector<std::string>{});
}

JsonView JsonView::object(std::string_view name) const {
  const JsonField* field = find(name);
  return field ? read(field->json).value_or(JsonView{}) : JsonView{};
}

std::string JsonView::json(std::string_view name) const {
  const JsonField* field = find(name);
  return field ? field->json : std::string{};
}

std::vector<std::string> JsonView::names() const {
  std::vector<std::string> names;
  names.reserve(fields_.size());
  for (const JsonField& field : fields_) names.push_back(field.name);
  return names;
}

Result<ListView> read_list(std::string_view text, std::string_view name) {
  const auto view = JsonView::read(text);
  if (!view) return std::unexpected{view.error()};
  if (view->json(name).empty()) return bad_answer(fmt::format("no {}", name));
  return ListView{view->list(name), view->text("next"), view->list("problems"),
                  view->number("searched").value_or(0), std::string{text}};
}

std::string safe_json(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  while (!json.empty()) {
    const CodePoint at = first_code_point(json);
    const std::size_t size = std::max<std::size_t>(at.size, 1);
    if (at.size == 0)
      safe += "\\ufffd";
    else if (at.code < ' ')
      safe += ' ';  // Between tokens: JSON strings cannot contain it.
    else if (is_control(at.code) || is_invisible(at.code))
      safe += fmt::format("\\u{:04x}", at.code);
    else
      safe += json.substr(0, size);
    json.remove_prefix(size);
  }
  while (safe.ends_with(' ')) safe.pop_back();
  return safe;
}

}  // namespace haul::cli
