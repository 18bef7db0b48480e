#pragma once
// Ids that cannot be mixed up: an Id<Job> is not an Id<Worker>. Zero means "none yet".

#include <compare>
#include <cstdint>

namespace haul {

template <class Tag>
struct Id {
  std::int64_t value = 0;
  auto operator<=>(const Id&) const = default;
  explicit operator bool() const { return value != 0; }
};

using JobId = Id<struct JobTag>;
using UserId = Id<struct UserTag>;
using WorkerId = Id<struct WorkerTag>;
using EventId = Id<struct EventTag>;
using IntentId = Id<struct IntentTag>;
using FileId = Id<struct FileTag>;
using ApiKeyId = Id<struct ApiKeyTag>;

}  // namespace haul
