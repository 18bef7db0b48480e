#include "flow/batch/request_limits.h"

#include "base/request_value.h"
#include "lifecycle/batch_request.h"
#include "store/rules/request_check.h"

namespace haul::flow {

std::expected<OwnLimits, Refusal> read_own_limits(std::span<const JsonField> request) {
  OwnLimits own;
  const JsonField* limits = find_field(request, "limits");
  if (!limits) return own;
  if (auto wrong = rules::check_value(limit_fields(), *limits))
    return std::unexpected{*std::move(wrong)};
  const auto fields = read_object(limits->json);
  if (!fields) return own;  // check_value has refused it.
  for (const JsonField& field : *fields) {
    if (field.name == "per_host")
      own.at_once = static_cast<std::size_t>(read_whole(field.json).value_or(0));
    if (field.name == "retries")
      if (const auto retries = read_whole(field.json)) own.retries = static_cast<int>(*retries);
    if (field.name == "delay") own.apart = read_duration(field.text).value_or(Millis{0});
  }
  return own;
}

}  // namespace haul::flow
