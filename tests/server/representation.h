#pragma once
// The current version of a file: its bytes, its validators, and which part of it a request gets.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/request.h"
#include "server/switches.h"

namespace haul::server {

using WallTime = std::chrono::sys_seconds;

// "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(WallTime at);

struct Representation {
  std::uint64_t seed = 0;
  std::uint64_t size = 0;
  std::string etag;           // Empty if it has none.
  std::string last_modified;  // Empty if it has none.
};

// `before` counts earlier requests for the same path: a switch can make the file change after some.
Representation representation(const Switches& switches, std::string_view name, std::uint64_t before,
                              WallTime now);

struct Selection {
  int status = 200;
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  std::string content_range;  // The header's value. Empty if it has none.
};

// The part that Range and If-Range ask for. The switches can make Content-Range wrong.
Selection select(const Request& request, const Switches& switches, const Representation& of);

}  // namespace haul::server
