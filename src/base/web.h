#pragma once
// A request to haul's own server and its reply, as values. Code that routes them needs no sockets.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fault.h"

namespace haul {

using WebFields = std::vector<std::pair<std::string, std::string>>;

// The request target (between the method and the HTTP version), decoded.
struct WebTarget {
  std::vector<std::string> segments;  // "/a/b" and "/a/b/" are {a, b}.
  WebFields query;                    // In the order given.

  bool operator==(const WebTarget&) const = default;
};

// Refuses NUL and other control characters, text that is not UTF-8, dot segments and encoded
// slashes, so that no handler has to check for them.
Result<WebTarget> parse_target(std::string_view text);

struct WebRequest {
  std::string method;
  WebTarget target;
  WebFields headers;  // Names in lower case.
  std::string body;
  std::string peer;  // The client's address.

  std::string_view header(std::string_view name) const;  // The first one; empty if there is none.
  std::string_view query(std::string_view name) const;   // Likewise.
};

// A reply body without an end, for clients that listen for events. The server calls it on its own
// thread, so no call may block.
class WebStream {
 public:
  virtual ~WebStream() = default;
  // The next bytes to send. Nothing if there are none now: the server asks again when streams are
  // woken or after a while.
  virtual std::optional<std::string> next() = 0;
  // Whether next() has returned the last bytes.
  virtual bool is_over() const = 0;
};

struct WebReply {
  int status = 200;
  WebFields headers;
  std::string body;
  std::shared_ptr<WebStream> stream;     // If set, sent instead of `body`.
  std::optional<std::int64_t> length{};  // Of all that the stream sends, if that is known.

  // Of the body or of the stream. No value if it is not known.
  std::optional<std::int64_t> body_length() const;
};

std::string_view reason_phrase(int status);

}  // namespace haul
