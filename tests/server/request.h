#pragma once
// A request as it came in, taken apart no further than the behaviours need.

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace haul::server {

struct Request {
  std::string method;
  std::string path;   // As sent, without the query.
  std::string query;  // As sent, without the question mark.
  // Names in lower case; what came more than once is joined by ", ".
  std::map<std::string, std::string, std::less<>> headers;

  // Empty: it was not sent.
  std::string_view header(std::string_view name) const;
  // What the client wants of the connection once it has its answer.
  bool wants_close() const;
};

// The head up to and without its empty line. None: it is no HTTP/1 request.
std::optional<Request> read_request(std::string_view head);

// "a%20b" as "a b". A broken escape stays as it is.
std::string percent_decoded(std::string_view text);

}  // namespace haul::server
