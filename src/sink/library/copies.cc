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
  const auto folder = path.is_absolute() && io::components_of(copy.name)
                          ? io::open_root(path.parent_path())
                          : std::unexpected{Fault{}};
  const auto seen = folder ? io::seen_in(*folder, copy.name) : std::nullopt;
  if (!seen) {
    copy.wrong = "is gone";
    return copy;
  }
  copy.folder = io::seen_of(*folder);
  copy.seen = *seen;
  if (seen->is != io::EntrySeen::Is::file) copy.wrong = "is no regular file";
  if (copy.wrong.empty() && seen->size != file.size)
    copy.wrong = fmt::format("has {} bytes, not {}", seen->size, file.size);
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

Result<io::File> LibraryCopies::open(const Copy& copy) {
  const auto folder = io::open_root(fs::path{copy.placed.path}.parent_path());
  if (!folder) return std::unexpected{folder.error()};
  auto file = io::open_file_beneath(*folder, copy.name, io::Mounts::cross);
  if (file && io::seen_of(*file) != copy.seen)
    return std::unexpected{Fault{FaultKind::retryable, "copy_changed",
                                 printable(copy.placed.path) + " changes at this moment"}};
  return file;
}

// It takes minutes to read a film.
bool LibraryCopies::is_still_there(const Copy& copy) {
  const Copy now = look(copy.placed);
  return now.wrong.empty() && io::is_same_file(now.seen, copy.seen);
}

Result<std::string> LibraryCopies::hash_of(const Copy& copy, const io::CopyWatch& watch) {
  const auto file = open(copy);
  if (!file) return std::unexpected{file.error()};
  return hashes_.of(*file, watch);
}

// The source is what was listed before it was imported, so the hash of what was read then is still
// its hash.
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
  std::vector<const Copy*> alike;
  for (const Copy& copy : copies_)
    if (copy.wrong.empty() && copy.placed.size == source.listed.size) alike.push_back(&copy);
  if (alike.empty()) return Has::nothing_alike;
  for (const Copy* copy : alike)
    if (is_same_entry(copy->folder, copy->name, source)) return Has::its_own_name;
  for (const Copy* copy : alike)
    if (io::is_same_file(copy->seen, source.seen) && is_still_there(*copy)) return Has::bytes;
  // The one that was made from this source is most likely the one.
  std::ranges::stable_partition(
      alike, [&](const Copy* copy) { return copy->landed.source == source.listed.path; });
  for (const Copy* copy : alike) {
    const auto has = has_bytes(*copy, source, watch);
    if (!has) return std::unexpected{has.error()};
    if (*has && is_still_there(*copy)) return Has::bytes;
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
