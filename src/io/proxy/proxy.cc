#include "io/proxy/proxy.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <list>

#include "io/proxy/tunnel.h"

namespace haul::io {
namespace {

constexpr std::size_t kTunnelsMax = 64;
constexpr int kBacklog = 16;
constexpr Millis kLookEvery{500};

class Listener final : public Proxy {
 public:
  Listener(PollLoop& loop, Gate& gate, const Clock& clock, const ProxyOptions& options,
           Descriptor socket)
      : env_{.loop = loop,
             .gate = gate,
             .clock = clock,
             .options = options,
             .login = basic_login("haul:" + options.token),
             .refusal = {}},
        socket_{std::move(socket)} {
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&bound), &size);
    port_ = ntohs(bound.sin_port);
    loop.watch(socket_.get(), {}, [this](Ready) { accept(); });
    look();
  }
  ~Listener() override { env_.loop.forget(socket_.get()); }

  std::uint16_t port() const override { return port_; }
  std::string address() const override {
    return fmt::format("http://haul:{}@127.0.0.1:{}", env_.options.token, port_);
  }
  void ask_as(std::int64_t start) override { env_.options.start = start; }
  std::int64_t received() const override { return env_.received; }
  std::optional<Fault> refusal() const override { return env_.refusal; }

 private:
  void accept() {
    Descriptor peer{::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (!peer) return;
    tunnels_.remove_if([](const Tunnel& each) { return each.is_over(); });
    if (tunnels_.size() >= kTunnelsMax) return;
    tunnels_.emplace_back(env_, std::move(peer));
  }

  void look() {
    const Steady now = env_.clock.steady();
    for (Tunnel& tunnel : tunnels_) tunnel.look(now);
    tunnels_.remove_if([](const Tunnel& each) { return each.is_over(); });
    env_.loop.after(kLookEvery, [this, alive = std::weak_ptr{alive_}] {
      if (alive.lock()) look();
    });
  }

  ProxyEnv env_;
  const Descriptor socket_;
  std::uint16_t port_ = 0;
  std::list<Tunnel> tunnels_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace

Result<std::unique_ptr<Proxy>> open_proxy(PollLoop& loop, Gate& gate, const Clock& clock,
                                          const ProxyOptions& options) {
  Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!socket || ::bind(socket.get(), reinterpret_cast<sockaddr*>(&here), sizeof here) != 0 ||
      ::listen(socket.get(), kBacklog) != 0)
    return std::unexpected{
        Fault{FaultKind::environment, "no_proxy", std::generic_category().message(errno)}};
  return std::make_unique<Listener>(loop, gate, clock, options, std::move(socket));
}

}  // namespace haul::io
