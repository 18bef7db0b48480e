#pragma once
// Reads http and https URLs and brings them into one canonical form.

#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul {

struct Url {
  std::string scheme;          // "http" or "https".
  std::string host;            // As canonical_host makes it.
  std::string port;            // Empty for the scheme's default.
  std::string path_and_query;  // Begins with '/'; non-ASCII bytes are percent-encoded.
  std::string user;            // Decoded, like the password. Neither is in `text`.
  std::string password;
  std::string text;  // The canonical URL: no user, no fragment, no dot segments.

  std::string origin() const;  // "https://host:port".
  bool operator==(const Url&) const = default;
};

// Refuses a URL that is not http or https, is over 8 KiB, has blanks, control characters or
// backslashes, an invalid host or port, or a port of another protocol.
Result<Url> parse_url(std::string_view text);

// Resolves a redirect or a link against its base. Encodes blanks, because servers and pages send
// them. Keeps user and password only within the same origin (U37).
Result<Url> join_url(const Url& base, std::string_view reference);

}  // namespace haul
