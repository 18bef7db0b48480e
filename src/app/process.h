#pragma once
// Process-wide settings for a process that moves many files.

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>

namespace haul::app {

inline void allow_many_files() {
  constexpr rlim_t kFilesWanted = 8'192;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kFilesWanted) return;
  limit.rlim_cur = std::min(limit.rlim_max, kFilesWanted);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// libcurl allocates and frees half a megabyte per file. If malloc returned it to the system each
// time, the kernel would clear the pages each time.
inline void keep_buffers() {
  // NOLINTBEGIN(concurrency-mt-unsafe): called before the first thread starts.
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
  // NOLINTEND(concurrency-mt-unsafe)
}

// Each thread that answers would keep what its largest answer once took; a few share instead. Not
// too few: the four that are busy when jobs are added would wait for each other.
inline void share_memory() {
  ::mallopt(M_ARENA_MAX, 8);  // NOLINT(concurrency-mt-unsafe): before the first thread starts.
}

}  // namespace haul::app
