#include "engine/linked/linked_files.h"

#include <chrono>

#include "base/path_map.h"
#include "base/request_value.h"
#include "base/text.h"
#include "io/file/beneath.h"
#include "io/file/entries.h"
#include "io/file/source_look.h"

namespace haul::linked {
namespace {

namespace fs = std::filesystem;

bool is_not_found(const Fault& fault) { return fault.code == "not_found"; }

Fault not_mounted(const fs::path& root) {
  return {FaultKind::environment, "root_not_mounted",
          printable(root.string()) + " is gone or empty: mount its disk again"};
}

// Why a file that a job has put into its place is not seen there. No other program moves it, so it
// does not come back by itself. An empty root may be a disk that is not mounted.
Fault why_unseen(const fs::path& root, const fs::path& path, const Fault& seen) {
  const auto top = io::open_root(root);
  if (!top) return top.error().code == "folder_gone" ? not_mounted(root) : seen;
  if (io::names_in(*top, 1).empty()) return not_mounted(root);
  const io::SplitPath split = io::split_path(path.lexically_relative(root).string());
  const auto folder = io::open_folder_beneath(*top, split.folder, io::Mounts::cross);
  if (!folder && !is_not_found(folder.error())) return seen;
  if (folder) {
    const auto entry = io::look_in(*folder, split.name);
    if (entry || !is_not_found(entry.error())) return seen;
  }
  return {FaultKind::permanent, "missing_files",
          printable(path.string()) + " is gone; a retry fetches it again"};
}

// "haul-a1b2c3d4e5f6-7" or "haul-a1b2c3d4e5f6-7-1".
bool is_name_for(const std::string& name, const std::string& tag) {
  if (name == tag) return true;
  if (!name.starts_with(tag + "-")) return false;
  const std::string life = name.substr(tag.size() + 1);
  const auto number = read_whole(life);
  return number && *number > 0 && std::to_string(*number) == life;
}

}  // namespace

Result<std::vector<SourceFile>> look_at_files(Roots roots, const std::vector<LinkedFile>& files) {
  io::SourceLooker looker{"the linked job"};
  std::vector<SourceFile> sources;
  for (const LinkedFile& file : files) {
    const auto path = clean_path(file.path);
    const fs::path* root = path ? io::root_of(*path, roots) : nullptr;
    if (!path || !root)
      return std::unexpected{Fault{FaultKind::environment, "path_refused",
                                   printable(file.path) + " lies beneath no download_root"}};
    auto source = looker.look(*root, *path, file.size);
    if (!source && source.error().code == "asset_pending")
      return std::unexpected{why_unseen(*root, *path, source.error())};
    if (!source) return std::unexpected{source.error()};
    sources.push_back(*std::move(source));
  }
  if (sources.empty())
    return std::unexpected{
        Fault{FaultKind::environment, "no_files", "the linked job has fetched no file"}};
  return sources;
}

// Another file may get the inode of one that was removed, so the time counts, too.
bool is_as_fetched(const SourceFile& seen, const LinkedFile& fetched) {
  const Time written{
      std::chrono::floor<Millis>(std::chrono::nanoseconds{seen.mtime_ns})};  // As the store's.
  return fetched.inode != 0 && seen.inode == fetched.inode && seen.size == fetched.size &&
         written >= fetched.begun_at && written <= fetched.landed_at;
}

void remove_empty_folder(Roots roots, const std::string& folder, const std::string& tag) {
  const auto path = clean_path(folder);
  const fs::path* root = path ? io::root_of(*path, roots) : nullptr;
  if (!path || !root) return;
  const std::string name = fs::path{*path}.lexically_relative(*root).string();
  if (!is_name_for(name, tag)) return;
  if (const auto top = io::open_root(*root)) io::remove_empty_folder({*top, name});
}

}  // namespace haul::linked
