#include "store/rules/request_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/request_value.h"
#include "base/text.h"
#include "base/time.h"
#include "base/url.h"
#include "base/utf8.h"
#include "lifecycle/request.h"
#include "lifecycle/request_values.h"

namespace haul::rules {
namespace {

using Wrong = std::optional<Refusal>;

constexpr std::size_t kQuotedMax = 60;  // Bytes of a refused value that an error repeats.

Wrong refuse(std::string_view code, const std::string& path, const std::string& why) {
  return Refusal{RefusalKind::guarded, std::string{code}, path + ": " + why, path};
}

bool is_string(std::string_view json) { return json.starts_with('"'); }

bool is_whole(std::string_view json) {
  return json.find_first_not_of("-0123456789") == std::string_view::npos;
}

bool is_text(FieldType type) { return type == FieldType::text || type == FieldType::lines; }

std::string in_quotes(std::string_view text) {
  std::string_view shown = text.substr(0, kQuotedMax);
  while (!is_utf8(shown)) shown.remove_suffix(1);
  return "\"" + printable(shown) + (shown.size() < text.size() ? "…\"" : "\"");
}

// NUL is the worst: it ends a path early for the operating system.
bool has_control(std::string_view text, FieldType type) {
  return haul::has_control(text, type == FieldType::lines ? "\t\n" : "");
}

// Index of the first element that is not a string, in a list in canonical JSON.
std::optional<std::size_t> first_other(std::string_view json) {
  std::size_t index = 0;
  for (std::size_t at = 1; at < json.size() && json[at] != ']'; ++index) {
    if (json[at] != '"') return index;
    for (++at; json[at] != '"';) at += json[at] == '\\' ? 2 : 1;
    at += json[at + 1] == ',' ? 2 : 1;
  }
  return std::nullopt;
}

Wrong check_fields(std::span<const RequestField> known, std::span<const JsonField> fields,
                   const std::string& prefix);

Wrong check_text(const RequestField& field, const std::string& text, const std::string& path) {
  if (has_control(text, field.type))
    return refuse("bad_request", path, "control characters are not allowed");
  const bool is_element = field.type == FieldType::list;
  if (!is_element && text.size() > static_cast<std::size_t>(field.most))
    return refuse("bad_request", path, fmt::format("at most {} bytes", field.most));
  if (!field.values.empty() && !field.values.contains(text))
    return refuse("bad_request", path,
                  fmt::format("{} is not one of {}", in_quotes(text), values_of(field)));
  if (!field.wrong) return std::nullopt;
  const std::string why = field.wrong(text);
  if (why.empty()) return std::nullopt;
  return refuse(code_for(field.wrong, text), path, why);
}

Wrong check_number(const RequestField& field, const JsonField& given, const std::string& path) {
  std::int64_t value = 0;
  const char* end = given.json.data() + given.json.size();
  const auto [at, error] = std::from_chars(given.json.data(), end, value);
  const bool is_huge = error == std::errc::result_out_of_range && at == end;
  if (!is_huge && (error != std::errc{} || at != end))
    return refuse("wrong_type", path, "expected a whole number");
  if (is_huge || value < field.least || value > field.most)
    return refuse("bad_request", path,
                  fmt::format("expected a whole number from {} to {}", field.least, field.most));
  const std::string why = field.wrong ? field.wrong(given.json) : std::string{};
  if (!why.empty()) return refuse("bad_request", path, why);
  return std::nullopt;
}

Wrong check_duration(const RequestField& field, const JsonField& given, const std::string& path) {
  constexpr const char* kWanted = "expected a duration such as 500ms or 2s, or 0";
  const bool has_type = given.json == "0" || (is_string(given.json) && !is_unset(given));
  if (!has_type) return refuse("wrong_type", path, kWanted);
  const auto duration = read_duration(given.text);
  if (!duration) return refuse("bad_request", path, kWanted);
  if (duration->count() < field.least || duration->count() > field.most)
    return refuse(
        "bad_request", path,
        fmt::format("expected a duration from {} to {}", duration_text(Millis{field.least}),
                    duration_text(Millis{field.most})));
  return std::nullopt;
}

Wrong check_list(const RequestField& field, const JsonField& given, const std::string& path) {
  if (!given.json.starts_with('[')) return refuse("wrong_type", path, "expected a list");
  if (const auto other = first_other(given.json))
    return refuse("wrong_type", fmt::format("{}[{}]", path, *other), "expected a string");
  const auto elements = read_array(given.json);
  if (!elements) return refuse(elements.error().code, path, elements.error().detail);
  if (elements->size() < static_cast<std::size_t>(field.least))
    return refuse("bad_request", path, "expected at least one element");
  if (elements->size() > static_cast<std::size_t>(field.most))
    return refuse("bad_request", path, fmt::format("at most {} elements", field.most));
  for (std::size_t i = 0; i < elements->size(); ++i) {
    const bool is_fine = field.wrong && field.values.empty() &&
                         !has_control((*elements)[i], field.type) &&
                         field.wrong((*elements)[i]).empty();
    if (is_fine) continue;  // Builds no path for valid elements.
    if (auto wrong = check_text(field, (*elements)[i], fmt::format("{}[{}]", path, i)))
      return wrong;
  }
  return std::nullopt;
}

Wrong check_logins(const RequestField& field, const JsonField& given, const std::string& path) {
  const auto logins = read_object(given.json);
  if (!logins) return refuse("wrong_type", path, "expected an object");
  if (logins->size() > static_cast<std::size_t>(field.most))
    return refuse("bad_request", path, fmt::format("at most {} logins", field.most));
  for (const JsonField& login : *logins) {
    if (login.is_null) continue;
    const std::string where = fmt::format("{}[{}]", path, in_quotes(login.name));
    const auto url = parse_url(login.name);
    if (!url || url->origin() != login.name)
      return refuse("bad_request", where, "expected an origin such as https://host");
    if (!is_string(login.json) || login.text.empty())
      return refuse("wrong_type", where, "expected \"user:password\"");
    if (has_control(login.text, FieldType::text) || login.text.size() > 4'096)
      return refuse("bad_request", where, "at most 4096 bytes without control characters");
  }
  return std::nullopt;
}

Wrong check_any(const RequestField& field, const JsonField& given, const std::string& path) {
  if (!given.json.starts_with('{')) return refuse("wrong_type", path, "expected an object");
  if (given.json.size() > static_cast<std::size_t>(field.most))
    return refuse("bad_request", path, fmt::format("at most {} bytes", field.most));
  if (has_control_within(given.json))
    return refuse("bad_request", path, "control characters are not allowed");
  return std::nullopt;
}

Wrong check_object(std::span<const RequestField> known, const JsonField& given,
                   const std::string& path) {
  const auto inner = read_object(given.json);
  if (!inner) return refuse("wrong_type", path, "expected an object");
  return check_fields(known, *inner, path + ".");
}

Wrong check_field(const RequestField& field, const JsonField& given, const std::string& path) {
  switch (field.type) {
    case FieldType::text:
    case FieldType::lines:
      if (!is_string(given.json)) return refuse("wrong_type", path, "expected a string");
      return check_text(field, given.text, path);
    case FieldType::id:
      if (is_string(given.json) || is_whole(given.json)) return check_text(field, given.text, path);
      return refuse("wrong_type", path, "expected a string or a whole number");
    case FieldType::number:
      return check_number(field, given, path);
    case FieldType::flag:
      if (given.json == "true" || given.json == "false") return std::nullopt;
      return refuse("wrong_type", path, "expected true or false");
    case FieldType::duration:
      return check_duration(field, given, path);
    case FieldType::list:
      return check_list(field, given, path);
    case FieldType::object:
      return check_object(field.within, given, path);
    case FieldType::logins:
      return check_logins(field, given, path);
    case FieldType::any:
      return check_any(field, given, path);
  }
  return std::nullopt;
}

Wrong unknown(std::span<const RequestField> known, const std::string& name,
              const std::string& prefix) {
  std::vector<std::string_view> names;
  for (const RequestField& field : known) names.push_back(field.name);
  const std::string_view like = nearest(name, names);
  return refuse(
      "unknown_field", prefix + printable(name),
      like.empty() ? "unknown field" : fmt::format("unknown field; did you mean '{}'?", like));
}

Wrong check_fields(std::span<const RequestField> known, std::span<const JsonField> fields,
                   const std::string& prefix) {
  for (const JsonField& given : fields)
    if (std::ranges::find(known, given.name, &RequestField::name) == known.end())
      return unknown(known, given.name, prefix);
  for (const RequestField& field : known) {
    const JsonField* given = find_field(fields, field.name);
    if (field.required && (!given || given->text.empty()))
      return refuse("missing_field", prefix + std::string{field.name}, "required");
  }
  for (const RequestField& field : known) {
    const JsonField* given = find_field(fields, field.name);
    if (!given) continue;
    if (is_text(field.type) && field.least == 0 && is_unset(*given)) continue;
    if (auto wrong = check_field(field, *given, prefix + std::string{field.name})) return wrong;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_request(const Lifecycle& lifecycle,
                                     std::span<const JsonField> fields) {
  const RequestForm& form = lifecycle.request;
  if (auto wrong = check_fields(form.fields, fields, "")) return wrong;
  const auto problem = form.between ? form.between(fields) : std::nullopt;
  return problem ? refuse(problem->code, problem->field, problem->why) : std::nullopt;
}

std::optional<Refusal> check_value(std::span<const RequestField> within, const JsonField& given) {
  return check_object(within, given, given.name);
}

std::optional<Refusal> check_request(const Lifecycle& lifecycle, std::string_view request) {
  const auto fields = read_object(request);
  if (fields) return check_request(lifecycle, *fields);
  return Refusal{RefusalKind::guarded, fields.error().code, fields.error().detail};
}

}  // namespace haul::rules
