#pragma once
// One blocking HTTP request, for commands that talk to a daemon and do nothing else meanwhile. It
// follows no redirect and uses no proxy, because what it sends is for that one server.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/time.h"

namespace haul::io {

struct HttpCall {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers;  // "Name: value". Secrets go here and nowhere else.
  std::string body;
  Millis connect_timeout{5'000};
  Millis timeout{30'000};  // For the whole call; in a stream, between two bytes.
  std::size_t body_max = std::size_t{64} << 20U;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  std::string redirect{};  // Where a 3xx answer leads, as an absolute URL.
};

// Fault if no complete answer comes.
Result<HttpAnswer> call(const HttpCall& request);

// Passes the body of a 200 answer to `on_bytes` as it comes, until `on_bytes` returns false. Calls
// it ten times a second with no bytes while nothing comes. Returns any other answer as call() does.
using OnBytes = std::function<bool(std::string_view)>;
Result<HttpAnswer> stream(const HttpCall& request, const OnBytes& on_bytes);

}  // namespace haul::io
