#pragma once
// A request as received, parsed no further than the behaviours need.

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace haul::server {

struct Request {
  std::string method;
  std::string path;   // As sent, without the query.
  std::string query;  // As sent, without the question mark.
  // Names in lower case. Repeated headers are joined by ", ".
  std::map<std::string, std::string, std::less<>> headers;

  // Empty if the header was not sent.
  std::string_view header(std::string_view name) const;
  // Whether the connection must be closed after the answer.
  bool wants_close() const;
};

// Parses the head, without its empty line. Empty if it is not an HTTP/1 request.
std::optional<Request> read_request(std::string_view head);

// "a%20b" becomes "a b". An invalid escape stays unchanged.
std::string percent_decoded(std::string_view text);

}  // namespace haul::server
