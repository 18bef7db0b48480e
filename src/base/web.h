#pragma once
// A request to haul's own server and its answer, as values: whoever routes them knows no sockets.

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

// What stands between the method and the version, decoded.
struct WebTarget {
  std::vector<std::string> segments;  // "/a/b" and "/a/b/" are {a, b}.
  WebFields query;                    // In the order given.

  bool operator==(const WebTarget&) const = default;
};

// Refused, so that nobody further in has to think of them: NUL and other controls, what is not
// UTF-8, dot segments, and slashes that were encoded.
Result<WebTarget> parse_target(std::string_view text);

struct WebRequest {
  std::string method;
  WebTarget target;
  WebFields headers;  // Names in lower case.
  std::string body;
  std::string peer;  // The other side's address.

  std::string_view header(std::string_view name) const;  // The first of it; empty: none.
  std::string_view query(std::string_view name) const;   // Likewise.
};

// A body without an end, for those who listen. Asked on the server's thread: it must not wait.
class WebStream {
 public:
  virtual ~WebStream() = default;
  // What goes out next; nothing: not now, ask again when streams are woken or time has passed.
  virtual std::optional<std::string> next() = 0;
  // After what was last given nothing more will come.
  virtual bool is_over() const = 0;
};

struct WebReply {
  int status = 200;
  WebFields headers;
  std::string body;
  std::shared_ptr<WebStream> stream;  // Instead of a body.
};

std::string_view reason_phrase(int status);

}  // namespace haul
