#include "support/server/canned_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace haul::testing {

CannedServer::CannedServer(Answer answer) : answer_{std::move(answer)} {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&here), size) != 0 ||
      ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size) != 0)
    throw std::runtime_error{"cannot listen"};
  port_ = ntohs(here.sin_port);
  accepting_ = std::thread{[this] {
    for (int one = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); one >= 0;
         one = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) {
      const std::lock_guard lock{mutex_};
      connections_.push_back(one);
      threads_.emplace_back([this, one] { serve(one); });
    }
  }};
}

CannedServer::~CannedServer() {
  ::shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  for (const int one : connections_) ::shutdown(one, SHUT_RDWR);
  for (std::thread& thread : threads_) thread.join();
  for (const int one : connections_) ::close(one);
  ::close(listener_);
}

std::string CannedServer::url(std::string_view path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + std::string{path};
}

void CannedServer::serve(int connection) const {
  std::string asked;
  std::array<char, 4'096> bytes{};
  while (asked.find("\r\n\r\n") == std::string::npos) {
    const ssize_t got = ::recv(connection, bytes.data(), bytes.size(), 0);
    if (got <= 0) return;
    asked.append(bytes.data(), static_cast<std::size_t>(got));
  }
  const std::size_t from = asked.find(' ') + 1;
  const std::string reply =
      answer_(std::string_view{asked}.substr(from, asked.find(' ', from) - from));
  for (std::string_view left = reply; !left.empty();) {
    const ssize_t sent = ::send(connection, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
  ::shutdown(connection, SHUT_WR);
}

std::string canned(const std::string& body, const std::string& headers) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n" + headers + "\r\n" + body;
}

}  // namespace haul::testing
