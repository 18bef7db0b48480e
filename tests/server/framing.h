#pragma once
// How an answer tells where its body ends, correctly or not.

#include <string>
#include <vector>

#include "server/answer.h"
#include "server/switches.h"

namespace haul::server {

struct Framed {
  std::vector<std::string> fields;  // The header fields about the body.
  std::vector<Step> steps;          // The body, with an End as its last step.
};

Framed framed(const Step& body, const Switches& switches);

// How many bytes of body a step sends. 0 for framing.
std::uint64_t body_size(const Step& step);

// Replaces everything after this many bytes of body by `end`. Leaves a shorter body unchanged.
void cut(std::vector<Step>& steps, std::uint64_t after, const Step& end);

}  // namespace haul::server
