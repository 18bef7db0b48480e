#pragma once
// Process-wide settings for a process that moves many files.

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>

namespace haul {

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
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
}

// Each thread that answers would keep as much memory as its largest reply once took, so the threads
// share a few arenas. Not too few: the four threads that are busy when jobs are added would wait
// for each other.
inline void share_memory() { ::mallopt(M_ARENA_MAX, 8); }

}  // namespace haul
