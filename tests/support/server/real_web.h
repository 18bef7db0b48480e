#pragma once
// A real nginx as a web server at 127.0.0.1, 127.0.0.2 and, where the machine has it, [::1]. It
// asks for a login in one folder and for a cookie in another.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/server/nginx.h"

namespace haul::testing {

// Whether servers can listen at [::1].
bool has_ipv6();

class RealWeb {
 public:
  static constexpr const char* kUser = "me";
  static constexpr const char* kPassword = "quiet-1Word";

  RealWeb();

  // A file anywhere, in /login (kUser with kPassword) and in /cookie (visit=yes).
  void put(const std::string& name, std::string_view content) const;
  // Of "/open/a", "/login/a" or "/cookie/a".
  std::string url(std::string_view path, const std::string& host = "127.0.0.1") const;
  // A line for each request that it has answered: server's address, path, status, user, Range.
  std::vector<std::string> log() const;

 private:
  TempFolder folder_;
  std::uint16_t port_ = 0;
  std::optional<Nginx> nginx_;
};

}  // namespace haul::testing
