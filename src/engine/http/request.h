#pragma once
// What a batch asks of the http engine, read from its request once.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/request_value.h"
#include "io/filename.h"
#include "io/url.h"

namespace haul {

struct Filters {
  std::vector<std::string> exclude_extensions;  // ".zip", lower case
  std::vector<MediaKind> only;                  // Empty: all.
  std::optional<std::int64_t> size_min;
  std::optional<std::int64_t> size_max;
  std::string date_from;  // "2026-01-31", compared as text; empty: no bound.
  std::string date_to;

  bool need_a_look() const {
    return size_min || size_max || !date_from.empty() || !date_to.empty();
  }
  bool operator==(const Filters&) const = default;
};

struct GetRequest {
  std::vector<std::string> urls;
  std::string folder;
  std::string name;  // For the first of them; empty: as the server says.
  Checksum checksum;
  std::vector<std::string> headers;
  std::string user_agent;
  std::string proxy;
  std::string cookies;                        // A file.
  std::string netrc;                          // A file.
  std::map<std::string, std::string> logins;  // "user:password" by origin.
  int segments = 0;                           // Zero: as many as the host's limit leaves.
  std::int64_t speed_limit = 0;
  Filters filters;
  bool discover = false;
  int pages_max = 1;

  bool operator==(const GetRequest&) const = default;
};

// Refused with FaultKind::rejected: what cannot be meant.
Result<GetRequest> read_get_request(std::string_view json);

// Puts the login in that is for this address, if there is one.
void log_in(Url& url, const GetRequest& request);

// Why an item is passed over by what is known of it; empty: it is wanted.
struct Known {
  std::string_view name;
  std::optional<std::int64_t> size;
  std::string date;  // Empty: not known.
};
std::string skip_reason(const Filters& filters, const Known& known);

}  // namespace haul
