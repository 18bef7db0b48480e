#pragma once
// haul's own HTTP server. One thread reads whole requests under deadlines and limits, passes them
// to a handler that answers in its own time, and writes streams. It reads a body that did not come
// with its head only after the head was admitted.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/time.h"
#include "base/web.h"
#include "io/web/address.h"

namespace haul::io {

using WebAnswer = std::function<void(WebReply)>;
// Called on the server's thread and must not block. The answer may come from any thread.
using WebHandler = std::function<void(WebRequest, WebAnswer)>;

struct ServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // Zero picks a free port.
  Millis head_deadline{10'000};
  Millis idle_deadline{75'000};
  Millis answer_deadline{60'000};
  Millis write_deadline{30'000};
  Millis stream_pulse{15'000};  // How often a silent stream sends a comment to show it is alive.
  std::size_t connections_max = 4'096;
  std::size_t per_address_max = 64;  // Does not apply to loopback or trusted proxies.
  // The largest body a request may have. A larger one is refused before it is read. If
  // unset, every body is refused.
  std::function<std::size_t(std::string_view method, std::string_view target)> body_max;
  // For all bodies in memory together. A request beyond it is refused with 503.
  std::size_t bodies_max = std::size_t{64} << 20U;
  // Gets a request without its body and decides whether the server reads the body. Status 100 means
  // yes; any other answer goes to the client instead. If unset, the server reads every body.
  WebHandler admit;
  // A request from one of these counts for the address it forwards for, see io/web/forwarded.h.
  std::vector<Network> trusted_proxies;
};
// Makes the error answer, body and headers, to input that never becomes a request.
using WebRefuse = std::function<WebReply(int status, std::string_view detail)>;

class HttpServer {
 public:
  // Stops the server and cuts off every answer in progress.
  virtual ~HttpServer() = default;
  virtual std::uint16_t port() const = 0;
  // From any thread: makes every waiting stream ask its source for more.
  virtual void wake_streams() = 0;
  virtual std::size_t connections() const = 0;
};

// Throws std::runtime_error if it cannot listen at the address.
std::unique_ptr<HttpServer> make_http_server(ServerSettings settings, WebHandler handler,
                                             WebRefuse refuse);

}  // namespace haul::io
