#pragma once
// What the client's short answers mean, whichever of its versions gives them (Web API 2.8 to 2.16).

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul {

struct ApiVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const ApiVersion&) const = default;
  std::string text() const;
};
// "2.8.19". Refused: anything else, such as a page.
Result<ApiVersion> read_version(std::string_view text);
// The first that can be asked by tag.
inline constexpr ApiVersion kOldestVersion{2, 8, 3};

enum class LoginReply : std::uint8_t { in, wrong, banned, odd };
LoginReply judge_login(int status, std::string_view body);

// "SID=abc/+==" of a Set-Cookie line: what is sent back, as it came. Empty: there is none in it.
std::string cookie_pair(std::string_view set_cookie);

enum class AddReply : std::uint8_t {
  added,
  nothing_new,  // There already, not a torrent it takes, or it has not read its own list yet.
  not_torrent,
  refused,  // Not let in, or not understood.
  odd,      // Not an answer of its own: a proxy's, an error of the server's.
};
struct Addition {
  AddReply reply = AddReply::odd;
  std::string id;  // Of the new torrent, where the client says it.

  bool operator==(const Addition&) const = default;
};
Addition judge_add(int status, std::string_view body);

constexpr bool is_good(int status) { return status >= 200 && status < 300; }

}  // namespace haul
