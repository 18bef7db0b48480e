#pragma once
// What a fake server answers to a request, in memory.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "io/web/http.h"

namespace haul::testing {

struct FakeReply {
  int status = 200;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<Fault> fault;  // Returned instead of an answer.
  bool from_public = true;     // Whether the answer came from a public address.
  bool stays_open = false;     // For FakeLoop: after the body nothing more comes, and no end.
};

// Answers a request. Without a value the server stays silent.
using FakeServer = std::function<std::optional<FakeReply>(const io::HttpRequest&)>;

}  // namespace haul::testing
