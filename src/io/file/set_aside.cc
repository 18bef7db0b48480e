#include "io/file/set_aside.h"

#include <fmt/core.h>

#include <utility>

namespace haul::io {

std::string find_set_aside(const Descriptor& folder, const std::string& name,
                           const std::string& aside) {
  if (name == aside || !seen_in(folder, aside)) return name;
  return move_entry({folder, aside}, {folder, name}) ? name : aside;
}

Result<void> set_aside(const EntryName& entry, const std::string& aside,
                       const IsWanted& is_wanted) {
  const bool is_aside = entry.name == aside;
  if (!is_aside)
    if (auto taken = take_entry(entry, {entry.folder, aside}); !taken) return taken;
  const auto seen = seen_in(entry.folder, aside);
  if (seen && is_wanted(*seen)) return {};
  std::string detail = "another file took its name while it was removed";
  if (!is_aside && !move_entry({entry.folder, aside}, entry))
    detail += fmt::format("; that file is called {} now", aside);
  return std::unexpected{Fault{FaultKind::rejected, "source_changed", std::move(detail)}};
}

}  // namespace haul::io
