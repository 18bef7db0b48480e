#pragma once
// The names of parts. A name contains the part's owner, so that later leaseholders know whose it
// is.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"

namespace haul {
struct Order;  // seam/engine.h
}  // namespace haul

namespace haul::io {

inline constexpr std::string_view kPartEnd = ".part";

struct PartOwner {
  std::string store;  // Id of the store that has the job. Two stores may share a folder.
  JobId job;
  std::int64_t item = 0;
  std::int64_t fence = 0;  // Of the lease that created the part.

  // Whether an earlier leaseholder of the holder's job owns it. Any item of the job counts.
  bool is_before(const PartOwner& holder) const;
  bool operator==(const PartOwner&) const = default;
};

// The owner of what an order's work leaves. Item 0 if the order is about the whole job.
PartOwner owner_of(const Order& order);

// "photo.jpg.haul-a1b2c3d4e5f6-3-14-1.part". A number above 1 distinguishes parts of the same
// owner.
std::string part_name(const std::string& name, const PartOwner& owner, int number = 1);

// No value if it is no name of a part, or has no store id.
std::optional<PartOwner> owner_of_part(std::string_view name);

// "a1b2c3d4e5f6-3-14-1": store, job, item and fence, as used in file names.
std::string owner_text(const PartOwner& owner);
// Reads an owner and the dash after it, and removes both from the front of the text.
std::optional<PartOwner> take_owner(std::string_view& text);
// The same for a number.
std::optional<std::int64_t> take_number(std::string_view& text);

}  // namespace haul::io
