#pragma once
// One connection of a program through its proxy, from the first byte of its request to the end.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/file/folder.h"
#include "io/proxy/proxy.h"
#include "io/proxy/proxy_head.h"
#include "io/web/resolve.h"

namespace haul::io {

// What the connections of one proxy share.
struct ProxyEnv {
  PollLoop& loop;
  Gate& gate;
  const Clock& clock;
  ProxyOptions options;
  std::string login;  // The Proxy-Authorization that a request must have.
  std::int64_t received = 0;
  std::optional<Fault> refusal;
  bool first = true;  // No host was permitted yet.
};

class Tunnel {
 public:
  Tunnel(ProxyEnv& env, Descriptor peer);
  ~Tunnel();

  bool is_over() const { return over_; }
  // Called regularly: ends the connection if no byte has moved for too long.
  void look(Steady now);

 private:
  enum class Phase : std::uint8_t { asking, waiting, connecting, answering, relaying };

  void read_peer();
  void read_server();
  void write_to(Descriptor& to, std::string& bytes);
  void take_request();
  void resolved(const Addresses& addresses);
  void enter();
  void connect_next();
  void connected();
  void take_answer();
  void refuse(int status, const char* why);
  void leave_gate();
  void want();
  bool may_read();
  void end();

  ProxyEnv& env_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  Descriptor peer_;
  Descriptor server_;
  Phase phase_ = Phase::asking;
  ProxyRequest request_;
  std::vector<Resolved> addresses_;
  std::size_t next_address_ = 0;
  std::optional<std::int64_t> door_;
  std::string to_server_;
  std::string to_peer_;
  std::unique_ptr<Throttle::Share> share_;  // Null if the speed has no limit.
  bool waits_for_speed_ = false;
  bool server_ended_ = false;
  bool over_ = false;
  Steady moved_;
};

}  // namespace haul::io
