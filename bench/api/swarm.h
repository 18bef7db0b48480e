#pragma once
// Many clients on one thread. Each keeps its connection open and sends one request after the other.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace haul::bench {

// A connection to loopback. Neither send() nor receive() blocks. The destructor closes it.
class Socket {
 public:
  explicit Socket(std::uint16_t port);
  ~Socket();
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&&) = delete;

  int number() const { return number_; }
  // Sends what fits and drops the rest. False if the server closed the connection.
  bool send(std::string_view bytes) const;
  // Appends the bytes that have arrived. False if the server closed the connection.
  bool receive(std::string& into) const;

 private:
  int number_;
};

struct SwarmResult {
  double wall_s = 0;
  std::vector<double> latencies_ms;
  std::size_t refused = 0;  // Answers that were not 2xx.

  double rate() const { return static_cast<double>(latencies_ms.size()) / wall_s; }
  double percentile(double part) const;  // `part` is from 0 to 1.
};

// `clients` make `requests` requests in total. Each client sends its next one when its last is
// answered. Throws if a connection is lost.
SwarmResult run_swarm(std::uint16_t port, std::size_t clients, std::size_t requests,
                      const std::function<std::string(std::size_t n)>& request);

}  // namespace haul::bench
