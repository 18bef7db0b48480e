#pragma once
// A real nginx that terminates TLS and proxies every request to another server while this object
// lives.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "support/io/temp_folder.h"
#include "support/server/nginx.h"

namespace haul::testing {

// Who signs the server's certificate.
enum class Signer : std::uint8_t { itself, authority };

class TlsProxy {
 public:
  // Proxies to 127.0.0.1:`port`. `name` is the certificate's subject alternative name.
  explicit TlsProxy(std::uint16_t port, const std::string& name = "IP:127.0.0.1",
                    Signer signer = Signer::itself);

  // The whole URL of a path such as "/f/a?size=5".
  std::string url(std::string_view path_and_query) const;
  // A client that trusts this file trusts the server.
  std::string certificate() const { return (folder_ / "trusted.pem").string(); }

 private:
  TempFolder folder_;
  std::uint16_t port_ = 0;
  std::optional<Nginx> nginx_;
};

}  // namespace haul::testing
