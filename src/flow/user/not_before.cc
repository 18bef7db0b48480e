#include "flow/user/not_before.h"

#include "base/iso_time.h"

namespace haul::flow {

std::expected<Time, std::string> read_not_before(std::string_view text, Time now) {
  const auto wait = read_duration(text);
  const auto at = wait ? std::optional{now + std::min(*wait, 2 * kNotBeforeMax)} : read_iso(text);
  if (!at)
    return std::unexpected{
        "expected a time such as 2026-02-03T04:05:06Z, or a duration such as 2h"};
  if (*at > now + kNotBeforeMax) return std::unexpected{"expected at most 366d from now"};
  return *at;
}

std::optional<Refusal> check_not_before(const AddRequest& to_add, Time now) {
  if (!to_add.not_before || *to_add.not_before > now) return std::nullopt;
  return Refusal{RefusalKind::guarded, "not_before_is_over",
                 "not_before: expected a time in the future"};
}

}  // namespace haul::flow
