#include "base/environment.h"

#include <cstdlib>

namespace haul {

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value ? value : "";
}

}  // namespace haul
