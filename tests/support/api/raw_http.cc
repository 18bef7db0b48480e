#include "support/api/raw_http.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

namespace haul::testing {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr timeval kPatience{.tv_sec = 10};

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error{what + ": " + std::strerror(errno)};
}

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::string_view RawReply::head() const {
  return std::string_view{bytes}.substr(0, bytes.find(kHeadEnd));
}

std::string_view RawReply::body() const {
  const std::size_t empty_line = bytes.find(kHeadEnd);
  if (empty_line == std::string::npos) return {};
  return std::string_view{bytes}.substr(empty_line + kHeadEnd.size());
}

int RawReply::status() const {
  if (!bytes.starts_with("HTTP/1.")) return 0;
  return static_cast<int>(number_in(std::string_view{bytes}.substr(9)));
}

std::string_view RawReply::header(std::string_view name) const {
  const std::string mark = "\r\n" + std::string{name} + ": ";
  const std::size_t at = head().find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view value = head().substr(at + mark.size());
  return value.substr(0, value.find("\r\n"));
}

RawConnection::RawConnection(const std::string& address, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    throw std::runtime_error{address + ": not a numeric address"};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner{found, ::freeaddrinfo};
  number_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number_ < 0) fail("cannot make a socket");
  ::setsockopt(number_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(number_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  if (::connect(number_, found->ai_addr, found->ai_addrlen) != 0) {
    ::close(number_);
    fail("cannot connect to " + address);
  }
}

RawConnection::~RawConnection() { ::close(number_); }

void RawConnection::send(std::string_view bytes) const {
  if (!try_send(bytes)) fail("cannot send");
}

bool RawConnection::try_send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t size = ::send(number_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

RawReply RawConnection::read(std::size_t size) const {
  RawReply reply;
  std::array<char, 65536> part{};
  while (reply.bytes.size() < size) {
    const std::size_t room = std::min(part.size(), size - reply.bytes.size());
    const ssize_t got = ::recv(number_, part.data(), room, 0);
    if (got == 0) return reply;
    if (got < 0) {
      reply.end = errno == ECONNRESET ? RawReply::End::reset : RawReply::End::timed_out;
      return reply;
    }
    reply.bytes.append(part.data(), static_cast<std::size_t>(got));
  }
  return reply;
}

RawReply RawConnection::read_some(std::chrono::milliseconds patience) const {
  pollfd waiting{number_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(patience.count())) == 0)
    return {.bytes = {}, .end = RawReply::End::timed_out};
  std::array<char, 65536> part{};
  const ssize_t got = ::recv(number_, part.data(), part.size(), 0);
  if (got < 0) return {.bytes = {}, .end = RawReply::End::reset};
  return {.bytes = {part.data(), static_cast<std::size_t>(got)}, .end = RawReply::End::closed};
}

RawReply RawConnection::read_head() const {
  RawReply reply;
  while (!reply.bytes.ends_with(kHeadEnd)) {
    const RawReply one = read(1);
    if (one.bytes.empty()) return one;
    reply.bytes += one.bytes;
  }
  return reply;
}

RawReply RawConnection::read_body(std::size_t size) const { return followed(read_head(), size); }

RawReply RawConnection::read_answer() const {
  RawReply head = read_head();
  const std::size_t size = number_in(head.header("Content-Length"));
  return followed(std::move(head), size);
}

RawReply RawConnection::followed(RawReply head, std::size_t size) const {
  RawReply body = read(size);
  body.bytes.insert(0, head.bytes);
  return body;
}

std::string raw_request(const std::string& target, const std::string& headers) {
  return "GET " + target + " HTTP/1.1\r\nHost: test\r\n" + headers + "\r\n";
}

}  // namespace haul::testing
