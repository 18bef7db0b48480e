#pragma once
// The part of an HTTP request that all requests of a job share, lookups and downloads.

#include "engine/http/http.h"
#include "engine/http/request.h"
#include "io/web/http.h"

namespace haul {

enum class Origin : std::uint8_t {
  asked,  // The origin of the given address.
  other,  // Another one, after a redirect. Gets none of the user's headers and passwords.
};

HttpAsk asking(const GetRequest& request, const HttpSettings& settings, const Url& url,
               Origin origin);

}  // namespace haul
