#pragma once
// What the server answers: pure but for its count of requests, by which a fault can be for the
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
  // Files of a folder are served as well, under /d/; empty: none are.
  explicit Behaviour(std::string root) : root_{std::move(root)} {}

  // Whether a request is one of the test's, to be logged and counted, or a question about them.
  static bool is_counted(const Request& request) { return request.path != "/count"; }

  Answer answer(const Request& request, WallTime now);

 private:
  const std::string root_;
  std::map<std::string, std::uint64_t> counts_;  // By path, without the query.
};

// What is answered to something that is no request.
Answer refusal(int status);

}  // namespace haul::server
