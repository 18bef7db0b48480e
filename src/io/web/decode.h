#pragma once
// Decodes a body that a server sent with Content-Encoding, a bounded amount at a time. A few
// kilobytes can stand for gigabytes, so the caller says how much work one call may do, and a body
// that expands too far is a fault.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul::io {

class Decoder {
 public:
  using Take = std::function<bool(std::span<const std::byte>)>;  // False: stop for now.

  // What a request may offer in Accept-Encoding.
  static constexpr std::string_view kOffer = "gzip, deflate";
  // The most codings a body may have, one applied over the other.
  static constexpr std::size_t kCodingsMax = 5;
  // F35: a body may always expand to kFreeBytes, and beyond that to kRatioMax times its own size.
  // The same limit applies to the output of every single coding.
  static constexpr std::int64_t kFreeBytes = std::int64_t{16} << 20U;
  static constexpr std::int64_t kRatioMax = 100;

  // `codings` is the header's value, in the order they were applied: "gzip, deflate". Returns null
  // if the body is plain. Fault `bad_answer` if a coding is unknown or there are too many.
  static Result<std::unique_ptr<Decoder>> open(std::string_view codings);

  virtual ~Decoder() = default;
  // Copies bytes as they were received.
  virtual void add(std::span<const std::byte> coded) = 0;
  // Reads and writes about `work_max` bytes at most, counted over all codings, and passes the
  // decoded bytes to `take`. Faults: `expands_too_much`, `bad_answer`.
  [[nodiscard]] virtual Result<void> decode(std::size_t work_max, const Take& take) = 0;
  // True if decode() can go on without further input.
  virtual bool has_more() const = 0;
  // True if every coding has reached its end, or no byte was received.
  virtual bool is_whole() const = 0;
};

}  // namespace haul::io
