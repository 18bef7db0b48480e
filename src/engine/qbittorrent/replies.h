#pragma once
// What the client's short answers mean, in all its versions (Web API 2.8 to 2.16).

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul::qbittorrent {

struct ApiVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const ApiVersion&) const = default;
  std::string text() const;
};
// Reads "2.8.19". Refuses anything else, such as an HTML page.
Result<ApiVersion> read_version(std::string_view text);
// The first version that can be asked by tag.
inline constexpr ApiVersion kOldestVersion{2, 8, 3};

enum class LoginReply : std::uint8_t { in, wrong, banned, odd };
LoginReply judge_login(int status, std::string_view body);

// The "SID=abc/+==" of a Set-Cookie line, to be sent back unchanged. Empty if there is no valid
// pair.
std::string cookie_pair(std::string_view set_cookie);

enum class AddReply : std::uint8_t {
  added,
  nothing_new,  // Already there, not accepted, or the client has not read its own list yet.
  not_torrent,
  refused,  // Access denied, or the request was not understood.
  odd,      // Not the client's own answer: a proxy's, or a server error.
};
struct Addition {
  AddReply reply = AddReply::odd;
  std::string id;  // Of the new torrent, if the client says it.

  bool operator==(const Addition&) const = default;
};
Addition judge_add(int status, std::string_view body);

constexpr bool is_good(int status) { return status >= 200 && status < 300; }

}  // namespace haul::qbittorrent
