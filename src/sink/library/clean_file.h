#pragma once
// Removes one source, if that is safe (Z-4, S1-10, S1-11): it is still the file that was listed,
// and the library has its bytes under another name. Works through the open folder that has it, so
// no link and no folder that is moved meanwhile can lead it to another file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "io/file/beneath.h"
#include "seam/sight.h"
#include "seam/sink.h"
#include "sink/library/copies.h"
#include "sink/library/trash_bin.h"

namespace haul::library {

// What becomes of a source.
enum class CleanBy : std::uint8_t { deleting, trashing };

struct CleanEnv {
  CleanBy by = CleanBy::deleting;
  std::string store;  // Id of haul's store.
  const Clock& clock;
  KnownHashes& hashes;
  // A library file that is gone from a root which is not mounted (root_mark.h) is waited for.
  std::vector<std::filesystem::path> library_roots{};
  std::filesystem::path root_records{};
  // Only what lies beneath one of them is removed, whatever root the manifest has.
  std::vector<std::filesystem::path> download_roots{};
};

// Why a source stays although its bytes are safe. Empty if none does.
struct KeepRules {
  std::string unsafe{};  // Holds for every source.
  WhyKept why_kept{};    // Asked for each before it is read, and before it is removed. May be null.
  // The size of the folder that all files of the job share, with its slash.
  std::size_t shared_folder = 0;
};

class SourceRemover {
 public:
  SourceRemover(const CleanEnv& env, JobId job, const io::Descriptor& root, LibraryCopies& copies,
                KeepRules rules);

  // Prepares the trash for the sources below the root, if they go there.
  [[nodiscard]] Result<void> begin(std::span<const SourceFile> sources);
  // Removes the source from its open folder. Faults with what may pass, such as a disk that is
  // read-only; everything that is not safe is an outcome.
  Result<CleanedFile> remove(const io::Descriptor& folder, const SourceFile& source,
                             const io::CopyWatch& watch);
  // The outcome for a source that is not there.
  CleanedFile gone(const SourceFile& source) const;
  // The outcome for a source that stays.
  static CleanedFile kept(const SourceFile& source, std::string why);
  // Flushes the names in the trash.
  [[nodiscard]] Result<void> flush();

 private:
  Result<std::string> why_unsafe(const io::Descriptor& folder, const std::string& name,
                                 const SourceFile& source, const io::CopyWatch& watch);
  Result<std::string> why_kept(const SourceFile& source) const;
  [[nodiscard]] Result<void> may_go(const SourceFile& source) const;
  Result<void> remove_entry(const io::EntryName& entry, const SourceFile& source);
  CleanedFile kept_in(const io::Descriptor& folder, const SourceFile& source,
                      std::string why) const;

  const CleanBy by_;
  const Clock& clock_;
  const TrashOwner owner_;
  const io::Descriptor& root_;
  LibraryCopies& copies_;
  const KeepRules rules_;
  std::optional<TrashBin> trash_;
};

}  // namespace haul::library
