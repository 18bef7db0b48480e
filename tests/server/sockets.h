#pragma once
// Plain sockets that never block, and the two ways to leave one.

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
  // Appends what has come to the text, up to a size.
  Heard read(std::string& to, std::size_t size_max) const;
  // How many were taken, zero if there is no room now. None: the client is gone.
  std::optional<std::size_t> write(std::string_view bytes) const;

  // Whether the client's kernel has all that was written.
  bool is_delivered() const;
  void shut_sending() const;
  // By a reset instead of an orderly end; what was not delivered yet is lost.
  void reset();
  void close();

 private:
  int number_;
};

struct Listener {
  Socket socket;
  std::uint16_t port = 0;

  // A client that is waiting, if there is one.
  std::optional<Socket> accept() const;
};

// On a free port of a numeric address.
Listener listen_on(const std::string& address);

}  // namespace haul::server
