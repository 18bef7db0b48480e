#pragma once
// What every request of a job has in common, whether it looks or fetches.

#include "engine/http/http.h"
#include "engine/http/request.h"
#include "io/http.h"

namespace haul {

enum class Origin : std::uint8_t {
  asked,  // The one the address was given with.
  other,  // Where a redirect led: no headers of the user's and no passwords go there.
};

HttpAsk asking(const GetRequest& request, const HttpSettings& settings, const Url& url,
               Origin origin);

}  // namespace haul
