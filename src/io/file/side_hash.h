#pragma once
// Hashes pieces of a file on a thread of its own, while another thread reads, writes or hashes,
// too: SHA-256 takes as long as all other work of a copy.

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "base/hash.h"
#include "base/mutex.h"

namespace haul::io {

class SideHash {
 public:
  explicit SideHash(std::string_view algorithm = "sha256");  // One that Hasher knows.
  ~SideHash();
  SideHash(const SideHash&) = delete;
  SideHash& operator=(const SideHash&) = delete;

  // The bytes must stay as they are until wait() says that the piece is hashed.
  void add(std::span<const std::byte> piece);
  // Returns once this many of the pieces added so far wait or fewer.
  void wait(std::size_t waiting_max);
  std::string hex();  // Call once, at the end. Waits for all pieces.

 private:
  void run();

  Mutex mutex_;
  Condition came_;
  Condition went_;
  std::deque<std::span<const std::byte>> pieces_ GUARDED_BY(mutex_);  // The first is being hashed.
  bool is_over_ GUARDED_BY(mutex_) = false;
  Hasher hasher_;  // The thread's, until no piece waits.
  std::thread thread_;
};

}  // namespace haul::io
