#include "io/file/source_look.h"

#include <fmt/core.h>

#include <utility>

#include "base/path_map.h"
#include "base/text.h"
#include "io/file/beneath.h"

namespace haul::io {
namespace {

namespace fs = std::filesystem;

std::unexpected<Fault> environment(std::string_view code, std::string detail) {
  return std::unexpected{Fault{FaultKind::environment, std::string{code}, std::move(detail)}};
}

}  // namespace

const fs::path* root_of(const fs::path& path, std::span<const fs::path> roots) {
  const fs::path* found = nullptr;
  for (const fs::path& root : roots)
    if (is_inside(path, root) && (!found || root.native().size() > found->native().size()))
      found = &root;
  return found;
}

Result<SourceFile> SourceLooker::look(const fs::path& root, const fs::path& path,
                                      std::int64_t size) {
  SourceFile file{.root = root.string(), .path = path.lexically_relative(root).string()};
  const SplitPath split = split_path(file.path);
  const auto folder = open(root, split.folder);
  if (!folder) return std::unexpected{folder.error()};
  const auto seen = seen_in(**folder, split.name);
  const std::string shown = printable(path.string());
  if (!seen) return environment("asset_pending", shown + " does not exist");
  if (seen->is != EntrySeen::Is::file)
    return environment("path_refused", shown + " is no regular file");
  if (seen->size != size)
    return environment("size_differs", fmt::format("{} has {} bytes, but {} says {}", shown,
                                                   seen->size, fetcher_, size));
  file.device = seen->device;
  file.inode = seen->inode;
  file.size = seen->size;
  file.mtime_ns = seen->mtime_ns;
  return file;
}

Result<const Descriptor*> SourceLooker::open(const fs::path& root, const std::string& folder) {
  const fs::path key = root / folder;
  if (const auto known = folders_.find(key); known != folders_.end()) return &known->second;
  auto top = open_root(root);
  if (!top) return environment("asset_pending", top.error().detail);
  auto opened = open_folder_beneath(*top, folder, Mounts::cross);
  if (!opened)
    return environment(opened.error().code == "not_found" ? "asset_pending" : "path_refused",
                       opened.error().detail);
  if (folders_.size() >= kOpenMax) folders_.clear();
  return &folders_.emplace(key, std::move(*opened)).first->second;
}

}  // namespace haul::io
