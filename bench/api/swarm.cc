#include "api/swarm.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "measure.h"

namespace haul::bench {
namespace {

struct Client {
  explicit Client(std::uint16_t port) : socket{port} {}

  Socket socket;
  std::string unsent;
  std::string got;
  double asked_at = 0;
  bool waits_for_room = false;
};

// The size of the first answer; 0 if it has not fully arrived.
std::size_t answer_size(const std::string& got) {
  const std::size_t head = got.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  const std::size_t length = got.find("Content-Length: ");
  if (length == std::string::npos || length > head) throw std::runtime_error{"no Content-Length"};
  const std::size_t size = head + 4 + std::strtoul(got.c_str() + length + 16, nullptr, 10);
  return got.size() >= size ? size : 0;
}

class Swarm {
 public:
  Swarm(std::uint16_t port, std::size_t clients) : poll_{::epoll_create1(EPOLL_CLOEXEC)} {
    for (std::size_t i = 0; i < clients; ++i) {
      clients_.emplace_back(port);
      epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
      ::epoll_ctl(poll_, EPOLL_CTL_ADD, clients_.back().socket.number(), &event);
    }
  }
  ~Swarm() { ::close(poll_); }
  Swarm(const Swarm&) = delete;
  Swarm& operator=(const Swarm&) = delete;

  SwarmResult run(std::size_t requests, const std::function<std::string(std::size_t)>& request) {
    SwarmResult result;
    std::size_t asked = 0;
    const double began = wall_seconds();
    for (Client& client : clients_)
      if (asked < requests) ask(client, request(asked++));
    while (result.latencies_ms.size() < requests) {
      std::array<epoll_event, 64> events{};
      const int count = ::epoll_wait(poll_, events.data(), events.size(), 10'000);
      if (count == 0) throw std::runtime_error{"no answer in ten seconds"};
      for (int i = 0; i < count; ++i) {
        Client& client = clients_[events[static_cast<std::size_t>(i)].data.u64];
        if (!client.unsent.empty()) send_rest(client);
        if (!client.socket.receive(client.got)) throw std::runtime_error{"a connection was lost"};
        const std::size_t size = answer_size(client.got);
        if (size == 0) continue;
        result.latencies_ms.push_back((wall_seconds() - client.asked_at) * 1e3);
        if (client.got.compare(0, 10, "HTTP/1.1 2") != 0) ++result.refused;
        client.got.erase(0, size);
        if (asked < requests) ask(client, request(asked++));
      }
    }
    result.wall_s = wall_seconds() - began;
    return result;
  }

 private:
  void ask(Client& client, std::string request) {
    client.asked_at = wall_seconds();
    client.unsent = std::move(request);
    send_rest(client);
  }

  // A body may be larger than what a socket accepts at once.
  void send_rest(Client& client) {
    const ssize_t sent = ::send(client.socket.number(), client.unsent.data(), client.unsent.size(),
                                MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) client.unsent.erase(0, static_cast<std::size_t>(sent));
    if (client.waits_for_room == !client.unsent.empty()) return;
    client.waits_for_room = !client.unsent.empty();
    const auto number = static_cast<std::uint64_t>(&client - clients_.data());
    epoll_event event{.events = EPOLLIN, .data = {.u64 = number}};
    if (client.waits_for_room) event.events |= EPOLLOUT;
    ::epoll_ctl(poll_, EPOLL_CTL_MOD, client.socket.number(), &event);
  }

  int poll_;
  std::vector<Client> clients_;
};

}  // namespace

Socket::Socket(std::uint16_t port) : number_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(number_, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
    ::close(number_);
    throw std::runtime_error{"cannot connect"};
  }
  const int on = 1;
  ::setsockopt(number_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Socket::~Socket() {
  if (number_ >= 0) ::close(number_);
}

Socket::Socket(Socket&& other) noexcept : number_{std::exchange(other.number_, -1)} {}

bool Socket::send(std::string_view bytes) const {
  return ::send(number_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 ||
         errno == EAGAIN;
}

bool Socket::receive(std::string& into) const {
  std::array<char, 65'536> buffer{};
  for (;;) {
    const ssize_t got = ::recv(number_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) into.append(buffer.data(), static_cast<std::size_t>(got));
    if (got < static_cast<ssize_t>(buffer.size())) return got > 0 || (got < 0 && errno == EAGAIN);
  }
}

double SwarmResult::percentile(double part) const {
  std::vector<double> sorted = latencies_ms;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

SwarmResult run_swarm(std::uint16_t port, std::size_t clients, std::size_t requests,
                      const std::function<std::string(std::size_t)>& request) {
  return Swarm{port, clients}.run(requests, request);
}

}  // namespace haul::bench
