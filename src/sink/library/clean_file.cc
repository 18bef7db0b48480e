#include "sink/library/clean_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "io/file/entries.h"
#include "sink/library/media_file.h"
#include "sink/library/skip_reason.h"
#include "sink/library/source.h"

namespace haul::library {
namespace {

CleanedFile outcome(const SourceFile& source, const char* word, std::string detail = {}) {
  return {.path = source.path, .outcome = word, .detail = std::move(detail)};
}

std::unexpected<Fault> swapped() {
  return std::unexpected{Fault{FaultKind::rejected, "source_changed",
                               "another file took its name while it was removed"}};
}

std::string difference(const io::EntrySeen& seen, const SourceFile& listed) {
  if (seen.is != io::EntrySeen::Is::file) return "it is no regular file any more";
  if (seen.device != listed.device) return "it is on another disk than when it was listed";
  if (seen.inode != listed.inode) return "another file has its name now";
  return "it changed after it was listed";
}

// Whether this may be the only copy of a film: a video that is neither a sample nor an extra. The
// first folder is the download's own, and its name says nothing about single files. A video that is
// called a sample is one only if it is small: films have such names, too.
bool may_be_missed(const SourceFile& source, std::span<const PlacedFile> imported) {
  std::int64_t largest = 0;
  for (const PlacedFile& file : imported) largest = std::max(largest, file.size);
  const std::string_view path = source.path;
  const std::string_view inside = path.substr(path.find('/') + 1);
  const bool is_small = !reason_if_small(inside).empty() && source.size < largest / kSampleShare;
  return is_video(inside) && skip_reason(inside, 1).empty() && !is_small;
}

}  // namespace

SourceRemover::SourceRemover(const CleanEnv& env, JobId job, const io::Descriptor& root,
                             LibraryCopies& copies, std::string unsafe)
    : env_{env}, job_{job}, root_{root}, copies_{copies}, unsafe_{std::move(unsafe)} {}

Result<void> SourceRemover::begin(std::span<const SourceFile> sources) {
  if (env_.by == CleanBy::deleting || !unsafe_.empty()) return {};
  auto trash = TrashBin::open(root_, {.store = env_.store, .job = job_});
  if (!trash)
    return std::unexpected{
        Fault{FaultKind::environment, "no_trash",
              fmt::format("cannot use {}: {}", kTrashFolder, trash.error().detail)}};
  trash_ = *std::move(trash);
  return trash_->announce(sources, env_.clock.now());
}

CleanedFile SourceRemover::kept(const SourceFile& source, std::string why) {
  return outcome(source, "kept_unsafe", std::move(why));
}

Result<CleanedFile> SourceRemover::gone(const SourceFile& source) const {
  if (Fault fault = source_gone(root_, source); fault.kind == FaultKind::environment)
    return std::unexpected{std::move(fault)};
  return outcome(source, trash_ && trash_->has(source) ? "trashed" : "already_gone");
}

// Tells haul's own names apart from those of others, and finds the file again after a crash.
std::string SourceRemover::aside_name(const SourceFile& source) const {
  return fmt::format(".haul-clean-{}-{}-{}", env_.store, job_.value, source.inode);
}

// A clean that was cut off may have set the file aside. It goes back, because the library is
// checked before it is removed. If its own name is taken by now, it stays where it is.
std::string SourceRemover::find_name(const io::Descriptor& folder, const SourceFile& source) const {
  const std::string name = io::split_path(source.path).name;
  std::string aside = aside_name(source);
  if (!io::seen_in(folder, aside)) return name;
  return io::move_entry({folder, aside}, {folder, name}) ? name : std::move(aside);
}

Result<std::string> SourceRemover::why_unsafe(const io::Descriptor& folder, const std::string& name,
                                              const SourceFile& source,
                                              const io::CopyWatch& watch) {
  const auto seen = io::seen_in(folder, name);
  if (!seen || !is_listed(*seen, source)) return difference(seen.value_or(io::EntrySeen{}), source);
  if (!unsafe_.empty()) return unsafe_;
  const auto open = [&]() -> Result<io::File> {
    auto file = io::open_file_beneath(folder, name, io::Mounts::stay);
    if (file && !is_listed(io::seen_of(*file), source)) return swapped();
    return file;
  };
  const auto has = copies_.look_for(
      {.listed = source, .seen = *seen, .folder = io::seen_of(folder), .name = name, .open = open},
      watch);
  if (!has) return std::unexpected{has.error()};
  switch (*has) {
    case LibraryCopies::Has::nothing_alike:
      return std::string{
          may_be_missed(source, copies_.present()) ? "it is a video that was not imported" : ""};
    case LibraryCopies::Has::bytes:
      return std::string{};
    case LibraryCopies::Has::other_bytes:
      return std::string{"the library's file of this size has other bytes"};
    case LibraryCopies::Has::its_own_name:
      return std::string{"it is the library's own file"};
  }
  return std::string{};  // Not reached: the switch is complete.
}

// Another program may change what has the name between a look and a removal. So the entry is first
// moved to a name that only haul uses, and looked at there.
Result<void> SourceRemover::delete_entry(const io::EntryName& entry,
                                         const SourceFile& source) const {
  const std::string aside = aside_name(source);
  if (entry.name != aside)
    if (auto taken = io::take_entry(entry, {entry.folder, aside}); !taken) return taken;
  const auto seen = io::seen_in(entry.folder, aside);
  if (seen && is_listed(*seen, source)) return io::remove_file({entry.folder, aside});
  if (entry.name != aside)
    if (auto back = io::move_entry({entry.folder, aside}, entry); !back) return back;
  return swapped();
}

Result<CleanedFile> SourceRemover::remove(const io::Descriptor& folder, const SourceFile& source,
                                          const io::CopyWatch& watch) {
  const std::string name = find_name(folder, source);
  if (!io::seen_in(folder, name)) return gone(source);
  auto why = why_unsafe(folder, name, source, watch);
  Result<void> removed;
  if (!why)
    removed = std::unexpected{why.error()};
  else if (!why->empty())
    return kept(source, *std::move(why));
  else
    removed = trash_ ? trash_->take({folder, name}, source) : delete_entry({folder, name}, source);
  if (removed) return outcome(source, trash_ ? "trashed" : "deleted");
  const Fault& fault = removed.error();
  if (fault.code == "not_found") return gone(source);
  if (fault.kind == FaultKind::rejected || fault.code == "name_taken")
    return kept(source, fault.detail);
  return std::unexpected{fault};
}

Result<void> SourceRemover::flush() { return trash_ ? trash_->flush() : Result<void>{}; }

}  // namespace haul::library
