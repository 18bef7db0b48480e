// Many clients that listen for events, and many that only hold a connection.

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "api/cases.h"
#include "api/swarm.h"
#include "measure.h"
#include "support/run/moment.h"

namespace haul::bench {
namespace {

using namespace std::chrono_literals;

std::vector<Socket> listeners(const testing::Daemon& daemon, std::size_t count) {
  std::vector<Socket> all;
  const std::string request = request_text(daemon, "GET", "/api/v1/events");
  for (std::size_t i = 0; i < count; ++i) {
    all.emplace_back(daemon.port());
    all.back().send(request);
  }
  return all;
}

// Reads from all sockets until each has received `words`. Returns the milliseconds since `since`.
double until_all_say(std::vector<Socket>& sockets, const std::string& words, double since) {
  std::vector<std::string> heard(sockets.size());
  std::vector<pollfd> waiting;
  for (const Socket& socket : sockets) waiting.push_back({socket.number(), POLLIN, 0});
  std::size_t left = sockets.size();
  while (left > 0) {
    if (::poll(waiting.data(), waiting.size(), 10'000) == 0)
      throw std::runtime_error{fmt::format("{} never heard it", left)};
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if ((waiting[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      if (!sockets[i].receive(heard[i])) throw std::runtime_error{"a listener was dropped"};
      if (heard[i].find(words) == std::string::npos) continue;
      waiting[i].fd = -1;  // poll() ignores it from now on.
      --left;
    }
  }
  return (wall_seconds() - since) * 1e3;
}

void listening(const Plan& plan) {
  const testing::Daemon daemon;
  daemon.get("/ping");
  testing::let_pass(2'000ms);
  const double idle = resident_mib(daemon.pid());
  std::vector<Socket> all = listeners(daemon, plan.listeners);
  until_all_say(all, "text/event-stream", wall_seconds());
  std::vector<double> told_ms;
  for (int i = 0; i < 20; ++i) {
    const double began = wall_seconds();
    const std::string id = testing::member_of(daemon.post("/api/v1/jobs", kJob).body(), "id");
    told_ms.push_back(until_all_say(all, fmt::format("\"job\":{},", id), began));
  }
  std::sort(told_ms.begin(), told_ms.end());
  fmt::print("| crowds | | wanted |\n|---|---|---|\n");
  fmt::print("| resident when idle, MiB | {:.1f} | ≤ 24 |\n", idle);
  fmt::print("| {} listeners, MiB more | {:.1f} | ≤ 24 |\n", plan.listeners,
             resident_mib(daemon.pid()) - idle);
  fmt::print(
      "| from a `POST` until all have its event, ms: median, slowest of 20 | {:.0f}, {:.0f} "
      "| ≤ 100 |\n",
      median(told_ms), told_ms.back());
  std::fflush(stdout);
}

// Sends one byte of a request's head each second on every socket. Reopens closed sockets.
void drip(std::uint16_t port, std::size_t count, const std::atomic<bool>& stopping) {
  std::vector<Socket> sockets;
  for (std::size_t i = 0; i < count; ++i) sockets.emplace_back(port);
  while (!stopping) {
    for (std::size_t i = 0; i < sockets.size() && !stopping; ++i) {
      std::string nothing;
      if (!sockets[i].receive(nothing) || !sockets[i].send("G")) {
        std::destroy_at(&sockets[i]);
        std::construct_at(&sockets[i], port);
      }
      if (i % (count / 20 + 1) == 0) testing::let_pass(50ms);
    }
  }
}

void slow_ones(const Plan& plan) {
  const testing::Daemon daemon;
  std::atomic<bool> stopping = false;
  std::jthread dripping{[&] { drip(daemon.port(), plan.slow_sockets, stopping); }};
  const std::vector<Socket> stalled = listeners(daemon, plan.stalled);
  testing::let_pass(2'000ms);
  const auto ask = [&](std::size_t n) {
    return n % 4 == 0 ? request_text(daemon, "POST", "/api/v1/jobs", kJob)
                      : request_text(daemon, "GET", "/api/v1/jobs?limit=20");
  };
  run_swarm(daemon.port(), 8, plan.asks, ask);  // Fills the buffers of the stalled listeners.
  const double before = resident_mib(daemon.pid());
  const SwarmResult result = run_swarm(daemon.port(), 8, plan.asks, ask);
  const double after = resident_mib(daemon.pid());
  stopping = true;
  fmt::print(
      "| beside {} slow sockets and {} stalled listeners: p99 of 8 other clients, ms | "
      "{:.1f} | ≤ 100 |\n",
      plan.slow_sockets, plan.stalled, result.percentile(0.99));
  fmt::print("| their memory before and after {} requests, MiB | {:.1f}, {:.1f} | flat |\n\n",
             plan.asks, before, after);
  if (result.refused > 0) throw std::runtime_error{"some were refused"};
}

}  // namespace

void crowds(const Plan& plan) {
  listening(plan);
  slow_ones(plan);
}

}  // namespace haul::bench
