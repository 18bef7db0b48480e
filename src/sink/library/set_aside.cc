#include "sink/library/set_aside.h"

#include <fmt/core.h>

#include <utility>

namespace haul::library {

std::string aside_name(const TrashOwner& owner, std::int64_t inode) {
  return fmt::format(".haul-clean-{}-{}", owner.folder(), inode);
}

std::string find_set_aside(const io::Descriptor& folder, const std::string& name,
                           const std::string& aside) {
  if (name == aside || !io::seen_in(folder, aside)) return name;
  return io::move_entry({folder, aside}, {folder, name}) ? name : aside;
}

Result<void> set_aside(const io::EntryName& entry, const std::string& aside,
                       const IsWanted& is_wanted) {
  const bool is_aside = entry.name == aside;
  if (!is_aside)
    if (auto taken = io::take_entry(entry, {entry.folder, aside}); !taken) return taken;
  const auto seen = io::seen_in(entry.folder, aside);
  if (seen && is_wanted(*seen)) return {};
  std::string detail = "another file took its name while it was removed";
  if (!is_aside && !io::move_entry({entry.folder, aside}, entry))
    detail += fmt::format("; that file is called {} now", aside);
  return std::unexpected{Fault{FaultKind::rejected, "source_changed", std::move(detail)}};
}

}  // namespace haul::library
