#include "engine/http/flush_pace.h"

namespace haul::http {
namespace {

constexpr std::int64_t kWriteBehind = std::int64_t{8} << 20U;
constexpr Millis kKeepEvery{2'000};
constexpr std::int64_t kKeepFrom = std::int64_t{1} << 20U;

}  // namespace

bool WriteBehind::wrote(std::int64_t bytes) {
  unwritten_ += bytes;
  if (is_writing_ || unwritten_ < kWriteBehind) return false;
  unwritten_ = 0;
  is_writing_ = true;
  return true;
}

bool CheckpointPace::begin(std::int64_t have, Steady now) {
  if (is_flushing_ || have - kept_have_ < kKeepFrom || now - began_at_ < kKeepEvery) return false;
  began_at_ = now;
  is_flushing_ = true;
  return true;
}

}  // namespace haul::http
