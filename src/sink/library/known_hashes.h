#pragma once
// The hashes of files that were read lately, so that a proof and the clean after it read a file
// once. A file that has changed since is read again. Threads share it.

#include <cstddef>
#include <map>
#include <string>

#include "base/mutex.h"
#include "io/file/beneath.h"
#include "io/file/copy.h"

namespace haul::library {

class KnownHashes {
 public:
  // The SHA-256 of an open file, from memory or from the disk.
  Result<std::string> of(const io::File& file, const io::CopyWatch& watch);
  // The caller has read all bytes of a file that was like this before and after.
  void remember(const io::EntrySeen& seen, std::string sha256);

 private:
  struct Known {
    io::EntrySeen seen;
    std::string sha256;
  };
  using Key = std::pair<std::int64_t, std::int64_t>;  // Device and inode.

  Mutex mutex_;
  std::map<Key, Known> known_ GUARDED_BY(mutex_);
};

}  // namespace haul::library
