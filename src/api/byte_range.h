#pragma once
// The Range header of a request for a file (RFC 9110, section 14).

#include <cstdint>
#include <optional>
#include <string_view>

namespace haul::api {

struct ByteRange {
  enum class Is : std::uint8_t {
    whole,  // No range, or one that the server may ignore: several, or malformed.
    part,
    beyond,  // No byte of the file is in it: 416.
  } is = Is::whole;
  std::int64_t at = 0;
  std::int64_t size = 0;

  bool operator==(const ByteRange&) const = default;
};

// `header` is the value of the Range header; empty if there is none.
ByteRange read_range(std::string_view header, std::int64_t file_size);

}  // namespace haul::api
