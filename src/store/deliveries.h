#pragma once
// Files that a chat's server has, by what they contain. haul sends such a file again by the name
// that the server gave it, without another upload. Effect::record_delivery writes them.

#include <cstddef>
#include <optional>
#include <string>

#include "base/time.h"
#include "store/job.h"

namespace haul {

class Deliveries {
 public:
  virtual ~Deliveries() = default;

  // The server's name for the file with this fingerprint; nothing if it never had that file.
  virtual std::optional<std::string> find(const std::string& fingerprint) = 0;
  // The server does not know the file by this name any more. Does nothing if it has another name
  // since.
  virtual void forget(const DeliveryFacts& delivery) = 0;
  // Removes up to `limit` files (at most 4,000) that were last sent before that time, oldest first;
  // returns how many.
  virtual std::size_t prune(Time before, std::size_t limit) = 0;
};

}  // namespace haul
