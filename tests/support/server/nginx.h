#pragma once
// A real nginx on loopback while this object lives.

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "support/process/process.h"

namespace haul::testing {

// Waits until a program answers at 127.0.0.1:`port`, and throws if it never does.
void await_server(std::string_view program, std::uint16_t port);

class Nginx {
 public:
  // `http`: what its http block says. It keeps its own files in `folder`, and listens at `port`.
  Nginx(const std::filesystem::path& folder, std::string_view http, std::uint16_t port);

 private:
  Child process_;
};

}  // namespace haul::testing
