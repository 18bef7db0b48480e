#pragma once
// What is wrong with one value of a request, as a phrase that names what was expected. Empty:
// nothing. The tables of request.cc name these functions.

#include <string>
#include <string_view>

#include "base/header_field.h"
#include "base/request_value.h"

namespace haul {

std::string wrong_with_book_id(std::string_view id);
std::string wrong_with_address(std::string_view text);    // http or https
std::string wrong_with_page(std::string_view text);       // the same, also as r:https://…
std::string wrong_with_uri(std::string_view text);        // a magnet link, http or https
std::string wrong_with_extension(std::string_view text);  // ".zip" or "zip"
std::string wrong_with_path(std::string_view text);       // an absolute path
std::string wrong_with_proxy(std::string_view text);      // http://host:port, socks5://…

// An address with gallery-dl's prefix for pages whose links are followed.
bool has_recursive_prefix(std::string_view text);

// The stable code for a value that `wrong` refuses: addresses have codes of their own.
std::string code_for(std::string (*wrong)(std::string_view), std::string_view text);

}  // namespace haul
