#include "sink/library/clean_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "io/file/entries.h"
#include "sink/library/media_file.h"
#include "sink/library/set_aside.h"
#include "sink/library/skip_reason.h"
#include "sink/library/source.h"

namespace haul::library {
namespace {

CleanedFile outcome(const SourceFile& source, const char* word, std::string detail = {}) {
  return {.path = source.path, .outcome = word, .detail = std::move(detail), .root = source.root};
}

// Names the user's file instead of the name that haul gives it while it removes it.
Fault about_source(Fault fault, const SourceFile& source, const std::string& aside) {
  const std::size_t at = fault.detail.find(aside);
  if (at != std::string::npos) fault.detail.replace(at, aside.size(), shown_source(source));
  return fault;
}

std::string difference(const io::EntrySeen& seen, const SourceFile& listed) {
  if (seen.is != io::EntrySeen::Is::file) return "it is no regular file any more";
  if (seen.device != listed.device) return "it is on another disk than when it was listed";
  if (seen.inode != listed.inode) return "another file has its name now";
  return "it changed after it was listed";
}

// Why this may be the only copy of a film: it is of a disc, packed, or a video that is neither a
// sample nor an extra. Empty if it is not. The folders that all files of the job share, `shared`
// long, say nothing about single files, and neither does the first folder. A video that is called a
// sample is one only if it is small: films have such names, too. One that is as large as what was
// imported is never an extra.
const char* why_missed(const SourceFile& source, std::span<const PlacedFile> imported,
                       std::size_t shared) {
  if (is_of_disc(source.path)) return "it is part of a disc that was not imported";
  if (is_archive(source.path)) return "it is an archive that was not imported";
  std::int64_t largest = 0;
  for (const PlacedFile& file : imported) largest = std::max(largest, file.size);
  const std::string_view path = source.path;
  const std::string_view inside = path.substr(std::max(shared, path.find('/') + 1));
  const bool is_small = !reason_if_small(inside).empty() && source.size < largest / kSampleShare;
  const bool is_extra = is_small || !skip_reason(inside, 1).empty();
  const bool is_missed = is_video(inside) && (!is_extra || source.size >= largest);
  return is_missed ? "it is a video that was not imported" : "";
}

}  // namespace

SourceRemover::SourceRemover(const CleanEnv& env, JobId job, const io::Descriptor& root,
                             LibraryCopies& copies, KeepRules rules)
    : by_{env.by},
      clock_{env.clock},
      owner_{.store = env.store, .job = job},
      root_{root},
      copies_{copies},
      rules_{std::move(rules)} {}

Result<void> SourceRemover::begin(std::span<const SourceFile> sources) {
  if (by_ == CleanBy::deleting || !rules_.unsafe.empty()) return {};
  auto trash = TrashBin::open(root_, owner_);
  if (!trash) return std::unexpected{trash.error()};
  trash_ = *std::move(trash);
  return trash_->announce(sources, clock_.now());
}

CleanedFile SourceRemover::kept(const SourceFile& source, std::string why) {
  return outcome(source, "kept_unsafe", std::move(why));
}

CleanedFile SourceRemover::gone(const SourceFile& source) const {
  return outcome(source, trash_ && trash_->has(source) ? "trashed" : "already_gone");
}

Result<std::string> SourceRemover::why_kept(const SourceFile& source) const {
  return rules_.why_kept ? rules_.why_kept(source) : Result<std::string>{std::string{}};
}

// A source that must stay anyway is not read, which takes minutes.
Result<std::string> SourceRemover::why_unsafe(const io::Descriptor& folder, const std::string& name,
                                              const SourceFile& source,
                                              const io::CopyWatch& watch) {
  if (auto stays = why_kept(source); !stays || !stays->empty()) return stays;
  const auto seen = io::seen_in(folder, name);
  if (!seen || !is_listed(*seen, source)) return difference(seen.value_or(io::EntrySeen{}), source);
  if (!rules_.unsafe.empty()) return rules_.unsafe;
  const auto open = [&]() -> Result<io::File> {
    auto file = io::open_file_beneath(folder, name, io::Mounts::stay);
    if (file && !is_listed(io::seen_of(*file), source))
      return std::unexpected{Fault{FaultKind::rejected, "source_changed",
                                   "another file took its name while it was read"}};
    return file;
  };
  const auto has = copies_.look_for(
      {.listed = source, .seen = *seen, .folder = io::seen_of(folder), .name = name, .open = open},
      watch);
  if (!has) return std::unexpected{has.error()};
  switch (*has) {
    case LibraryCopies::Has::nothing_alike:
      return std::string{why_missed(source, copies_.present(), rules_.shared_folder)};
    case LibraryCopies::Has::bytes:
      return std::string{};
    case LibraryCopies::Has::other_bytes:
      return std::string{"the library's file of this size has other bytes"};
    case LibraryCopies::Has::its_own_name:
      return std::string{"it is the library's own file"};
  }
  return std::string{};  // Not reached: the switch is complete.
}

// What may have changed while the files were compared, which takes minutes.
Result<void> SourceRemover::may_go(const SourceFile& source) const {
  if (!copies_.still_has())
    return std::unexpected{Fault{FaultKind::rejected, "copy_lost",
                                 "the library's file is gone since haul compared the two"}};
  auto why = why_kept(source);
  if (!why) return std::unexpected{why.error()};
  if (why->empty()) return {};
  return std::unexpected{Fault{FaultKind::rejected, "kept", *std::move(why)}};
}

// The file goes back to its name if it cannot be removed, or must not be by now. A library file
// that went aside with it is the same entry, on a file system that shows it as two.
Result<void> SourceRemover::remove_entry(const io::EntryName& entry, const SourceFile& source) {
  const std::string aside = aside_name(owner_, source.inode);
  const auto is_source = [&](const io::EntrySeen& seen) { return is_listed(seen, source); };
  if (auto taken = io::set_aside(entry, aside, is_source); !taken) return taken;
  const io::EntryName at{entry.folder, aside};
  Result<void> removed = may_go(source);
  if (removed) removed = trash_ ? trash_->take(at, source) : io::remove_file(at);
  if (!removed) io::find_set_aside(entry.folder, entry.name, aside);
  return removed;
}

// A file that stays gets its own name back. If that is taken, the detail says how it is called.
CleanedFile SourceRemover::kept_in(const io::Descriptor& folder, const SourceFile& source,
                                   std::string why) const {
  const std::string aside = aside_name(owner_, source.inode);
  io::find_set_aside(folder, io::split_path(source.path).name, aside);
  const auto left = io::seen_in(folder, aside);
  if (left && left->device == source.device && left->inode == source.inode)
    why += fmt::format("; the file is called {} now", aside);
  return kept(source, std::move(why));
}

Result<CleanedFile> SourceRemover::remove(const io::Descriptor& folder, const SourceFile& source,
                                          const io::CopyWatch& watch) {
  // The library is checked before the file is removed, so what a cut-off clean set aside goes back.
  const std::string name = io::find_set_aside(folder, io::split_path(source.path).name,
                                              aside_name(owner_, source.inode));
  if (!io::seen_in(folder, name)) return gone(source);
  auto why = why_unsafe(folder, name, source, watch);
  if (why && !why->empty()) return kept_in(folder, source, *std::move(why));
  const auto removed =
      why ? remove_entry({folder, name}, source) : Result<void>{std::unexpected{why.error()}};
  if (removed) return outcome(source, trash_ ? "trashed" : "deleted");
  const Fault& fault = removed.error();
  if (fault.code == "not_found") return gone(source);
  if (fault.kind == FaultKind::rejected || fault.code == "name_taken")
    return kept_in(folder, source, fault.detail);
  return std::unexpected{about_source(fault, source, aside_name(owner_, source.inode))};
}

Result<void> SourceRemover::flush() { return trash_ ? trash_->flush() : Result<void>{}; }

}  // namespace haul::library
