#pragma once
// A real nginx that speaks TLS and hands every request on to another server, for as long as this
// lives.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "support/process.h"
#include "support/temp_folder.h"

namespace haul::testing {

class TlsFront {
 public:
  // In front of 127.0.0.1:`port`, with a certificate that names `name`: "IP:127.0.0.1".
  explicit TlsFront(std::uint16_t port, const std::string& name = "IP:127.0.0.1");

  // "/f/a?size=5" as a whole address.
  std::string url(std::string_view path_and_query) const;
  // Who trusts this file trusts the server.
  std::string certificate() const { return (folder_ / "cert.pem").string(); }

 private:
  TempFolder folder_;
  std::uint16_t port_ = 0;
  std::optional<Child> nginx_;
};

}  // namespace haul::testing
