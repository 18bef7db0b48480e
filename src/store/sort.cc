#include "store/sort.h"

#include <array>

namespace haul {
namespace {

constexpr std::array kSorts{JobSort::created, JobSort::moved, JobSort::ended, JobSort::priority};

}  // namespace

std::string_view name(JobSort sort) {
  switch (sort) {
    case JobSort::created:
      return "created";
    case JobSort::moved:
      return "moved";
    case JobSort::ended:
      return "ended";
    case JobSort::priority:
      return "priority";
  }
  return "";
}

std::optional<JobSort> sort_named(std::string_view text) {
  for (const JobSort sort : kSorts)
    if (name(sort) == text) return sort;
  return std::nullopt;
}

std::string sort_names() {
  std::string names;
  for (const JobSort sort : kSorts) {
    if (!names.empty()) names += sort == kSorts.back() ? " or " : ", ";
    names += name(sort);
  }
  return names;
}

}  // namespace haul
