// The phases of a tunnel: read the request (asking), resolve the host and wait for the gate
// (waiting), connect (connecting), read the head of the answer (answering), copy bytes both ways
// (relaying).

#include "io/proxy/tunnel.h"

#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/ensure.h"
#include "base/host.h"

namespace haul::io {
namespace {

constexpr std::size_t kHeadMax = std::size_t{64} << 10U;
constexpr std::size_t kBuffer = std::size_t{128} << 10U;  // Bytes held for one side until it reads.
constexpr Millis kAskGateEvery{50};

}  // namespace

Tunnel::Tunnel(ProxyEnv& env, Descriptor peer)
    : env_{env}, peer_{std::move(peer)}, moved_{env.clock.steady()} {
  env_.loop.watch(peer_.get(), {}, [this](Ready ready) {
    if (ready.to_write) write_to(peer_, to_peer_);
    if (ready.to_read && !over_) read_peer();
    want();
  });
}

Tunnel::~Tunnel() { end(); }

void Tunnel::end() {
  over_ = true;
  if (peer_) env_.loop.forget(peer_.get());
  if (server_) env_.loop.forget(server_.get());
  peer_ = Descriptor{};
  server_ = Descriptor{};
  leave_gate();
  share_.reset();
}

void Tunnel::leave_gate() {
  if (const auto door = std::exchange(door_, {})) env_.gate.leave(*door);
}

// Not a stall: the program does not read, or the tunnel waits for the gate or for a speed limit.
void Tunnel::look(Steady now) {
  const bool waits = phase_ == Phase::waiting || !to_peer_.empty() || waits_for_speed_;
  if (waits) moved_ = now;
  if (now - moved_ >= env_.options.stall_timeout) end();
}

// A slow side holds the other one back: the tunnel reads no more than its buffers take.
void Tunnel::want() {
  if (over_) return;
  env_.loop.want(peer_.get(), {.reads = to_server_.size() < kBuffer, .writes = !to_peer_.empty()});
  if (!server_) return;
  const bool connecting = phase_ == Phase::connecting;
  env_.loop.want(server_.get(),
                 {.reads = !connecting && !server_ended_ && to_peer_.size() < kBuffer && may_read(),
                  .writes = connecting || !to_server_.empty()});
}

// If the speed limit does not allow a read now, looks again later.
bool Tunnel::may_read() {
  if (!share_ || share_->ask(SpeedLimits::For::read)) return true;
  if (std::exchange(waits_for_speed_, true)) return false;
  env_.loop.after(env_.options.speed.throttle->wait(), [this, alive = std::weak_ptr{alive_}] {
    if (!alive.lock()) return;
    waits_for_speed_ = false;
    if (share_) share_->may(SpeedLimits::For::read);
    want();
  });
  return false;
}

void Tunnel::read_peer() {
  std::array<char, kBuffer> bytes{};
  const ssize_t got = ::recv(peer_.get(), bytes.data(), bytes.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return end();  // The program has left and wants no answer.
  moved_ = env_.clock.steady();
  to_server_.append(bytes.data(), static_cast<std::size_t>(got));
  if (phase_ == Phase::asking) return take_request();
  if (phase_ == Phase::answering || phase_ == Phase::relaying) write_to(server_, to_server_);
}

void Tunnel::take_request() {
  const auto end_of_head = head_end(to_server_);
  if (!end_of_head) {
    if (to_server_.size() > kHeadMax) refuse(431, "Request Header Fields Too Large");
    return;
  }
  auto request =
      read_proxy_request(std::string_view{to_server_}.substr(0, *end_of_head), env_.login);
  if (!request) return refuse(400, "Bad Request");
  if (!request->known) return refuse(407, "Proxy Authentication Required");
  request_ = *std::move(request);
  to_server_.replace(0, *end_of_head, request_.head);
  phase_ = Phase::waiting;
  resolve(env_.loop, request_.url.host, request_.port(), alive_,
          [this](const Addresses& addresses) { resolved(addresses); });
}

// U29: a host is refused as a whole if one of its addresses is not permitted. U31: a program whose
// first host is public cannot go on to private addresses, except those in reach.allowed.
void Tunnel::resolved(const Addresses& addresses) {
  if (over_) return;
  ensure(phase_ == Phase::waiting, "the host of a connection is resolved once");
  if (!addresses || addresses->empty()) return refuse(502, "Host Not Found");
  Reach& reach = env_.options.reach;
  const auto permitted = [&](const Resolved& each) { return reach.permits(each.any()); };
  if (!std::ranges::all_of(*addresses, permitted)) {
    env_.refusal = Fault{FaultKind::rejected, "private_address",
                         fmt::format("{} is not a public address", request_.url.host)};
    return refuse(403, "Forbidden");
  }
  const auto in_public = [](const Resolved& each) { return is_public(each.any()); };
  if (std::exchange(env_.first, false) && std::ranges::all_of(*addresses, in_public))
    reach.private_too = false;
  addresses_ = *addresses;
  enter();
}

void Tunnel::enter() {
  if (over_) return;
  ensure(!door_, "a connection has one slot at its host");
  door_ = env_.gate.enter(env_.options.start, host_of(request_.url.text));
  if (door_) return connect_next();
  env_.loop.after(kAskGateEvery, [this, alive = std::weak_ptr{alive_}] {
    if (alive.lock()) enter();
  });
}

void Tunnel::connect_next() {
  if (server_) env_.loop.forget(server_.get());
  if (next_address_ >= addresses_.size()) return refuse(502, "Cannot Connect");
  const Resolved& to = addresses_[next_address_++];
  phase_ = Phase::connecting;
  moved_ = env_.clock.steady();
  server_ = Descriptor{::socket(to.any().sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (!server_) return connect_next();
  const int on = 1;
  ::setsockopt(server_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(server_.get(), &to.any(), to.size) != 0 && errno != EINPROGRESS)
    return connect_next();
  env_.loop.watch(server_.get(), {.reads = false, .writes = true}, [this](Ready ready) {
    if (phase_ == Phase::connecting) return connected();
    if (ready.to_write) write_to(server_, to_server_);
    if (ready.to_read && !over_) read_server();
    want();
  });
}

void Tunnel::connected() {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(server_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return connect_next();
  moved_ = env_.clock.steady();
  share_ = env_.options.speed.join();
  const bool tunnel = request_.kind == ProxyRequest::Kind::tunnel;
  phase_ = tunnel ? Phase::relaying : Phase::answering;
  if (tunnel) to_peer_ = "HTTP/1.1 200 Connected\r\n\r\n";
  write_to(peer_, to_peer_);
  write_to(server_, to_server_);
  want();
}

void Tunnel::read_server() {
  std::array<char, kBuffer> bytes{};
  if (!may_read()) return;
  const std::size_t most = share_ ? static_cast<std::size_t>(share_->piece()) : bytes.size();
  const ssize_t got = ::recv(server_.get(), bytes.data(), std::min(most, bytes.size()), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    server_ended_ = true;
    leave_gate();  // The server is done with the request.
    if (to_peer_.empty()) return end();
    if (phase_ == Phase::answering) phase_ = Phase::relaying;  // The head never ended.
    return write_to(peer_, to_peer_);
  }
  moved_ = env_.clock.steady();
  env_.received += got;
  if (share_) share_->count(got);
  to_peer_.append(bytes.data(), static_cast<std::size_t>(got));
  if (phase_ == Phase::answering) take_answer();
  if (!over_ && phase_ == Phase::relaying) write_to(peer_, to_peer_);
}

void Tunnel::take_answer() {
  for (auto end_of_head = head_end(to_peer_); end_of_head; end_of_head = head_end(to_peer_)) {
    const auto answer =
        read_proxy_answer(std::string_view{to_peer_}.substr(0, *end_of_head), env_.clock.now());
    if (answer && !answer->is_final) {  // The program does not need it.
      to_peer_.erase(0, *end_of_head);
      continue;
    }
    if (answer) to_peer_.replace(0, *end_of_head, answer->head);
    if (answer && answer->wait_ms > 0) env_.gate.block(host_of(request_.url.text), answer->wait_ms);
    phase_ = Phase::relaying;
    return;
  }
  if (to_peer_.size() > kHeadMax) phase_ = Phase::relaying;
}

void Tunnel::write_to(Descriptor& to, std::string& bytes) {
  if (over_ || bytes.empty() || !to) return;
  const bool held_back = &to == &peer_ && phase_ == Phase::answering;
  if (held_back) return;
  const ssize_t sent = ::send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (sent < 0) return end();
  moved_ = env_.clock.steady();
  bytes.erase(0, static_cast<std::size_t>(sent));
  if (server_ended_ && to_peer_.empty()) end();
}

// Sends an error to the program. The connection ends only when all of it is sent.
void Tunnel::refuse(int status, const char* why) {
  const char* challenge = status == 407 ? "Proxy-Authenticate: Basic realm=\"haul\"\r\n" : "";
  to_server_.clear();
  to_peer_ = fmt::format("HTTP/1.1 {} {}\r\n{}Content-Length: 0\r\nConnection: close\r\n\r\n",
                         status, why, challenge);
  phase_ = Phase::relaying;
  server_ended_ = true;
  leave_gate();
  write_to(peer_, to_peer_);
  want();
}

}  // namespace haul::io
