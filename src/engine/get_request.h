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
#include "base/time.h"
#include "base/url.h"
#include "base/url_feed.h"
#include "base/url_options.h"
#include "io/file/filename.h"
#include "io/web/http.h"

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

// Z-24: what to do if the file is here already.
enum class IfExists : std::uint8_t {
  normal,     // An unchanged file of an earlier run stays. Any other gets a neighbour.
  update,     // The same, but a new version replaces the file of an earlier run.
  overwrite,  // Fetch always, and replace a plain file of that name. For one URL.
  skip,       // Fetch only files whose name is free.
  keep_both,  // Fetch always. The new file gets a free name.
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
  IfExists existing = IfExists::normal;
  std::string hash;       // Algorithm of the hash that receipts have. Empty: none is taken.
  bool discover = false;  // The addresses are pages to search for media.
  int pages_max = 1;
  std::string ca_file;    // Path of a file. Empty: the engine's.
  bool insecure = false;  // Accepts any certificate.
  std::string no_proxy;   // Hosts to reach without a proxy.
  io::IpVersion ip = io::IpVersion::any;
  Millis connect_timeout{0};                  // Zero: the engine's.
  Millis max_time{0};                         // Of the transfer of a file. Zero: no limit.
  bool compressed = false;                    // Asks for compressed bodies.
  bool remote_time = false;                   // Files get the time of their Last-Modified.
  std::map<std::string, Checksum> checksums;  // By file name. If not empty, each file needs one.
  std::map<std::string, UrlOptions> each;     // By the key of the item.
  std::vector<std::string> keys;              // Of the items of `urls`. Empty without `each`.

  // The key of the item that the URL at this position makes.
  std::string key_at(std::size_t position) const;
  // The options of one item. Empty ones if the request has none.
  const UrlOptions& own(const std::string& key) const;
  bool operator==(const GetRequest&) const = default;
};

// FaultKind::rejected if a field has an invalid value.
Result<GetRequest> read_get_request(std::string_view json);

// Adds the options and the login of a URL that came after the request.
void add_entry(GetRequest& request, const UrlFeed::Entry& entry);

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
