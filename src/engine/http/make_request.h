#pragma once
// The part of an HTTP request that all requests of a job share, lookups and downloads.

#include "engine/get_request.h"
#include "engine/http/http.h"
#include "io/web/http.h"

namespace haul::http {

enum class Origin : std::uint8_t {
  given,  // The origin of the given address.
  other,  // Another one, after a redirect. Gets none of the user's headers and passwords.
};

// `own` are the options of the given address, before redirects.
io::HttpRequest make_request(const engine::GetRequest& request, const HttpSettings& settings,
                             const Url& url, Origin origin, const UrlOptions& own = {});

}  // namespace haul::http
