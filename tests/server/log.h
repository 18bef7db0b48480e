#pragma once
// Writes one line of JSON when a request's head is read, and one when its answer has ended.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/request.h"

namespace haul::server {

using Steady = std::chrono::steady_clock::time_point;

// What the log records about a request.
struct Entry {
  std::uint64_t number = 0;  // From 1.
  Request request;
  int status = 0;
  std::uint64_t sent = 0;  // Bytes of body handed to the kernel.
};

class Log {
 public:
  // With an empty path nothing is written.
  explicit Log(const std::string& path);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void start(const Entry& entry, Steady at);
  // How it ended: kept (the connection stays open), closed, reset, or client_left.
  void end(const Entry& entry, Steady at, std::string_view how);

 private:
  void write(const std::string& line) const;

  int file_ = -1;
};

}  // namespace haul::server
