#pragma once
// Removes a file that another program may exchange for another at any moment. Its entry is first
// moved to a name that only haul uses, and looked at there: what haul looks at is what it removes.

#include <functional>
#include <string>

#include "io/file/beneath.h"
#include "io/file/entries.h"

namespace haul::io {

// A removal that was cut off may have left the file aside: it goes back to its name. Returns the
// name that it has then. That is the aside name, if its own name is taken by now.
std::string find_set_aside(const Descriptor& folder, const std::string& name,
                           const std::string& aside);

// Moves the entry aside. Another file that took its name meanwhile goes back: fault
// `source_changed` (rejected).
using IsWanted = std::function<bool(const EntrySeen& seen)>;
[[nodiscard]] Result<void> set_aside(const EntryName& entry, const std::string& aside,
                                     const IsWanted& is_wanted);

}  // namespace haul::io
