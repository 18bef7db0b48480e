#pragma once
// Whether a server refuses a link, as it does with one that has expired.

#include "base/fault.h"

namespace haul {

// The server answered with a status 4xx. That says nothing about the bytes that came before, so
// another link of the same file may go on with them.
bool refuses_link(const Fault& fault);

}  // namespace haul
