#pragma once
// Makes text from outside safe to store, log and show.

#include <string>
#include <string_view>

namespace haul {

// The text with *** for each secret: the user part of URLs, token-like parameters, bot tokens in
// paths, credentials in headers.
std::string redacted(std::string_view text);

// A detail that is safe to store: redacted, printable, at most 1,000 bytes.
std::string safe_detail(std::string_view text);

// A reason code that is safe to store: snake_case, at most 64 characters, never empty.
std::string safe_reason(std::string_view code);

}  // namespace haul
