#include "engine/child/leftovers.h"

#include "engine/child/staging.h"

namespace haul {

void remove_leftovers(const Folder& folder, const std::function<bool(const PartOwner&)>& is_over) {
  for (const std::string& name : folder.names(".part"))
    if (const auto owner = owner_of_part(name); owner && is_over(*owner)) folder.remove(name);
  for (const std::string& name : folder.names(kStagingEnd))
    if (const auto owner = owner_of_staging(name); owner && is_over(*owner))
      remove_staging(folder.held_path(), name);
}

}  // namespace haul
