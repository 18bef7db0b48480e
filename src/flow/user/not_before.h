#pragma once
// The time before which a user's job does not begin. Pure.

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "flow/user/user.h"

namespace haul::flow {

inline constexpr Millis kNotBeforeMax{std::chrono::hours{24 * 366}};

// Reads a time such as 2026-02-03T04:05:06Z, or a duration from now such as 2h. Else says what is
// expected.
std::expected<Time, std::string> read_not_before(std::string_view text, Time now);

// Refuses a time that is over. Not an error of the text: a request that is repeated later still
// finds its job (A4-9).
std::optional<Refusal> check_not_before(const AddRequest& to_add, Time now);

}  // namespace haul::flow
