#pragma once
// Turns the exceptions of the store into API errors.

#include <exception>
#include <optional>

#include "api/reply.h"
#include "store/refusal.h"

namespace haul {

// The client gets its correlation id; the log has what was thrown beside it.
inline ApiError internal_error(const std::exception& thrown) {
  ApiError error{500, "internal", "that should not have happened"};
  error.cause = thrown.what();
  return error;
}

inline ApiError error_of(const StoreFault& fault) {
  switch (fault.kind()) {
    case StoreFault::Kind::busy:
      return {503, "busy", "too much is being written; try again"};
    case StoreFault::Kind::full:
      return {507, "disk_full", "the disk of the store is full"};
    case StoreFault::Kind::gone:
      return {503, "store_gone", "the store failed; haul must restart"};
    case StoreFault::Kind::broken:
    case StoreFault::Kind::refused:
      break;
  }
  return internal_error(fault);
}

// Runs `work`. Nullopt if it succeeded.
template <class Work>
std::optional<ApiError> fault_of(const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const StoreFault& fault) {
    return error_of(fault);
  } catch (const std::exception& thrown) {
    return internal_error(thrown);
  }
}

}  // namespace haul
