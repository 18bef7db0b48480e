#pragma once
// What the server answers. Pure except for its count of requests, so that a fault can apply to the
// first few only.

#include <cstdint>
#include <map>
#include <string>

#include "server/answer.h"
#include "server/representation.h"
#include "server/request.h"

namespace haul::server {

class Behaviour {
 public:
  // `root` is the folder that /d/ serves. Empty if there is none.
  explicit Behaviour(std::string root) : root_{std::move(root)} {}

  // Whether to log and count a request. /count, which asks for the counts, is not counted.
  static bool is_counted(const Request& request) { return request.path != "/count"; }

  Answer answer(const Request& request, WallTime now);

 private:
  const std::string root_;
  std::map<std::string, std::uint64_t> counts_;  // By path, without the query.
};

// The answer to bytes that are not a request.
Answer refusal(int status);

}  // namespace haul::server
