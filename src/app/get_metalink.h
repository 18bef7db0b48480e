#pragma once
// `haul get` of a Metalink: reads its document from a file or from a server.

#include <string>

#include "base/clock.h"
#include "base/fault.h"
#include "base/metalink.h"

namespace haul::app {

// `where` is a path or a URL. The batch request says how to reach the URL and what to send.
Result<Metalink> read_metalink(const std::string& where, const std::string& request,
                               const Clock& clock);

}  // namespace haul::app
