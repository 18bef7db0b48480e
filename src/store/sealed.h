#pragma once
// Secrets that haul itself was given by other systems, such as a refreshed token. The store gets
// them sealed (base/seal.h) and cannot read them: neither can a thief who has a copy of its file.

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace haul {

struct SealedText {
  std::string text;
  std::int64_t version = 0;  // From 1. Grows with every put.

  bool operator==(const SealedText&) const = default;
};

class Sealed {
 public:
  virtual ~Sealed() = default;

  // Nothing if there is none of this name.
  virtual std::optional<SealedText> get(const std::string& name) = 0;
  // Writes the text if the version in the store is still that of `sealed`; zero if there is none
  // yet. False if another worker was first: the caller reads again.
  virtual bool put(const std::string& name, const SealedText& sealed, Time now) = 0;
};

}  // namespace haul
