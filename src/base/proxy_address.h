#pragma once
// Checks the address of a proxy before libcurl reads it. libcurl takes some logins for no proxy at
// all and asks the server itself, and repeats others in its message, password and all.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/environment.h"

namespace haul {

// What is wrong with http://host:port, socks5://login@host and the like. Empty if nothing is.
std::string wrong_with_proxy(std::string_view text);

// What is wrong with the login in the environment variable from which libcurl takes the proxy for
// URLs of this scheme, after the variable's name. libcurl knows forms of addresses that
// wrong_with_proxy() refuses, so only the login is checked.
enum class UrlScheme : std::uint8_t { http, https };
using Variables = std::function<std::string(const char* name)>;
std::string wrong_with_proxy_variable(UrlScheme scheme, const Variables& variables = environment);

}  // namespace haul
