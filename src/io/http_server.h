#pragma once
// haul's own HTTP server: one thread reads whole requests under deadlines and limits, hands them
// to whoever answers, in their own time, and streams to those who listen. A body that did not come
// with its head is read only after the head was admitted.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/time.h"
#include "base/web.h"
#include "io/address.h"

namespace haul {

using WebAnswer = std::function<void(WebReply)>;
// Called on the server's thread, which must not wait; the answer may come from any.
using WebHandler = std::function<void(WebRequest, WebAnswer)>;

struct ServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // Zero: any that is free.
  Millis head_deadline{10'000};
  Millis idle_deadline{75'000};
  Millis answer_deadline{60'000};
  Millis write_deadline{30'000};
  Millis stream_pulse{15'000};  // A stream that is silent shows that it is alive.
  std::size_t connections_max = 4'096;
  std::size_t per_address_max = 64;  // Not for loopback.
  // How much body a request may have; the rest is refused before it is read.
  std::function<std::size_t(std::string_view method, std::string_view target)> body_max;
  // Of all bodies in memory together; a request beyond it is refused with 503.
  std::size_t bodies_max = std::size_t{64} << 20U;
  // Decides by a request without its body whether the body is read: answered with status 100 it
  // is, any other answer is sent instead. Empty: every body is read.
  WebHandler admit;
  // Requests from these come from the address that they forward for, see io/forwarded.h.
  std::vector<Network> trusted_proxies;
};
// For what never becomes a request: the body of the error and its headers.
using WebRefuse = std::function<WebReply(int status, std::string_view detail)>;

class HttpServer {
 public:
  // Stops when it goes: what is being answered is cut off.
  virtual ~HttpServer() = default;
  virtual std::uint16_t port() const = 0;
  // From any thread: streams have something to say.
  virtual void wake_streams() = 0;
  virtual std::size_t connections() const = 0;
};

// Throws std::system_error if the address cannot be listened at.
std::unique_ptr<HttpServer> make_http_server(ServerSettings settings, WebHandler handler,
                                             WebRefuse refuse);

}  // namespace haul
