// Handlers that describe lifecycles and the API itself.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/read_request.h"
#include "api/json/lifecycle_json.h"
#include "api/json/openapi.h"
#include "base/json.h"
#include "lifecycle/render.h"
#include "lifecycle/request.h"
#include "lifecycle/tables.h"

namespace haul::api {
namespace {

// The table as `haul lifecycle --json` prints it, with the daemon's categories, the price of its
// jobs, and what must be configured before this daemon can run them (Z-30).
std::string form(const ApiParts& parts, const Lifecycle& table) {
  const Lifecycle* one = &table;
  std::string json = to_json(std::span{&one, 1}, parts.settings.stuck, &parts.categories);
  json = json.substr(json.find('{'), json.rfind('}') - json.find('{'));
  while (json.ends_with('\n') || json.ends_with(' ')) json.pop_back();
  const std::string lack =
      flow::is_ready(parts.work, table) ? std::string{} : flow::not_ready(parts.work, table);
  const flow::LifecycleWork* work = flow::find_work(parts.work, table);
  const std::string price = work && work->price
                                ? fmt::format(R"(,"price":{},"refunds_rejected":{})", *work->price,
                                              work->refunds_rejected)
                                : std::string{};
  return json + price + ",\"not_ready\":" + json_quoted(lack) + "}";
}

}  // namespace

namespace handle {

ApiReply list_lifecycles(const ApiParts& parts, const Call&) {
  std::vector<std::string> items;
  for (const Lifecycle* table : all_lifecycles()) items.push_back(form(parts, *table));
  return list_reply(items, 0);
}

ApiReply show_lifecycle(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"format"})) return std::unexpected{*error};
  const Lifecycle* table = find_lifecycle(call.word());
  if (!table)
    return std::unexpected{ApiError{404, "no_such_lifecycle", "there is no such lifecycle"}};
  const std::string_view format = call.request.query("format");
  if (format.empty() || format == "json") return json_reply(200, form(parts, *table));
  if (format == "mermaid") return text_reply(to_mermaid(*table));
  if (format == "svg") return text_reply(to_svg(*table), "image/svg+xml");
  return std::unexpected{wrong_field("format", "expected json, mermaid or svg")};
}

ApiReply openapi(const ApiParts& parts, const Call&) {
  return json_reply(200, openapi_json(parts.version));
}

}  // namespace handle
}  // namespace haul::api
