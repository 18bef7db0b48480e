#include "sink/library/set_aside.h"

#include <fmt/core.h>

namespace haul::library {

std::string aside_name(const TrashOwner& owner, std::int64_t inode) {
  return fmt::format(".haul-clean-{}-{}", owner.folder(), inode);
}

}  // namespace haul::library
