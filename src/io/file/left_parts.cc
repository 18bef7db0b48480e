#include "io/file/left_parts.h"

namespace haul::io {

LeftParts find_parts(const Folder& folder, const std::function<bool(const PartOwner&)>& is_wanted) {
  LeftParts found;
  for (std::string& name : folder.names(kPartEnd))
    if (const auto owner = owner_of_part(name); owner && is_wanted(*owner))
      found[owner->item].push_back(std::move(name));
  return found;
}

void remove_left_parts(const Folder& folder, const PartOwner& holder) {
  const auto is_left = [&holder](const PartOwner& owner) {
    return owner.store == holder.store && owner.job == holder.job && owner.fence <= holder.fence;
  };
  for (const auto& [item, parts] : find_parts(folder, is_left))
    for (const std::string& part : parts) folder.remove(part);
}

void remove_kept_part(const Folder& folder, const Checkpoint& kept) {
  if (kept.part.empty()) return;
  const auto mark = folder.find(kept.part);
  if (mark && mark->inode == kept.inode) folder.remove(kept.part);
}

}  // namespace haul::io
