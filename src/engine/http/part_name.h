#pragma once
// What a part is called: whose it is can be read from its name, also by those who come later.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"

namespace haul {

struct PartOwner {
  std::string store;  // The id of the store that has the job: two stores may share a folder.
  JobId job;
  std::int64_t item = 0;
  std::int64_t fence = 0;  // Of the lease under which it was made.

  bool operator==(const PartOwner&) const = default;
};

// "photo.jpg.haul-a1b2c3d4e5f6-3-14-1.part"; a number above 1 tells it from another of the same
// owner.
std::string part_name(const std::string& name, const PartOwner& owner, int number = 1);

// Nothing if it is no name of a part. A name without a store's id has no owner either.
std::optional<PartOwner> owner_of_part(std::string_view name);

// "a1b2c3d4e5f6-3-14-1": store, job, item and fence, as names on disk carry them.
std::string owner_text(const PartOwner& owner);
// Takes an owner, and the dash after it, off the front of the text.
std::optional<PartOwner> take_owner(std::string_view& text);
// Takes a number, and the dash after it, off the front of the text.
std::optional<std::int64_t> take_number(std::string_view& text);

}  // namespace haul
