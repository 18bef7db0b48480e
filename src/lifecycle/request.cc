#include "lifecycle/request.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/time.h"

namespace haul {
namespace {

using enum FieldType;

std::string listed(const RequestField& field) {
  std::string words;
  for (const std::string_view value : field.values)
    words.append(words.empty()                        ? ""
                 : value == *(field.values.end() - 1) ? " or "
                                                      : ", ")
        .append(value);
  return words;
}

}  // namespace

std::string_view name(FieldType type) {
  switch (type) {
    case number:
      return "number";
    case flag:
      return "boolean";
    case list:
      return "list";
    case object:
    case logins:
    case any:
      return "object";
    case text:
    case lines:
    case duration:
    case id:
      return "string";
  }
  return "string";
}

std::string values_of(const RequestField& field) {
  if (!field.values.empty()) return listed(field);
  switch (field.type) {
    case number:
      return fmt::format("{} to {}", field.least, field.most);
    case duration:
      return fmt::format("0 to {}, such as 500ms or 2s", duration_text(Millis{field.most}));
    case text:
    case lines:
    case id:
      return fmt::format("at most {} bytes", field.most);
    case list:
      return fmt::format("at most {}", field.most);
    case flag:
    case object:
    case logins:
    case any:
      return {};
  }
  return {};
}

const JsonField* find_field(std::span<const JsonField> request, std::string_view name) {
  const auto found = std::ranges::find(request, name, &JsonField::name);
  return found == request.end() || found->is_null ? nullptr : &*found;
}

const RequestField* field_with(const RequestForm& form, FieldUse use) {
  const auto found = std::ranges::find(form.fields, use, &RequestField::use);
  return found == form.fields.end() ? nullptr : &*found;
}

const JsonField* find_field(std::span<const JsonField> request, const RequestForm& form,
                            FieldUse use) {
  const RequestField* field = field_with(form, use);
  return field ? find_field(request, field->name) : nullptr;
}

}  // namespace haul
