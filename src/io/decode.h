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

namespace haul {

class Decoder {
 public:
  using Take = std::function<bool(std::span<const std::byte>)>;  // False: no more is wanted.

  // What a request may offer in Accept-Encoding.
  static constexpr std::string_view kOffer = "gzip, deflate";
  // Codings that may be applied one over the other.
  static constexpr std::size_t kCodingsMax = 5;
  // F35: a body may always expand to this size, and beyond it to this many times its own size.
  // The same holds for the output of every single coding.
  static constexpr std::int64_t kFreeBytes = std::int64_t{16} << 20U;
  static constexpr std::int64_t kRatioMax = 100;

  // As the header has them, in the order they were applied: "gzip, deflate". A null pointer: the
  // body is plain. Fault `bad_answer`: a coding is unknown, or there are too many.
  static Result<std::unique_ptr<Decoder>> open(std::string_view codings);

  virtual ~Decoder() = default;
  // Bytes as they came. They are copied.
  virtual void add(std::span<const std::byte> coded) = 0;
  // Reads and writes about `work_max` bytes at most, over all codings, and hands over what came of
  // it. Faults: `expands_too_much`, `bad_answer`.
  [[nodiscard]] virtual Result<void> decode(std::size_t work_max, const Take& take) = 0;
  // More can be decoded without further bytes.
  virtual bool has_more() const = 0;
  // Every coding has seen its end, or no byte came at all.
  virtual bool is_whole() const = 0;
};

}  // namespace haul
