#pragma once
// Copies the bytes of one open file to another, and hashes them on the way. Runs on a thread that
// may wait for the disk.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "base/fault.h"
#include "io/file/folder.h"

namespace haul::io {

// Who follows a file that is read or copied.
struct CopyWatch {
  std::stop_token stop{};  // Ends it early: fault `stopped` (cancelled).
  // Called with all bytes that are done so far. May be empty.
  std::function<void(std::int64_t done)> progress{};
  // Asked before so many bytes are written; its fault ends the copy. May be empty.
  std::function<Result<void>(std::int64_t bytes)> take_room{};
};

struct CopiedBytes {
  std::int64_t size = 0;
  std::string sha256;

  bool operator==(const CopiedBytes&) const = default;
};

// Copies everything to an empty file and gives it the same time of change. Holes stay holes. The
// copy is not flushed. Fault `source_changed` (retryable) if the source changes meanwhile.
Result<CopiedBytes> copy_bytes(const File& from, File& to, const CopyWatch& watch);

// Reads everything from the disk, not from memory where that can be avoided.
Result<CopiedBytes> hash_bytes(const File& file, const CopyWatch& watch);

// Makes an empty file share the bytes of another (a reflink), with the same time of change. Fault
// `not_supported` (environment) if the file system cannot do that.
[[nodiscard]] Result<void> clone_bytes(const File& from, File& to);

}  // namespace haul::io
