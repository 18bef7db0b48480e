#pragma once
// Many clients on one thread: connections that stay open and ask one thing after the other.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace haul::bench {

// A connection to loopback that does not wait; closed when this goes.
class Socket {
 public:
  explicit Socket(std::uint16_t port);
  ~Socket();
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&&) = delete;

  int number() const { return number_; }
  // False: the other side has closed it. What does not fit is not sent.
  bool send(std::string_view bytes) const;
  // Adds what has come; false: the other side has closed it.
  bool receive(std::string& into) const;

 private:
  int number_;
};

struct SwarmResult {
  double wall_s = 0;
  std::vector<double> latencies_ms;
  std::size_t refused = 0;  // Answers that were not 2xx.

  double rate() const { return static_cast<double>(latencies_ms.size()) / wall_s; }
  double percentile(double part) const;
};

// So many clients make so many requests in all, each its next when its last is answered. Throws if
// a connection is lost.
SwarmResult run_swarm(std::uint16_t port, std::size_t clients, std::size_t requests,
                      const std::function<std::string(std::size_t n)>& request);

}  // namespace haul::bench
