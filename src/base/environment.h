#pragma once
// What the process was started with.

#include <string>

namespace haul {

// A variable's value; empty if it is not set. Read it before other threads are there: the system's
// own list is nobody's to share.
std::string environment(const char* name);

}  // namespace haul
