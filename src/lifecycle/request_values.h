#pragma once
// Checks single values of a request. Each function returns what it expected, or an empty string if
// the value is valid.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/header_field.h"
#include "base/request_value.h"

namespace haul {

inline constexpr bool kRequired = true;
inline constexpr bool kOptional = false;
inline constexpr std::int64_t kUriMax = 16'384;

// An id is part of URLs, so it must not be a path.
std::string wrong_with_book_id(std::string_view id);
std::string wrong_with_title(std::string_view title);
std::string wrong_with_address(std::string_view text);    // an http or https URL
std::string wrong_with_page(std::string_view text);       // the same, also as r:https://…
std::string wrong_with_uri(std::string_view text);        // a magnet link, http or https
std::string wrong_with_extension(std::string_view text);  // ".zip" or "zip"
std::string wrong_with_path(std::string_view text);       // an absolute path
std::string wrong_with_disk_file(std::string_view text);  // "disk:/Films/a.mp4" or "/Films/a.mp4"
std::string wrong_with_chat(std::string_view text);       // a chat's number, or "@name"

// Whether a URL has gallery-dl's prefix (r: or recursive:) for pages whose links it follows.
bool has_recursive_prefix(std::string_view text);

// The error code for a value that `wrong` refuses. URLs have their own codes.
std::string code_for(std::string (*wrong)(std::string_view), std::string_view text);

}  // namespace haul
