#pragma once
// A file as it is now: its bytes, its validators, and which part of it a request gets.

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
  std::string etag;           // Empty: it has none.
  std::string last_modified;  // Empty: it has none.
};

// `before` counts the requests of the same path that came earlier: a file changes with them.
Representation representation(const Switches& switches, std::string_view name, std::uint64_t before,
                              WallTime now);

struct Selection {
  int status = 200;
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  std::string content_range;  // The header's value; empty: it has none.
};

// The part asked for by Range and If-Range, or told falsely if the switches say so.
Selection select(const Request& request, const Switches& switches, const Representation& of);

}  // namespace haul::server
