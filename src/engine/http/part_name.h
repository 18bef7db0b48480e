#pragma once
// What a part is called: whose it is can be read from its name, also by those who come later.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"

namespace haul {

struct PartOwner {
  JobId job;
  std::int64_t item = 0;
  std::int64_t fence = 0;  // Of the lease under which it was made.

  bool operator==(const PartOwner&) const = default;
};

// "photo.jpg.haul-3-14-1.part"; a number above 1 tells it from another of the same owner.
std::string part_name(const std::string& name, const PartOwner& owner, int number = 1);

// Nothing if it is no name of ours.
std::optional<PartOwner> owner_of_part(std::string_view name);

}  // namespace haul
