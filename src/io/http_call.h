#pragma once
// One HTTP request that its caller waits for: for commands that talk to a daemon and do nothing
// else meanwhile. Follows no redirect and no proxy: what it sends is for that one server.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/time.h"

namespace haul {

struct HttpCall {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers;  // "Name: value"; secrets belong here and nowhere else.
  std::string body;
  Millis connect_timeout{5'000};
  Millis timeout{30'000};  // For all of it; of a stream, between two of its bytes.
  std::size_t body_max = std::size_t{64} << 20U;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// A fault if there was no whole answer.
Result<HttpAnswer> call(const HttpCall& ask);

// Gives the body of a good answer on as it comes, and nothing ten times a second while nothing
// comes, until that says false. What is not an answer of 200 is given back as call() does.
using OnBytes = std::function<bool(std::string_view)>;
Result<HttpAnswer> stream(const HttpCall& ask, const OnBytes& on_bytes);

}  // namespace haul
