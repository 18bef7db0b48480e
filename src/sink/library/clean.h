#pragma once
// Removes the sources of a job after their copies are proven (Z-4): each that is safe to remove,
// then the folders that are left empty, never a download root. Running it again after a crash ends
// the same.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sink/library/clean_file.h"

namespace haul::library {

struct CleanTask {
  JobId job;
  std::span<const SourceFile> sources;
  std::span<const PlacedFile> placed;
  std::string_view evidence;  // What landing them reported.
  // Asked of each source before it is read, and again right before it is removed. One that stays
  // gets its name back, if an earlier clean has set it aside. May be null.
  WhyKept why_kept{};
};

struct CleanEnd {
  // The worst outcome of all sources: kept_unsafe, already_gone, trashed, deleted. Nothing is known
  // to be removable of a job without sources: kept_unsafe.
  std::string outcome;
  bool has_removed = false;  // At least one source was removed this time.
  // Why some sources could not be removed now. The others are done with.
  std::optional<Fault> fault{};
};

// Tells of the sources of each folder as soon as their removal is on the disk.
using TellCleaned = std::function<void(std::vector<CleanedFile> files)>;

CleanEnd clean_sources(const CleanEnv& env, const CleanTask& task, const io::CopyWatch& watch,
                       const TellCleaned& tell);

}  // namespace haul::library
