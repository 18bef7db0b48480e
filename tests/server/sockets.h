#pragma once
// Plain non-blocking sockets, and the two ways to end one.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace haul::server {

class Socket {
 public:
  explicit Socket(int number) : number_{number} {}
  ~Socket() { close(); }
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;

  int number() const { return number_; }

  enum class Heard : std::uint8_t { bytes, nothing_yet, gone };
  // Appends received bytes to `to`, up to size_max.
  Heard read(std::string& to, std::size_t size_max) const;
  // How many bytes the kernel took; 0 if it has no room now. Empty if the client is gone.
  std::optional<std::size_t> write(std::string_view bytes) const;

  // Whether the client's kernel has received everything written.
  bool is_delivered() const;
  void shut_sending() const;
  // Resets the connection instead of closing it. Undelivered bytes are lost.
  void reset();
  void close();

 private:
  int number_;
};

struct Listener {
  Socket socket;
  std::uint16_t port = 0;

  // The next waiting client, if there is one.
  std::optional<Socket> accept() const;
};

// Listens on a free port of a numeric address.
Listener listen_on(const std::string& address);

}  // namespace haul::server
