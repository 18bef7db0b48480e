#pragma once
// Checks that every request passes before the API routes it (F49, F50).

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/web.h"

namespace haul::api {

// True for localhost, an allowed name or an IP address. This stops DNS rebinding: a page of another
// site reaches haul only under that site's own name.
bool is_our_host(std::string_view host, std::span<const std::string> allowed);

// False if Sec-Fetch-Site or Origin says that another site's page sent the request.
bool is_same_site(const WebRequest& request);

// True for methods that change nothing.
bool is_harmless(std::string_view method);

// Only the page may use a session. Changes need the X-Haul header, which a form cannot send.
bool may_use_cookie(const WebRequest& request);

// The id that a log line and an error share: the client's own if it is valid, else `made`.
std::string correlation_of(const WebRequest& request, std::string made);

// The value of a cookie; empty if there is none.
std::string_view cookie_of(const WebRequest& request, std::string_view name);

// The API key in X-Api-Key or Authorization. Nullopt if there is none.
std::optional<std::string_view> key_of(const WebRequest& request);

// haul refuses a key in a URL, because proxies and browsers log URLs.
bool has_key_in_query(const WebRequest& request);

bool is_json(std::string_view content_type);

}  // namespace haul::api
