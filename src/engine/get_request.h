#pragma once
// The request of a batch, parsed once. All engines that fetch items read it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/request_value.h"
#include "base/url.h"
#include "io/file/filename.h"

namespace haul::engine {

struct Filters {
  std::vector<std::string> exclude_extensions;  // ".zip", lower case
  std::vector<io::MediaKind> only;              // Empty means all.
  std::optional<std::int64_t> size_min;
  std::optional<std::int64_t> size_max;
  std::string date_from;  // "2026-01-31", compared as text. Empty means no bound.
  std::string date_to;

  // Whether a filter needs the size or date, which only the server knows.
  bool need_a_look() const {
    return size_min || size_max || !date_from.empty() || !date_to.empty();
  }
  bool operator==(const Filters&) const = default;
};

struct GetRequest {
  std::vector<std::string> urls;
  std::string folder;
  std::string name;  // File name of the first one. If empty, the server's.
  Checksum checksum;
  std::vector<std::string> headers;
  std::string user_agent;
  std::string proxy;
  std::string cookies;                        // Path of a file.
  std::string netrc;                          // Path of a file.
  std::map<std::string, std::string> logins;  // "user:password" by origin.
  int segments = 0;                           // Zero means as many as the host's limit leaves.
  std::int64_t speed_limit = 0;               // Bytes per second. Zero means no limit.
  Filters filters;
  bool discover = false;  // The addresses are pages to search for media.
  int pages_max = 1;

  bool operator==(const GetRequest&) const = default;
};

// FaultKind::rejected if a field has an invalid value.
Result<GetRequest> read_get_request(std::string_view json);

// Adds the request's login for the address's origin, unless the address has its own.
void log_in(Url& url, const GetRequest& request);

// What is known about an item before it is fetched.
struct Known {
  std::string_view name;
  std::optional<std::int64_t> size;
  std::string date;  // Empty if it is not known.
};
// Why the filters skip the item. Empty if it is wanted.
std::string skip_reason(const Filters& filters, const Known& known);

}  // namespace haul::engine
