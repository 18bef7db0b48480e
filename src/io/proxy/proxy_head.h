#pragma once
// Reads and rewrites the heads that pass through a program's proxy. Pure text, no I/O.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/time.h"
#include "base/url.h"

namespace haul::io {

struct ProxyRequest {
  enum class Kind : std::uint8_t { tunnel, plain } kind = Kind::plain;
  Url url;            // For a tunnel: "https://host:port/".
  std::string head;   // As it goes to the server; empty for a tunnel.
  bool known = true;  // It has the right password.

  std::uint16_t port() const;
};

// The size of the head with its empty line. Empty if the head is not complete yet.
std::optional<std::size_t> head_end(std::string_view bytes);

// `login` is the expected Proxy-Authorization, see basic_login(). Refuses what is not a request,
// has a URL that parse_url() refuses, or asks for https without a tunnel.
Result<ProxyRequest> read_proxy_request(std::string_view head, std::string_view login);

struct ProxyAnswer {
  int status = 0;
  std::string head;          // As it goes to the program; a final one with "Connection: close".
  std::int64_t wait_ms = 0;  // How long the server asks to wait (429, 503).
  bool is_final = true;      // False for an informational answer (1xx but 101).
};

// Empty if it is not an HTTP answer: its bytes then go on as they are.
std::optional<ProxyAnswer> read_proxy_answer(std::string_view head, Time now);

// "Basic …" for "name:password".
std::string basic_login(std::string_view user_and_password);

}  // namespace haul::io
