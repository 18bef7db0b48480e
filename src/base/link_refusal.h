#pragma once
// Whether a link is refused, as one that has expired is by its server, or any link is by a proxy.

#include "base/fault.h"

namespace haul {

// The server answered with a status 4xx or sent a page instead of the rest of the file, haul may
// not follow the link, or the proxy lets no request through. That says nothing about the bytes that
// came before, so another link of the same file may go on with them.
bool refuses_link(const Fault& fault);

}  // namespace haul
