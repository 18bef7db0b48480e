#pragma once
// An HTTP loop that tells each request and each answer in words, for users who want to see what
// haul asks. It tells no secret: no header but the range, and no login.

#include <functional>
#include <memory>
#include <string_view>

#include "io/web/http.h"

namespace haul::io {

// Gets one line at a time, on the loop's thread: "GET https://h/a, bytes=100-".
using Trace = std::function<void(std::string_view line)>;

std::unique_ptr<HttpLoop> make_traced_loop(std::unique_ptr<HttpLoop> loop, Trace trace);

}  // namespace haul::io
