#include "io/file/piece_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/hash.h"
#include "io/file/side_hash.h"

namespace haul::io {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20U;

class PieceReader {
 public:
  PieceReader(const PieceCheck& check, const std::atomic<bool>& ending)
      : check_{check}, ending_{ending} {}

  // The hash of at most so many bytes from there. A file that ends earlier has another hash.
  // `beside` hashes the same bytes at the same time.
  Result<std::string> hash(const std::string& algorithm, std::int64_t from, std::int64_t most,
                           SideHash* beside = nullptr) {
    auto hasher = Hasher::of(algorithm);
    if (!hasher)
      return std::unexpected{Fault{FaultKind::permanent, "hash_unavailable",
                                   "OpenSSL offers no " + algorithm + " here"}};
    for (std::int64_t at = from; at - from < most;) {
      if (ending_ || check_.stop.stop_requested())
        return std::unexpected{Fault{FaultKind::cancelled, "stopped", "the check was stopped"}};
      std::swap(buffer_, other_);
      if (beside) beside->wait(1);  // It may still read the other one.
      const auto left = std::min<std::int64_t>(most - (at - from), std::ssize(buffer_));
      const auto got =
          check_.file->read_at(std::span{buffer_}.first(static_cast<std::size_t>(left)), at);
      if (!got) return std::unexpected{got.error()};
      if (*got == 0) break;
      if (beside) beside->add({buffer_.data(), *got});
      hasher->add({buffer_.data(), *got});
      at += static_cast<std::int64_t>(*got);
    }
    return hasher->hex();
  }

 private:
  const PieceCheck& check_;
  const std::atomic<bool>& ending_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(kBuffer);
  std::vector<std::byte> other_ = std::vector<std::byte>(kBuffer);
};

}  // namespace

Result<void> check_pieces(const PieceCheck& check, const std::atomic<bool>& ending) {
  PieceReader reader{check, ending};
  const PieceHashes& pieces = *check.pieces;
  if (!check.whole.hex.empty()) {
    const auto hash =
        reader.hash(check.whole.algorithm, 0, std::numeric_limits<std::int64_t>::max());
    if (!hash) return std::unexpected{hash.error()};
    if (*hash == check.whole.hex) {
      if (check.taken && check.taken->algorithm == check.whole.algorithm)
        check.taken->hex = check.whole.hex;
      return {};
    }
  }
  std::vector<std::size_t> numbers = check.only;
  if (numbers.empty()) {
    numbers.resize(pieces.hashes.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  }
  const bool takes = check.taken && check.only.empty();
  std::optional<SideHash> side;  // Ends before the buffers that it reads.
  if (takes) side.emplace(check.taken->algorithm);
  for (const std::size_t number : numbers) {
    const auto from = static_cast<std::int64_t>(number) * pieces.length;
    const auto hash = reader.hash(pieces.algorithm, from, pieces.length, side ? &*side : nullptr);
    if (!hash) return std::unexpected{hash.error()};
    if (*hash != pieces.hashes[number]) check.bad->push_back(number);
  }
  if (side && check.bad->empty()) check.taken->hex = side->hex();
  if (check.whole.hex.empty() || !check.bad->empty()) return {};
  return std::unexpected{
      Fault{FaultKind::retryable, "checksum_mismatch",
            fmt::format("the {} of the file is another one, although each piece has the right hash",
                        check.whole.algorithm)}};
}

}  // namespace haul::io
