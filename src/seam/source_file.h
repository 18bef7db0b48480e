#pragma once
// A file that an outside client fetched for a job.

#include <cstdint>
#include <string>

namespace haul {

// A file as it was seen when it was listed: the identity that a clean compares before it removes
// the file.
struct SourceFile {
  std::string root;  // Absolute. The configured download root that the file lies beneath.
  std::string path;  // Beneath the root, never absolute, never empty.
  std::int64_t device = 0;
  std::int64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;

  bool operator==(const SourceFile&) const = default;
};

}  // namespace haul
