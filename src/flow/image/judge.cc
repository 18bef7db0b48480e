#include "flow/image/judge.h"

#include <fmt/core.h>

#include "base/json.h"
#include "base/request_value.h"
#include "lifecycle/request.h"

namespace haul::flow {

std::string PaidImage::to_json() const {
  return fmt::format(R"({{"path":{},"size":{}}})", json_quoted(path), size);
}

std::optional<PaidImage> read_paid_image(const std::string& json) {
  const auto fields = read_object(json);
  if (!fields) return std::nullopt;
  const JsonField* path = find_field(*fields, "path");
  const JsonField* size = find_field(*fields, "size");
  if (!path || !size) return std::nullopt;
  const auto bytes = read_whole(size->text);
  if (!bytes) return std::nullopt;
  return PaidImage{path->text, *bytes};
}

CallVerdict judge_call(const CallView& view) {
  using Act = CallVerdict::Act;
  if (view.step != Step::transfer) return {.act = Act::none};
  if (!view.handle.empty()) return {.act = Act::ask};
  if (view.last && view.last->state == IntentState::done)
    if (auto image = read_paid_image(view.last->outcome))
      return {.act = Act::land, .image = *std::move(image)};
  return {.act = Act::pay};
}

}  // namespace haul::flow
