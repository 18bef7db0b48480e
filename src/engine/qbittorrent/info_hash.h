#pragma once
// By what a torrent is known: the hash of its description, in one or two versions.

#include <optional>
#include <string>
#include <string_view>

namespace haul {

struct InfoHash {
  std::string v1;  // Forty lower-case hexadecimal digits, or empty.
  std::string v2;  // Sixty-four, or empty.

  // What the client calls it: the better of the two, cut to forty digits.
  std::string id() const { return v2.empty() ? v1 : v2.substr(0, 40); }
  bool is_none() const { return v1.empty() && v2.empty(); }
  bool operator==(const InfoHash&) const = default;
};

// So many hexadecimal digits, made lower case; nothing if it is anything else.
std::optional<std::string> hex_digits(std::string_view text, std::size_t digits);

}  // namespace haul
