#pragma once
// What is asked of every request before anybody looks at what it wants (F49, F50).

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/web.h"

namespace haul {

// A name that is allowed, or an address: what a page elsewhere cannot make a browser believe.
bool is_our_host(std::string_view host, std::span<const std::string> allowed);

// Nothing of it says that a page of somebody else sent it.
bool is_same_site(const WebRequest& request);

// Changes nothing by itself.
bool is_harmless(std::string_view method);

// A session is used from a page only, which says so with a header that a form cannot send.
bool may_use_cookie(const WebRequest& request);

// What a log line and an error have in common; the client's own, if it is fit to be printed.
std::string correlation_of(const WebRequest& request, std::string made);

// The value of a cookie; empty: none.
std::string_view cookie_of(const WebRequest& request, std::string_view name);

// The key a program shows; nothing: it shows none.
std::optional<std::string_view> key_of(const WebRequest& request);

// Keys do not belong into addresses, which are logged everywhere.
bool has_key_in_query(const WebRequest& request);

bool is_json(std::string_view content_type);

}  // namespace haul
