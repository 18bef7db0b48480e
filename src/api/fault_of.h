#pragma once
// Turns the exceptions of the store into API errors.

#include <exception>
#include <optional>

#include "api/reply.h"
#include "store/refusal.h"

namespace haul::api {

// The client gets a correlation id; the log has the exception under the same id.
inline ApiError internal_error(const std::exception& thrown) {
  ApiError error{500, "internal",
                 "internal error; the log has the cause under this correlation id"};
  error.cause = thrown.what();
  return error;
}

inline ApiError error_of(const StoreFault& fault) {
  switch (fault.kind()) {
    case StoreFault::Kind::busy:
      return {503, "busy", "the store is busy; try again"};
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

}  // namespace haul::api
