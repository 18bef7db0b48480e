#pragma once
// Rules for single values of a request. The check at the door and the engines read them here, so
// that neither accepts what the other refuses.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace haul {

inline constexpr std::int64_t kFileSizeMax = std::int64_t{1} << 60;
inline constexpr std::int64_t kSpeedLimitMin = 1'024;  // Bytes per second.
inline constexpr std::int64_t kSpeedLimitMax = std::int64_t{1} << 50;
inline constexpr std::int64_t kRequestSegmentsMax = 64;
inline constexpr std::int64_t kOwnAtOnceMax = 1'000;  // A job's own limit of requests to one host.
inline constexpr std::int64_t kOwnApartMax = 3'600'000;  // Milliseconds between two of them.
inline constexpr std::int64_t kRequestPagesMax = 10'000;
inline constexpr std::int64_t kRetriesMax = 100;

// True: null, or an empty text. A field that is unset counts as absent.
bool is_unset(const JsonField& field);

// A whole number that fits; nothing: the value is anything else.
std::optional<std::int64_t> read_whole(std::string_view text);

struct Checksum {
  std::string algorithm;  // sha256, sha512, sha1 or md5
  std::string hex;        // Lower case. Empty: none is known.

  bool operator==(const Checksum&) const = default;
};
std::optional<Checksum> read_checksum(std::string_view text);

// The checksum of the file of that name.
struct NamedChecksum {
  Checksum sum;
  std::string name;

  bool operator==(const NamedChecksum&) const = default;
};
// "sha256:<64 digits> NAME".
std::optional<NamedChecksum> read_named_checksum(std::string_view text);

// What is wrong with a value, as a phrase that names what was expected. Empty: nothing.
std::string wrong_with_checksum(std::string_view text);        // sha256:<64 digits>
std::string wrong_with_named_checksum(std::string_view text);  // sha256:<64 digits> NAME
std::string wrong_with_date(std::string_view text);            // 2026-01-31
std::string wrong_with_speed_limit(std::string_view text);     // 0, or at least kSpeedLimitMin

}  // namespace haul
