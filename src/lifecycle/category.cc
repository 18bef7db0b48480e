#include "lifecycle/category.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/request_value.h"
#include "base/time.h"
#include "lifecycle/batch_request.h"

namespace haul {
namespace {

bool may_be_in_name(char c) {
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_';
}

const RequestField* limits_field(const RequestForm& form) {
  const auto found = std::ranges::find_if(form.fields, [](const RequestField& field) {
    return field.within.data() == limit_fields().data();
  });
  return found == form.fields.end() ? nullptr : &*found;
}

// A time between requests is tighter if it is longer, a number if it is smaller. A 0 is no limit.
bool is_tighter(const RequestField& field, const JsonField& own, const JsonField& given) {
  if (field.type == FieldType::duration)
    return read_duration(own.text).value_or(Millis{0}) >
           read_duration(given.text).value_or(Millis{0});
  const std::int64_t number = read_whole(own.json).value_or(0);
  return number > 0 && number < read_whole(given.json).value_or(0);
}

// Whether the value is of a type that can be compared.
bool is_readable(const RequestField& field, const JsonField& own) {
  if (field.type == FieldType::duration) return read_duration(own.text).has_value();
  return read_whole(own.json).has_value();
}

std::string put_together(const std::vector<JsonField>& fields) {
  std::string out = "{";
  for (const JsonField& field : fields)
    out.append(out.size() == 1 ? "" : ",").append(json_quoted(field.name) + ":").append(field.json);
  return out + "}";
}

// The limits of the request, tightened by the category's.
std::vector<JsonField> tightened(std::vector<JsonField> own, const Category& category,
                                 std::span<const RequestField> known) {
  for (const JsonField& given : category.limits) {
    const auto field = std::ranges::find(known, given.name, &RequestField::name);
    const auto mine = std::ranges::find(own, given.name, &JsonField::name);
    if (field == known.end()) continue;
    if (mine == own.end())
      own.push_back(given);
    else if (mine->is_null || (is_readable(*field, *mine) && !is_tighter(*field, *mine, given)))
      *mine = given;
  }
  return own;
}

void set_field(std::vector<JsonField>& fields, JsonField value) {
  std::erase_if(fields, [&](const JsonField& each) { return each.name == value.name; });
  fields.push_back(std::move(value));
}

}  // namespace

std::string wrong_with_category(std::string_view name) {
  const bool is_fine = !name.empty() && std::ssize(name) <= kCategoryMax &&
                       std::ranges::all_of(name, may_be_in_name);
  if (is_fine) return {};
  return fmt::format("expected 1 to {} of a to z, 0 to 9, - and _", kCategoryMax);
}

std::string category_of(const RequestForm& form, const std::string& request) {
  const RequestField* field = field_with(form, FieldUse::category);
  if (!field || !request.contains(json_quoted(field->name) + ":\"")) return {};  // Most requests.
  const auto fields = read_object(request);
  const JsonField* given = fields ? find_field(*fields, field->name) : nullptr;
  return given && given->json.starts_with('"') ? given->text : std::string{};
}

const Category* find_category(std::span<const Category> all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Category::name);
  return found == all.end() ? nullptr : &*found;
}

std::string known_categories(std::span<const Category> all) {
  if (all.empty()) return "no category is configured ([category.NAME])";
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i)
    names += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i].name;
  return "expected " + names;
}

std::expected<std::vector<JsonField>, RequestProblem> with_category(const RequestForm& form,
                                                                    std::vector<JsonField> fields,
                                                                    std::span<const Category> all) {
  const RequestField* field = field_with(form, FieldUse::category);
  const JsonField* named = field ? find_field(fields, field->name) : nullptr;
  if (!named || !named->json.starts_with('"') || named->text.empty()) return fields;
  const Category* category = find_category(all, named->text);
  if (!category)
    return std::unexpected{
        RequestProblem{"unknown_category", std::string{field->name}, known_categories(all)}};
  const RequestField* folder = field_with(form, FieldUse::folder);
  const JsonField* own_folder = folder ? find_field(fields, folder->name) : nullptr;
  const bool has_folder = own_folder && own_folder->json != "\"\"";
  if (folder && !has_folder && !category->folder.empty())
    set_field(fields, {.name = std::string{folder->name},
                       .text = category->folder,
                       .json = json_quoted(category->folder)});
  const RequestField* limits = limits_field(form);
  if (!limits || category->limits.empty()) return fields;
  const JsonField* own = find_field(fields, limits->name);
  const auto own_limits = read_object(own ? own->json : "{}");
  if (!own_limits) return fields;
  const std::string json = put_together(tightened(*own_limits, *category, limits->within));
  set_field(fields, {.name = std::string{limits->name}, .text = json, .json = json});
  return fields;
}

}  // namespace haul
