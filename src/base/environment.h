#pragma once
// The environment variables of this process.

#include <string>

namespace haul {

// A variable's value; empty if it is not set. Call it before other threads start: the system's list
// of variables has no lock.
std::string environment(const char* name);

}  // namespace haul
