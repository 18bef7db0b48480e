#pragma once
// How a body says where it ends, truly or not.

#include <string>
#include <vector>

#include "server/answer.h"
#include "server/switches.h"

namespace haul::server {

struct Framed {
  std::vector<std::string> fields;  // What the head says about the body.
  std::vector<Step> steps;          // The body, with an end as its last step.
};

Framed framed(const Step& body, const Switches& switches);

// How many bytes of body a step sends; framing is none.
std::uint64_t body_size(const Step& step);

// Ends a body in this way after so many of its bytes; leaves one alone that is shorter.
void cut(std::vector<Step>& steps, std::uint64_t after, const Step& end);

}  // namespace haul::server
