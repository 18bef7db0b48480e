#include "sink/library/copies.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "sink/library/source.h"

namespace haul::library {
namespace {

namespace fs = std::filesystem;

bool is_same_entry(const io::EntrySeen& folder, const std::string& name,
                   const SourceEntry& source) {
  return io::is_same_file(folder, source.folder) && name == source.name;
}

// Whether another file is mounted on the name. Its bytes lie elsewhere, perhaps where the source
// is, and are gone from here with the mount.
bool is_only_mounted(const io::Descriptor& folder, const std::string& name) {
  const auto file = io::open_file_beneath(folder, name, io::Mounts::stay);
  return !file && file.error().code == "other_file_system";
}

// The folder is not there, or no folder. False also if the disk does not say.
bool is_folder_gone(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  using enum fs::file_type;
  return type != none && type != unknown && type != directory;
}

// Fault `not_found` if the folder is gone.
Result<io::Descriptor> open_folder_of(const fs::path& path) {
  auto folder = io::open_root(path.parent_path());
  if (!folder && is_folder_gone(path.parent_path())) folder.error().code = "not_found";
  return folder;
}

}  // namespace

LibraryCopies::LibraryCopies(std::span<const PlacedFile> placed, std::string_view evidence,
                             KnownHashes& hashes)
    : hashes_{hashes} {
  std::map<std::string, LandedFile> landed;
  for (LandedFile& file : read_evidence(evidence)) landed.emplace(file.path, std::move(file));
  copies_.reserve(placed.size());
  for (const PlacedFile& file : placed) {
    Copy copy = look(file);
    if (const auto known = landed.find(file.path); known != landed.end())
      copy.landed = known->second;
    copies_.push_back(std::move(copy));
  }
}

// The name itself must be a file: a link to the source would be lost with it.
LibraryCopies::Copy LibraryCopies::look(const PlacedFile& file) {
  Copy copy{.placed = file};
  const fs::path path{file.path};
  copy.name = path.filename().string();
  copy.wrong = "is gone";
  if (!path.is_absolute() || !io::components_of(copy.name)) return copy;
  const auto folder = open_folder_of(path);
  const auto seen = folder ? io::look_in(*folder, copy.name) : std::unexpected{folder.error()};
  if (!seen && seen.error().code == "not_found") return copy;
  if (!seen) {
    copy.wrong = "cannot be looked at";
    copy.fault = Fault{FaultKind::environment, seen.error().code, seen.error().detail};
    return copy;
  }
  copy.wrong.clear();
  copy.folder = io::seen_of(*folder);
  copy.seen = *seen;
  if (seen->is != io::EntrySeen::Is::file) copy.wrong = "is no regular file";
  if (copy.wrong.empty() && seen->size != file.size)
    copy.wrong = fmt::format("has {} bytes, not {}", seen->size, file.size);
  if (copy.wrong.empty() && is_only_mounted(*folder, copy.name))
    copy.wrong = "is only mounted there";
  return copy;
}

std::vector<PlacedFile> LibraryCopies::present() const {
  std::vector<PlacedFile> files;
  for (const Copy& copy : copies_)
    if (copy.wrong.empty()) files.push_back(copy.placed);
  return files;
}

std::string LibraryCopies::missing() const {
  for (const Copy& copy : copies_)
    if (!copy.wrong.empty()) return fmt::format("{} {}", printable(copy.placed.path), copy.wrong);
  return {};
}

std::optional<Fault> LibraryCopies::unseen() const {
  const auto found =
      std::ranges::find_if(copies_, [](const Copy& copy) { return copy.fault.has_value(); });
  return found == copies_.end() ? std::nullopt : found->fault;
}

Result<io::File> LibraryCopies::open(const Copy& copy) {
  const auto folder = io::open_root(fs::path{copy.placed.path}.parent_path());
  if (!folder) return std::unexpected{folder.error()};
  return io::open_file_beneath(*folder, copy.name, io::Mounts::stay);
}

Result<io::File> LibraryCopies::open_unchanged(const Copy& copy) {
  auto file = open(copy);
  if (file && io::seen_of(*file) != copy.seen)
    return std::unexpected{Fault{FaultKind::retryable, "copy_changed",
                                 printable(copy.placed.path) + " changes while haul reads it"}};
  return file;
}

// Called again after the film was read, which takes minutes. Opens the file, because a network file
// system may list a name that is gone.
bool LibraryCopies::is_still_there(const Copy& copy) {
  const auto file = open(copy);
  if (!file) return false;
  const io::EntrySeen now = io::seen_of(*file);
  return io::is_same_file(now, copy.seen) && now.size == copy.placed.size;
}

Result<std::string> LibraryCopies::hash_of(const Copy& copy, const io::CopyWatch& watch) {
  const auto file = open_unchanged(copy);
  if (!file) return std::unexpected{file.error()};
  return hashes_.of(*file, watch);
}

// The source has not changed since it was listed, so the hash that the import computed is still
// right.
Result<bool> LibraryCopies::has_bytes(const Copy& copy, const SourceEntry& source,
                                      const io::CopyWatch& watch) {
  const auto ours = hash_of(copy, watch);
  if (!ours) return std::unexpected{ours.error()};
  const bool is_of_source =
      copy.landed.source == source.listed.path && copy.landed.size == source.listed.size;
  if (is_of_source && !copy.landed.sha256.empty()) return *ours == copy.landed.sha256;
  const auto file = source.open();
  if (!file) return std::unexpected{file.error()};
  const auto theirs = hashes_.of(*file, watch);
  if (!theirs) return std::unexpected{theirs.error()};
  return *ours == *theirs;
}

Result<LibraryCopies::Has> LibraryCopies::look_for(const SourceEntry& source,
                                                   const io::CopyWatch& watch) {
  found_ = nullptr;
  std::vector<const Copy*> alike;
  for (const Copy& copy : copies_)
    if (copy.wrong.empty() && copy.placed.size == source.listed.size) alike.push_back(&copy);
  if (alike.empty()) return Has::nothing_alike;
  for (const Copy* copy : alike)
    if (is_same_entry(copy->folder, copy->name, source)) return Has::its_own_name;
  const auto is_found = [this](const Copy* copy) {
    if (is_still_there(*copy)) found_ = copy;
    return found_ != nullptr;
  };
  for (const Copy* copy : alike)
    if (io::is_same_file(copy->seen, source.seen) && is_found(copy)) return Has::bytes;
  // The one that was made from this source is most likely the one.
  std::ranges::stable_partition(
      alike, [&](const Copy* copy) { return copy->landed.source == source.listed.path; });
  for (const Copy* copy : alike) {
    const auto has = has_bytes(*copy, source, watch);
    if (!has) return std::unexpected{has.error()};
    if (*has && is_found(copy)) return Has::bytes;
  }
  return Has::other_bytes;
}

// Without a hash the file came by a link, or it was there already as the same file. It is compared
// with its source, if that is still what was listed; otherwise nothing will be removed.
Result<bool> LibraryCopies::is_whole(const PlacedFile& file, std::span<const SourceFile> sources,
                                     const io::CopyWatch& watch) {
  const auto copy = std::ranges::find(copies_, file, &Copy::placed);
  if (copy == copies_.end() || !copy->wrong.empty()) return false;
  if (!copy->landed.sha256.empty()) {
    const auto ours = hash_of(*copy, watch);
    if (!ours) return std::unexpected{ours.error()};
    return *ours == copy->landed.sha256;
  }
  const auto listed = std::ranges::find(sources, copy->landed.source, &SourceFile::path);
  if (copy->landed.source.empty() || listed == sources.end()) return true;
  const auto source = open_source(*listed);
  if (!source || io::is_same_file(io::seen_of(*source), copy->seen)) return true;
  const auto ours = hash_of(*copy, watch);
  const auto theirs = ours ? hashes_.of(*source, watch) : ours;
  if (!theirs) return std::unexpected{theirs.error()};
  return *ours == *theirs;
}

}  // namespace haul::library
