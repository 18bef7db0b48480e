#pragma once
// What a program says to its proxy and hears through it, taken apart and put together: pure text.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/time.h"
#include "io/url.h"

namespace haul {

struct ProxyRequest {
  enum class Kind : std::uint8_t { tunnel, plain } kind = Kind::plain;
  Url url;            // Of a tunnel: "https://host:port/".
  std::string head;   // As it goes to the server; of a tunnel nothing.
  bool known = true;  // It had the password.

  std::uint16_t port() const;
};

// The end of a head, its empty line included; nothing: it is not whole yet.
std::optional<std::size_t> head_end(std::string_view bytes);

// `login` as Basic has it, encoded. Refused: what no program of ours would ask.
Result<ProxyRequest> read_proxy_request(std::string_view head, std::string_view login);

struct ProxyAnswer {
  int status = 0;
  std::string head;          // As it goes to the program: it is to close the connection after.
  std::int64_t wait_ms = 0;  // The server asked for so much patience (429, 503).
  bool is_final = true;      // Not one of those that only come before.
};

// Nothing if it is none: then its bytes go on as they are.
std::optional<ProxyAnswer> read_proxy_answer(std::string_view head, Time now);

// "Basic …" of a name and a password.
std::string basic_login(std::string_view user_and_password);

}  // namespace haul
