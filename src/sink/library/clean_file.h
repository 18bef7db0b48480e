#pragma once
// Removes one source, if that is safe (Z-4, S1-10, S1-11): it is still the file that was listed,
// and the library has its bytes under another name. Works through the open folder that has it, so
// no link and no folder that is moved meanwhile can lead it to another file.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/clock.h"
#include "io/file/beneath.h"
#include "seam/sight.h"
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
};

class SourceRemover {
 public:
  // `unsafe` says why no source may be removed. Empty if it may.
  SourceRemover(const CleanEnv& env, JobId job, const io::Descriptor& root, LibraryCopies& copies,
                std::string unsafe);

  // Prepares the trash for the sources below the root, if they go there.
  [[nodiscard]] Result<void> begin(std::span<const SourceFile> sources);
  // Removes the source from its open folder. Faults with what may pass, such as a disk that is
  // read-only; everything that is not safe is an outcome.
  Result<CleanedFile> remove(const io::Descriptor& folder, const SourceFile& source,
                             const io::CopyWatch& watch);
  // The outcome for a source that is not there.
  Result<CleanedFile> gone(const SourceFile& source) const;
  // The outcome for a source that stays.
  static CleanedFile kept(const SourceFile& source, std::string why);
  // Flushes the names in the trash.
  [[nodiscard]] Result<void> flush();

 private:
  std::string aside_name(const SourceFile& source) const;
  std::string find_name(const io::Descriptor& folder, const SourceFile& source) const;
  Result<std::string> why_unsafe(const io::Descriptor& folder, const std::string& name,
                                 const SourceFile& source, const io::CopyWatch& watch);
  Result<void> delete_entry(const io::EntryName& entry, const SourceFile& source) const;

  const CleanEnv& env_;
  const JobId job_;
  const io::Descriptor& root_;
  LibraryCopies& copies_;
  const std::string unsafe_;
  std::optional<TrashBin> trash_;
};

}  // namespace haul::library
