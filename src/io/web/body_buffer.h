#pragma once
// Joins the pieces of a body. libcurl delivers 16 KiB at a time, however much it read at once, and
// one large write costs a file system much less than many small ones.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace haul::io {

template <class Owner>
class BodyBuffer {
 public:
  explicit BodyBuffer(std::size_t capacity) { bytes_.reserve(capacity); }

  // False if the held bytes belong to another owner, or the piece does not fit or makes them more
  // than the owner wants at once: hand_over() first. A piece larger than that is taken alone.
  bool add(Owner& owner, std::span<const std::byte> piece,
           std::size_t at_once = std::numeric_limits<std::size_t>::max()) {
    const bool fits = bytes_.size() + piece.size() <= std::min(bytes_.capacity(), at_once);
    if (!bytes_.empty() && (owner_ != &owner || !fits)) return false;
    owner_ = &owner;
    bytes_.insert(bytes_.end(), piece.begin(), piece.end());
    return true;
  }

  // Passes the held bytes to `take`, if there are any.
  template <class Take>
  void hand_over(Take take) {
    if (bytes_.empty()) return;
    take(*owner_, std::span<const std::byte>{bytes_});
    bytes_.clear();
  }

 private:
  Owner* owner_ = nullptr;
  std::vector<std::byte> bytes_;
};

}  // namespace haul::io
