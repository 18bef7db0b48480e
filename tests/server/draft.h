#pragma once
// An answer before it becomes bytes, and the ways to send it wrongly.

#include <cstdint>
#include <string>
#include <vector>

#include "server/answer.h"
#include "server/request.h"
#include "server/switches.h"

namespace haul::server {

struct Draft {
  int status = 200;
  std::vector<std::string> fields;  // "Name: value".
  Step body = Text{.role = Role::body};
};

// A short answer with this status. Throws BadSwitch if it is not between 200 and 999.
Draft text_draft(std::uint64_t status, const std::string& type, std::string text);

struct Situation {
  const Request& request;
  const Switches& switches;
  std::uint64_t before = 0;  // Earlier requests for the same path.
};

// Frames the draft, paces it, and cuts it short as the switches say.
Answer finished(Draft draft, const Situation& situation);

}  // namespace haul::server
