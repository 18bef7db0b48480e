// The API as a Markdown page.

#include <fmt/core.h>

#include "api/json/openapi.h"
#include "api/json/operations.h"
#include "api/json/schema.h"
#include "api/routes.h"
#include "lifecycle/request.h"
#include "lifecycle/tables.h"

namespace haul::api {
namespace {

void append_rows(std::string& page, std::span<const RequestField> fields,
                 const std::string& prefix) {
  for (const RequestField& field : fields) {
    page += fmt::format("| `{}{}`{} | {} | {} | {} |\n", prefix, field.name,
                        field.required ? ", required" : "", name(field.type), values_of(field),
                        field.about);
    append_rows(page, field.within, fmt::format("{}{}.", prefix, field.name));
  }
}

std::string query_of(const Route& route) {
  std::string names;
  if (const Operation* operation = find_operation(route.method, route.pattern))
    read_members(operation->query, [&](const Member& member) {
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", member.name);
    });
  return names;
}

}  // namespace

std::string api_doc() {
  std::string page =
      "# The API\n\n"
      "`./dev docs` writes this page from the routes; a test compares it. Send a key in\n"
      "`X-Api-Key` or `Authorization: Bearer`. Lists are\n"
      "`{\"items\":[…],\"next\":cursor or null}`, errors\n"
      "`{\"code\",\"detail\",\"fields\"?,\"correlation_id\"}`.\n\n"
      "`/api/v1/openapi.json` and `haul api --json` describe all of it as OpenAPI 3.1: each\n"
      "parameter, body, answer, error and message of the event stream. A test generates a\n"
      "TypeScript client from it and runs it.\n\n"
      "| | path | query | needs | |\n|---|---|---|---|---|\n";
  for (const Route& route : routes())
    page += fmt::format("| {} | `{}` | {} | {} | {} |\n", route.method, route.pattern,
                        query_of(route), name(route.need), route.about);
  page +=
      "\n## Request fields of each lifecycle\n\n"
      "haul refuses an unknown field, a wrong type and a value outside its range. `fields` names\n"
      "the path, such as `request.filters.min_size` or `request.urls[3]`. No string may contain\n"
      "control characters; a `prompt` may contain tabs and newlines. The path of a file in the\n"
      "trash and in the `files` of an import may contain all but NUL: a torrent chooses the\n"
      "names of its files.\n";
  for (const Lifecycle* table : all_lifecycles()) {
    if (table->request.fields.empty()) continue;
    page += fmt::format("\n### {}\n| field | type | values | |\n|---|---|---|---|\n", table->name);
    append_rows(page, table->request.fields, "");
  }
  return page;
}

}  // namespace haul::api
