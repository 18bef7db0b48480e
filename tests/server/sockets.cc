#include "server/sockets.h"

#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace haul::server {
namespace {

constexpr int kBacklog = 1024;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error{errno, std::generic_category(), what};
}

bool is_for_later(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

std::uint16_t port_of(int number) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (::getsockname(number, reinterpret_cast<sockaddr*>(&bound), &size) != 0)
    fail("cannot tell the port");
  if (bound.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

}  // namespace

Socket::Socket(Socket&& other) noexcept : number_{std::exchange(other.number_, -1)} {}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Socket::Heard Socket::read(std::string& to, std::size_t size_max) const {
  std::array<char, 16384> part{};
  const std::size_t room = std::min(part.size(), size_max - std::min(size_max, to.size()));
  if (room == 0) return Heard::nothing_yet;
  const ssize_t size = ::recv(number_, part.data(), room, 0);
  if (size < 0 && is_for_later(errno)) return Heard::nothing_yet;
  if (size <= 0) return Heard::gone;
  to.append(part.data(), static_cast<std::size_t>(size));
  return Heard::bytes;
}

std::optional<std::size_t> Socket::write(std::string_view bytes) const {
  const ssize_t size = ::send(number_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (size >= 0) return static_cast<std::size_t>(size);
  if (is_for_later(errno)) return 0;
  return std::nullopt;
}

bool Socket::is_delivered() const {
  int waiting = 0;
  return ::ioctl(number_, SIOCOUTQ, &waiting) != 0 || waiting == 0;
}

void Socket::shut_sending() const { ::shutdown(number_, SHUT_WR); }

void Socket::reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(number_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

void Socket::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

std::optional<Socket> Listener::accept() const {
  const int number = ::accept4(socket.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (number < 0) return std::nullopt;
  const int yes = 1;
  // Sends each dripped byte at once.
  ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return Socket{number};
}

Listener listen_on(const std::string& address) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address.c_str(), "0", &hints, &found) != 0)
    throw std::runtime_error{address + ": not a numeric address"};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner{found, ::freeaddrinfo};
  Socket socket{::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (socket.number() < 0) fail("cannot make a socket");
  if (::bind(socket.number(), found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(socket.number(), kBacklog) != 0)
    fail("cannot listen on " + address);
  const std::uint16_t port = port_of(socket.number());
  return {std::move(socket), port};
}

}  // namespace haul::server
