#pragma once
// Which header fields a job may send with its requests.

#include <string>
#include <string_view>

namespace haul {

// True if haul or libcurl sets this field itself, or if the field says where a request ends or how
// its connection is used. A job that set it could send a second request inside its own.
bool is_reserved_header(std::string_view name);

// What is wrong with a line that is to be sent as "Name: value". Empty: nothing.
std::string wrong_with_header(std::string_view line);

}  // namespace haul
