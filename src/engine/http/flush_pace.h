#pragma once
// When a download lets the disk write, and when it flushes its part for a checkpoint. Pure.

#include <cstdint>

#include "base/time.h"

namespace haul::http {

// Lets the disk write while more bytes come. Otherwise the last flush has to wait for all of them.
class WriteBehind {
 public:
  // Counts written bytes. True if the disk should start to write them now; call ended() after that.
  bool wrote(std::int64_t bytes);
  void ended() { is_writing_ = false; }

 private:
  std::int64_t unwritten_ = 0;  // Bytes since the disk last started.
  bool is_writing_ = false;
};

// A checkpoint costs a flush, so there is one every two seconds at most, and for a MiB at least:
// less is faster to fetch again.
class CheckpointPace {
 public:
  // True if the part should be flushed now; call ended() after that.
  bool begin(std::int64_t have, Steady now);
  void ended() { is_flushing_ = false; }
  // A checkpoint for so many bytes is reported. Zero if the part is a new one.
  void kept(std::int64_t have) { kept_have_ = have; }

 private:
  Steady began_at_{};
  std::int64_t kept_have_ = 0;
  bool is_flushing_ = false;
};

}  // namespace haul::http
