#pragma once
// Removes a file that haul landed, if it is still that file: its receipt's size, time and hash, and
// the inode under which it landed. Works through the open folder that has it, so no link and no
// folder that is moved meanwhile can lead it to another file.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/receipt.h"
#include "base/time.h"
#include "io/file/folder.h"

namespace haul::io {

struct FileAtLanding {
  Receipt receipt;
  std::uint64_t inode = 0;  // Zero if it is not known.
  Time landed_at{};
};

// A file as it is now.
struct FileNow {
  FileSeen seen;
  std::optional<Time> made_at;  // Its inode, that is. Nothing if the file system does not say.
};

// Why it is not the file that landed, as a sentence; empty if it is. Does not compare a hash. Pure.
std::string difference(const FileAtLanding& landed, const FileNow& now);

struct LandedRemoval {
  // The file's name while it is removed, which only haul uses.
  std::string aside;
  // Why the file stays, as a sentence; empty if it may go. Asked right before it is removed, when
  // it has the name above.
  std::function<Result<std::string>()> why_kept;
  // False if this process must stop. Asked while the file is read.
  std::function<bool()> may_go_on;
};

struct LandedOutcome {
  enum class Is : std::uint8_t { removed, gone, kept };
  Is is = Is::kept;
  std::string why{};  // It is kept.

  bool operator==(const LandedOutcome&) const = default;
};

// Removes the file with this name from the open folder. Takes as long as reading the file does, if
// its receipt has a hash. Faults with what may pass, such as a disk that is read-only, and
// `stopped` (cancelled); everything that is not safe is an outcome.
Result<LandedOutcome> remove_landed(const Folder& folder, const std::string& name,
                                    const FileAtLanding& landed, const LandedRemoval& how);

}  // namespace haul::io
