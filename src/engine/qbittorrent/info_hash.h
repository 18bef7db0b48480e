#pragma once
// Identifies a torrent: the hash of its info dictionary, as version 1, version 2 or both.

#include <optional>
#include <string>
#include <string_view>

namespace haul::qbittorrent {

struct InfoHash {
  std::string v1;  // Forty lower-case hexadecimal digits, or empty.
  std::string v2;  // Sixty-four, or empty.

  // The client's id for the torrent: v2 cut to forty digits, or else v1.
  std::string id() const { return v2.empty() ? v1 : v2.substr(0, 40); }
  bool is_none() const { return v1.empty() && v2.empty(); }
  bool operator==(const InfoHash&) const = default;
};

// The text in lower case if it is exactly so many hexadecimal digits. Otherwise no value.
std::optional<std::string> hex_digits(std::string_view text, std::size_t digits);

}  // namespace haul::qbittorrent
