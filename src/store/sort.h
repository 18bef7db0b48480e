#pragma once
// The orders in which lists of jobs can be.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace haul {

// The latest or highest first, and the newest of equals first.
enum class JobSort : std::uint8_t {
  created,
  moved,
  ended,     // Only ended jobs.
  priority,  // Only open jobs.
};
std::string_view name(JobSort sort);
std::optional<JobSort> sort_named(std::string_view text);
// All names, for people: "created, moved, ended or priority".
std::string sort_names();

}  // namespace haul
