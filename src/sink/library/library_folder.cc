#include "sink/library/library_folder.h"

#include <fmt/core.h>

#include <utility>

#include "base/text.h"
#include "io/file/left_parts.h"
#include "sink/library/root_mark.h"

namespace haul::library {
namespace {

// The words of io::Folder are about downloads.
Fault folder_fault(const Fault& fault, const std::filesystem::path& root, const std::string& path) {
  if (fault.code != "bad_folder") return fault;
  return {FaultKind::environment, "bad_library_folder",
          fmt::format("{} is a link or a file: haul follows no links below {}; replace it by a "
                      "folder, or mount the other folder there",
                      printable((root / path).string()), root.string())};
}

}  // namespace

LibraryFolders::LibraryFolders(io::PartOwner holder, std::filesystem::path records)
    : holder_{std::move(holder)}, records_{std::move(records)} {}

Result<std::shared_ptr<const io::Folder>> LibraryFolders::open_folder(
    const std::filesystem::path& root, const std::string& path) const {
  auto at = io::Folder::open(root, io::Folder::Missing::fault);
  if (!at) return std::unexpected{at.error()};
  const auto open_at = io::open_root(at->held_path());
  if (!open_at) return std::unexpected{open_at.error()};
  if (auto used = use_root(records_, *open_at, root); !used) return std::unexpected{used.error()};
  if (!path.empty()) {
    const auto names = io::components_of(path);
    if (!names)
      return std::unexpected{Fault{FaultKind::rejected, "bad_path",
                                   printable(path) + " is no path below the library"}};
    for (auto name = names->begin(); name != names->end() && at; ++name)
      at = at->open_inside(*name, io::Folder::Missing::create);
    if (!at) return std::unexpected{folder_fault(at.error(), root, path)};
  }
  return std::make_shared<const io::Folder>(*std::move(at));
}

Result<const LibraryFolder*> LibraryFolders::open(const std::filesystem::path& root,
                                                  const std::string& path) {
  const std::string key = (root / path).string();
  if (const auto known = open_.find(key); known != open_.end()) return &known->second;
  auto folder = open_folder(root, path);
  if (!folder) return std::unexpected{folder.error()};
  auto fd = io::open_root((*folder)->held_path());
  if (!fd) return std::unexpected{fd.error()};
  io::remove_left_parts(**folder, holder_);
  const auto made = open_.try_emplace(key, *std::move(folder), *std::move(fd)).first;
  return &made->second;
}

Result<void> LibraryFolders::flush() const {
  for (const auto& [key, opened] : open_)
    if (auto flushed = opened.folder->flush(); !flushed) return flushed;
  return {};
}

}  // namespace haul::library
