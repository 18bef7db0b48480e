#pragma once
// The options of `haul get` that curl, wget and aria2 have, too, and what they add to the request.

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul::cli {

struct GetMore {
  std::vector<std::string> urls;  // From --url.
  bool quiet = false;
  bool verbose = false;
  std::filesystem::path log;
  bool dry_run = false;
  bool stream = false;  // With -o -: writes bytes as they arrive.
  std::optional<int> retries;
  std::string connect_timeout;  // Seconds such as "2.5", or "500ms".
  std::string max_time;
  std::string referer;
  std::string login;     // "user:password" for every given URL.
  std::string no_proxy;  // Hosts; "*" for all.
  bool insecure = false;
  std::string ca_file;
  bool ipv4 = false;
  bool ipv6 = false;
  std::optional<std::size_t> at_once;
  bool compressed = false;
  bool remote_time = true;
  std::filesystem::path save_failed;
  std::filesystem::path checksum_file;
  std::string browser;               // Whose cookies to use: NAME or NAME:PROFILE.
  std::vector<std::string> mirrors;  // Other URLs of the one file.
  std::string replaces;              // The expired link whose part the one URL goes on with.
  bool metalink = false;             // The URLs and files are Metalinks, whatever their names.
  std::string not_before;            // With --daemon: a time or a duration; empty: at once.
  std::string category;              // With --daemon: one of its categories.
};

// "2.5" and "2500ms" as "2500ms". Nullopt if it is no time above zero.
std::optional<std::string> read_seconds(std::string_view text);
// For CLI11: why a text is no such time; empty if it is one.
std::string wrong_with_seconds(const std::string& text);

// The path of -o, split. FaultKind::rejected if it leads out of the folder by "..", or names no
// file. An absolute path is the destination whatever -d says.
struct OutputPath {
  std::filesystem::path folder;
  std::string name;
};
Result<OutputPath> split_output(const std::filesystem::path& folder, const std::string& output);

// Whether only the http engine knows one of these options.
bool needs_http(const GetMore& more);

// The request's fields of these options, as JSON by name.
using MoreFields = std::map<std::string, std::string>;
Result<MoreFields> more_fields(const GetMore& more, const std::vector<std::string>& urls);

// The URLs without their logins. If a login is given, those are in the field `logins`.
std::vector<std::string> without_logins(const GetMore& more, const std::vector<std::string>& urls);

// The lines of a checksum file as elements of the field `checksums`. Reads the forms of sha256sum
// and of BSD's sha256.
Result<std::vector<std::string>> read_checksum_file(const std::filesystem::path& path);

}  // namespace haul::cli
