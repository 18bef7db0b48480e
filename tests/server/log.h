#pragma once
// One line of JSON when a request's head is in, one when its answer is over.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/request.h"

namespace haul::server {

using Steady = std::chrono::steady_clock::time_point;

// What is told of a request.
struct Entry {
  std::uint64_t number = 0;  // From 1.
  Request request;
  int status = 0;
  std::uint64_t sent = 0;  // Bytes of body that were handed to the kernel.
};

class Log {
 public:
  // An empty path: nothing is written.
  explicit Log(const std::string& path);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void start(const Entry& entry, Steady at);
  // How it ended: kept (and so was the connection), closed, reset, or client_left.
  void end(const Entry& entry, Steady at, std::string_view how);

 private:
  void write(const std::string& line) const;

  int file_ = -1;
};

}  // namespace haul::server
