#pragma once
// The fields that the request of a lifecycle may have. The check, the forms, the API description
// and the docs all read them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/short_list.h"

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

// What haul does with a field, besides passing it on.
enum class FieldUse : std::uint8_t {
  plain,
  address,      // A URL. The first one gives the job its host. haul moves logins out of it.
  logins,       // The logins that haul moved out of URLs.
  owner,        // The job belongs to the user that it names.
  engine,       // The engine that fetches it, which must be ready before haul takes the job.
  book,         // The id of the book that Effect::enter_book adds.
  book_title,   // The title of that book.
  folder,       // Must be below haul's own folder.
  category,     // Names a category of the configuration.
  server_file,  // Names a file of the server, so only admins may set it.
  trust,        // Weakens what haul checks, so only admins may set it.
};

// What the API shows of a field to everyone, also to the owner of the job.
enum class Secret : std::uint8_t {
  none,          // All of it.
  whole,         // Nothing but the names in an object, or the length of a list.
  header_value,  // A list of headers without their values.
  proxy_login,   // The address of a proxy without its login.
};

struct RequestField {
  std::string_view name;
  FieldType type;
  std::string_view about;
  bool required = false;
  // The range of a number. For a text, `most` limits bytes; for a list, elements; for a duration,
  // milliseconds. A text whose least is 0 may be empty, which leaves it unset.
  std::int64_t least = 0;
  std::int64_t most = 0;
  ShortList<std::string_view, 5> values{};  // A text, or each element of a list, is one of these.
  // Returns what is wrong with a text, a number or an element of a list; empty if it is valid.
  std::string (*wrong)(std::string_view text) = nullptr;
  std::span<const RequestField> within{};
  FieldUse use = FieldUse::plain;
  std::string_view initial{};  // The value of a request that does not set it, as JSON.
  bool in_forms = true;        // False: users do not fill it in.
  Secret secret = Secret::none;

  constexpr RequestField used_as(FieldUse its_use) const {
    RequestField field = *this;
    field.use = its_use;
    return field;
  }
  constexpr RequestField beginning_as(std::string_view json) const {
    RequestField field = *this;
    field.initial = json;
    return field;
  }
  constexpr RequestField hidden_as(Secret its_secret) const {
    RequestField field = *this;
    field.secret = its_secret;
    return field;
  }
  constexpr RequestField not_in_forms() const {
    RequestField field = *this;
    field.in_forms = false;
    return field;
  }
};

// What is wrong with a request.
struct RequestProblem {
  std::string code;
  std::string field;  // Its path in the request, such as "filters.min_size".
  std::string why;
};

struct RequestForm {
  std::span<const RequestField> fields{};
  // A rule between several fields.
  std::optional<RequestProblem> (*between)(std::span<const JsonField> request) = nullptr;
};

// The field of that name; nullptr if it is absent or null.
const JsonField* find_field(std::span<const JsonField> request, std::string_view name);

// The form's first field of that use; nullptr if it has none.
const RequestField* field_with(const RequestForm& form, FieldUse use);
// What the request has in that field; nullptr if it is absent or null.
const JsonField* find_field(std::span<const JsonField> request, const RequestForm& form,
                            FieldUse use);

// The values that a field takes: "0 to 64", "at most 200 bytes". Empty if the table sets no limit.
std::string values_of(const RequestField& field);

}  // namespace haul
