#pragma once
// An answer before it is put into bytes, and the ways in which that can be done badly.

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

// A short answer of this status. BadSwitch if the status is not between 200 and 999.
Draft text_draft(std::uint64_t status, const std::string& type, std::string text);

struct Asked {
  const Request& request;
  const Switches& switches;
  std::uint64_t before = 0;  // Requests of the same path that came earlier.
};

// The draft framed, paced, and cut short as the switches say.
Answer finished(Draft draft, const Asked& asked);

}  // namespace haul::server
