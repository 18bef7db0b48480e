#pragma once
// A real nginx as an HTTP proxy while this object lives. It compresses the answers of servers that
// do not, if the client asks for it.

#include <cstdint>
#include <optional>
#include <string>

#include "support/io/temp_folder.h"
#include "support/server/nginx.h"

namespace haul::testing {

class ForwardProxy {
 public:
  // With a login "user:password", it answers 407 to everybody else.
  explicit ForwardProxy(const std::string& login = "");

  // "http://127.0.0.1:PORT", with the login if one is given here.
  std::string url(const std::string& login = "") const;
  // A line per request: method, URL, version, status, Content-Encoding of the answer or "-".
  std::string log() const;

 private:
  TempFolder folder_;
  std::uint16_t port_ = 0;
  std::optional<Nginx> nginx_;
};

}  // namespace haul::testing
