#pragma once
// Real proxies of other people on loopback while these objects live: tinyproxy for http and for
// tunnels by CONNECT, microsocks for SOCKS 5.

#include <cstdint>
#include <optional>
#include <string>

#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/server/tls_proxy.h"

namespace haul::testing {

class Tinyproxy {
 public:
  // Opens tunnels to the port of `target` only. With a login "user:password", it answers 407 to a
  // request without one, and 401 to a wrong one.
  explicit Tinyproxy(const TlsProxy& target, const std::string& login = "");

  std::uint16_t port() const { return port_; }
  // "http://127.0.0.1:PORT", with the login if one is given here.
  std::string url(const std::string& login = "") const;
  // How many requests so far began like this: "CONNECT 127.0.0.1:443", "GET http://".
  int requests(const std::string& beginning) const;

 private:
  std::string log() const;

  const TempFolder folder_;  // Its configuration and log.
  std::uint16_t port_ = 0;
  std::optional<Child> process_;
};

class Microsocks {
 public:
  explicit Microsocks(const std::string& login = "");  // "user:password"

  // "socks5://127.0.0.1:PORT" for that scheme, with the login if one is given here.
  std::string url(const std::string& scheme, const std::string& login = "") const;
  // Whether it has connected to this "HOST:PORT" for a client of this test. The host is the word
  // that the client sent.
  static bool has_connected_to(const std::string& host_and_port);

 private:
  std::uint16_t port_ = 0;
  std::optional<Child> process_;
};

}  // namespace haul::testing
