#include "io/file/destination.h"

#include <fmt/core.h>

#include <algorithm>

namespace haul::io {
namespace {

namespace fs = std::filesystem;

Barred barred_ids(const Destinations& rules) {
  std::vector<FolderId> ids;
  for (const fs::path& path : rules.barred)
    if (const auto id = folder_id(path)) ids.push_back(*id);
  return std::make_shared<const std::vector<FolderId>>(std::move(ids));
}

// "/in/" and "/in" name the same folder, but "/in/" has an empty last component. Drops it.
fs::path without_end(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

}  // namespace

Result<Folder> open_destination(const Destinations& rules, const fs::path& folder,
                                Folder::Missing missing) {
  const Barred barred = barred_ids(rules);
  if (rules.root.empty()) return Folder::open(folder, missing, barred);
  const fs::path root = without_end(rules.root);
  const fs::path wanted = without_end(folder);
  const auto [end, at] = std::mismatch(root.begin(), root.end(), wanted.begin(), wanted.end());
  if (end != root.end())
    return std::unexpected{Fault{
        FaultKind::rejected, "bad_folder",
        fmt::format("{} lies outside of the download folder {}", wanted.string(), root.string())}};
  auto opened = Folder::open(root, missing, barred);
  for (auto name = at; name != wanted.end() && opened; ++name)
    opened = opened->open_inside(name->string(), missing);
  return opened;
}

}  // namespace haul::io
