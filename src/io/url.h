#pragma once
// Addresses of the web, taken apart and put together in one canonical form.

#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul {

struct Url {
  std::string scheme;          // "http" or "https".
  std::string host;            // As canonical_host makes it.
  std::string port;            // Empty: the scheme's own.
  std::string path_and_query;  // Begins with '/'; beyond ASCII all is percent-encoded.
  std::string user;            // Decoded, as the password is; neither is in the text.
  std::string password;
  std::string text;  // The canonical address: no user, no fragment, no dot segments.

  std::string origin() const;  // "https://host:port".
  bool operator==(const Url&) const = default;
};

// Refused: what is not http or https, over 8 KiB, has blanks, controls or backslashes, a host or a
// port that is none, or a port where something else than HTTP lives.
Result<Url> parse_url(std::string_view text);

// Where a redirect or a link leads. Blanks inside are encoded, as servers and pages have them; the
// user goes along only within the origin (U37).
Result<Url> join_url(const Url& base, std::string_view reference);

}  // namespace haul
