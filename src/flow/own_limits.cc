#include "flow/own_limits.h"

#include <algorithm>

#include "base/request_value.h"
#include "flow/request_check.h"

namespace haul {

std::expected<OwnLimits, Refusal> read_own_limits(std::span<const JsonField> request) {
  OwnLimits own;
  const auto limits = std::ranges::find(request, "limits", &JsonField::name);
  if (limits == request.end() || limits->is_null) return own;
  if (auto wrong = check_limits(*limits)) return std::unexpected{*std::move(wrong)};
  const auto fields = read_object(limits->json);
  if (!fields) return own;  // check_limits has refused it.
  for (const JsonField& field : *fields) {
    if (field.name == "per_host")
      own.at_once = static_cast<std::size_t>(read_whole(field.json).value_or(0));
    if (field.name == "delay") own.apart = read_duration(field.text).value_or(Millis{0});
  }
  return own;
}

}  // namespace haul
