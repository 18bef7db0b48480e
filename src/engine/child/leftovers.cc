#include "engine/child/leftovers.h"

#include "engine/child/staging.h"
#include "io/file/left_parts.h"

namespace haul::child {

void remove_leftovers(const io::Folder& folder,
                      const std::function<bool(const io::PartOwner&)>& is_over) {
  for (const auto& [item, parts] : io::find_parts(folder, is_over))
    for (const std::string& part : parts) folder.remove(part);
  for (const std::string& name : folder.names(kStagingEnd))
    if (const auto owner = owner_of_staging(name); owner && is_over(*owner))
      remove_staging(folder.held_path(), name);
}

}  // namespace haul::child
