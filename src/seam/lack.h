#pragma once
// Z-30: what an engine or a sink needs before it can work.

#include <cstdint>
#include <string>

namespace haul {

struct Lack {
  enum class Remedy : std::uint8_t {
    configure,  // The user configures or installs something.
    none,       // This build cannot do it, whatever the user does.
  };

  std::string text{};  // In the configuration's words. Empty: it is ready.
  Remedy remedy = Remedy::configure;

  bool operator==(const Lack&) const = default;
};

}  // namespace haul
