#include "flow/image/judge.h"

#include <fmt/core.h>

#include "base/json.h"
#include "base/request_value.h"
#include "lifecycle/request.h"

namespace haul::flow {
namespace {

bool is_counted(const Intent& call, int attempt) {
  const auto fields = read_object(call.data);
  const JsonField* then = fields ? find_field(*fields, "attempt") : nullptr;
  const auto before = then ? read_whole(then->text) : std::nullopt;
  return before && *before < attempt;
}

}  // namespace

std::string PaidImage::to_json() const {
  return fmt::format(R"({{"path":{},"size":{}{}}})", json_quoted(path), size,
                     evidence.empty() ? "" : ",\"evidence\":" + evidence);
}

std::optional<PaidImage> read_paid_image(const std::string& json) {
  const auto fields = read_object(json);
  if (!fields) return std::nullopt;
  const JsonField* path = find_field(*fields, "path");
  const JsonField* size = find_field(*fields, "size");
  if (!path || !size) return std::nullopt;
  const auto bytes = read_whole(size->text);
  if (!bytes) return std::nullopt;
  const JsonField* evidence = find_field(*fields, "evidence");
  return PaidImage{path->text, *bytes, evidence ? evidence->json : std::string{}};
}

CallVerdict judge_call(const CallView& view) {
  using Act = CallVerdict::Act;
  if (view.step != Step::transfer) return {.act = Act::none};
  if (view.last && view.last->state == IntentState::done)
    if (auto image = read_paid_image(view.last->outcome))
      return {.act = Act::land, .image = *std::move(image)};
  if (!view.handle.empty()) return {.act = Act::ask};
  if (!view.last) return {.act = Act::pay};
  if (view.last->state == IntentState::open)
    return {.act = Act::doubt, .is_counted = is_counted(*view.last, view.attempt)};
  return {.act = Act::pay};
}

std::string call_data(int attempt) { return fmt::format(R"({{"attempt":{}}})", attempt); }

}  // namespace haul::flow
