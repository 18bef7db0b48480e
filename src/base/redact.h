#pragma once
// Makes text from outside safe to store, log and show.

#include <string>
#include <string_view>

namespace haul {

// The text with secrets left out: the user part of addresses, token-like parameters, fragments of
// one word of more than 16 characters, bot tokens in paths, credentials of headers; also in an
// address that is percent-encoded inside of another one.
std::string redacted(std::string_view text);

// JSON whose strings are redacted one by one. All else stays as it is, byte for byte.
std::string redacted_json(std::string_view json);

// A detail as it may be kept: redacted, printable, of bounded length.
std::string safe_detail(std::string_view text);

// A reason code that is safe to store: snake_case, at most 64 characters, never empty.
std::string safe_reason(std::string_view code);

}  // namespace haul
