#include "io/file/destination.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

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

// The components of a folder below a root. No value if the folder lies outside of the root.
std::optional<std::vector<std::string>> below(const fs::path& root, const fs::path& folder) {
  const auto [end, at] = std::mismatch(root.begin(), root.end(), folder.begin(), folder.end());
  if (end != root.end()) return std::nullopt;
  std::vector<std::string> names;
  for (auto name = at; name != folder.end(); ++name) names.push_back(name->string());
  return names;
}

// A root, and how haul goes from it to the folder.
struct Way {
  fs::path root;
  std::vector<std::string> names;
  Folder::Missing root_missing = Folder::Missing::fault;
};

std::optional<Way> way_to(const Destinations& rules, const fs::path& folder,
                          Folder::Missing missing) {
  const fs::path root = without_end(rules.root);
  if (auto names = below(root, folder)) return Way{root, *std::move(names), missing};
  for (const fs::path& each : rules.also) {
    const fs::path other = without_end(each);
    if (auto names = below(other, folder)) return Way{other, *std::move(names)};
  }
  return std::nullopt;
}

}  // namespace

Result<Folder> open_destination(const Destinations& rules, const fs::path& folder,
                                Folder::Missing missing) {
  const Barred barred = barred_ids(rules);
  if (rules.root.empty()) return Folder::open(folder, missing, barred);
  const fs::path wanted = without_end(folder);
  const auto way = way_to(rules, wanted, missing);
  if (!way)
    return std::unexpected{Fault{FaultKind::rejected, "bad_folder",
                                 fmt::format("{} lies outside of the download folder {}",
                                             wanted.string(), without_end(rules.root).string())}};
  auto opened = Folder::open(way->root, way->root_missing, barred);
  for (const std::string& name : way->names)
    if (opened) opened = opened->open_inside(name, missing);
  return opened;
}

}  // namespace haul::io
