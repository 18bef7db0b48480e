#pragma once
// A server that does what servers should not (tests/server/README.md), for as long as this lives.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.h"
#include "support/raw_http.h"
#include "support/temp_folder.h"

namespace haul::testing {

struct LoggedRequest {
  std::uint64_t number = 0;  // From 1, in the order their heads were read.
  std::string method;
  std::string path;
  std::string query;
  std::string host;
  std::string range;
  std::string if_range;
  std::map<std::string, std::string> headers;  // Names in lower case.
  int status = 0;
  std::uint64_t sent = 0;  // Bytes of body; known when it has ended.
  std::string ended;       // kept, closed, reset, client_left; empty: it is still being answered.
  std::chrono::microseconds started_at{0};  // By the steady clock.
  std::optional<std::chrono::microseconds> ended_at;
};

class FaultServer {
 public:
  // `root` is the folder that /d/ serves.
  explicit FaultServer(std::string address = "127.0.0.1", const std::string& root = "");

  const std::string& address() const { return address_; }
  std::uint16_t port() const { return port_; }
  // "/f/a?size=5" as a whole address.
  std::string url(std::string_view path_and_query) const;
  // The whole answer to a GET on a connection of its own.
  RawReply get(const std::string& target, const std::string& headers = "") const;
  Child& process() { return *process_; }

  // Every request so far. What a client has seen to be over has ended here, too.
  std::vector<LoggedRequest> log() const;
  // The most requests that were being answered together.
  std::size_t most_at_once() const;
  // From each start to the next.
  std::vector<std::chrono::microseconds> start_gaps() const;

  // What /f/NAME holds, before and after etag_change_after.
  enum class Version : std::uint8_t { first, changed };
  static std::string content(std::string_view name, std::size_t size,
                             Version version = Version::first);
  // Sixty-four lower-case hexadecimal digits.
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
