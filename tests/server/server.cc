#include "server/server.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>

namespace haul::server {
namespace {

constexpr std::size_t kConnectionsMax = 1000;

Steady steady_now() { return std::chrono::steady_clock::now(); }

WallTime wall_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

timespec until(Steady due, Steady now) {
  const auto left = std::max(due - now, Steady::duration::zero());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
  return {.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
}

}  // namespace

void Server::run(const std::vector<int>& stops) {
  while (wait(stops) == Woken::serve) {
    accept();
    hear();
    begin();
    for (Connection& connection : connections_) connection.advance(steady_now());
    std::erase_if(connections_, [](const Connection& one) { return one.is_gone(); });
  }
}

Server::Woken Server::wait(const std::vector<int>& stops) const {
  std::vector<pollfd> polled;
  for (const int stop : stops) polled.push_back({.fd = stop, .events = POLLIN});
  const bool has_room = connections_.size() < kConnectionsMax;
  polled.push_back(
      {.fd = listener_.socket.number(), .events = static_cast<short>(has_room ? POLLIN : 0)});
  Steady due = Steady::max();
  for (const Connection& connection : connections_) {
    polled.push_back({.fd = connection.number(), .events = connection.events()});
    due = std::min(due, connection.due());
  }
  const timespec time = until(due, steady_now());
  const int woken =
      ::ppoll(polled.data(), polled.size(), due == Steady::max() ? nullptr : &time, nullptr);
  if (woken < 0 && errno != EINTR)
    throw std::system_error{errno, std::generic_category(), "cannot wait for clients"};
  const auto is_ready = [](const pollfd& one) { return one.revents != 0; };
  const auto end = polled.begin() + static_cast<std::ptrdiff_t>(stops.size());
  return std::any_of(polled.begin(), end, is_ready) ? Woken::stop : Woken::serve;
}

void Server::accept() {
  while (connections_.size() < kConnectionsMax) {
    auto socket = listener_.accept();
    if (!socket) return;
    connections_.emplace_back(std::move(*socket), *log_);
  }
}

// Reads connections that may have a new request first, then those being answered. A client that
// left one answer to send the new request is then seen to have left, in whatever order poll
// reported them.
void Server::hear() {
  for (const bool answering : {false, true})
    for (Connection& connection : connections_)
      if (connection.is_answering() == answering) connection.hear(steady_now());
}

void Server::begin() {
  for (Connection& connection : connections_) {
    const auto head = connection.take_head();
    if (!head) continue;
    auto request = read_request(*head);
    if (!request) {
      connection.begin({}, refusal(400), steady_now());
      continue;
    }
    Answer answer = behaviour_.answer(*request, wall_now());
    const std::uint64_t number = Behaviour::is_counted(*request) ? ++number_ : 0;
    connection.begin({.number = number, .request = std::move(*request)}, std::move(answer),
                     steady_now());
  }
}

}  // namespace haul::server
