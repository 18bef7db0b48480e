#pragma once
// Runs the server that misbehaves on request (tests/server/README.md) while this object lives.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/api/raw_http.h"
#include "support/io/temp_folder.h"
#include "support/process/process.h"

namespace haul::testing {

struct LoggedRequest {
  std::uint64_t number = 0;  // From 1, in the order the server read the request heads.
  std::string method;
  std::string path;
  std::string query;
  std::string host;
  std::string range;
  std::string if_range;
  std::map<std::string, std::string> headers;  // Names in lower case.
  int status = 0;
  std::uint64_t sent = 0;  // Bytes of the body, known once the request has ended.
  std::string ended;  // kept, closed, reset or client_left. Empty while the server still answers.
  std::chrono::microseconds started_at{0};  // Steady clock.
  std::optional<std::chrono::microseconds> ended_at;
};

class FaultServer {
 public:
  // /d/ serves the folder `root`.
  explicit FaultServer(std::string address = "127.0.0.1", const std::string& root = "");

  const std::string& address() const { return address_; }
  std::uint16_t port() const { return port_; }
  // The whole URL of a path such as "/f/a?size=5".
  std::string url(std::string_view path_and_query) const;
  // Sends a GET on its own connection and returns the whole answer.
  RawReply get(const std::string& target, const std::string& headers = "") const;
  Child& process() { return *process_; }

  // Every request so far. A request whose end the client has seen is logged as ended.
  std::vector<LoggedRequest> log() const;
  // The largest number of requests in progress at the same time.
  std::size_t most_at_once() const;
  // The time between each start and the next.
  std::vector<std::chrono::microseconds> start_gaps() const;

  // The content of /f/NAME, before or after etag_change_after.
  enum class Version : std::uint8_t { first, changed };
  static std::string content(std::string_view name, std::size_t size,
                             Version version = Version::first);
  // As 64 lower-case hexadecimal digits.
  static std::string content_sha256(std::string_view name, std::size_t size,
                                    Version version = Version::first);

 private:
  using Line = std::map<std::string, std::string>;
  std::vector<Line> lines() const;

  TempFolder folder_;
  std::string address_;
  std::optional<Child> process_;
  std::uint16_t port_ = 0;
};

}  // namespace haul::testing
