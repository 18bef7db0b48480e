#pragma once
// Joins the pieces of a body. libcurl delivers 16 KiB at a time, however much it read at once, and
// one large write costs a file system much less than many small ones.

#include <cstddef>
#include <span>
#include <vector>

namespace haul::io {

template <class Owner>
class BodyBuffer {
 public:
  explicit BodyBuffer(std::size_t capacity) { bytes_.reserve(capacity); }

  // False if the held bytes belong to another owner or the piece does not fit: hand_over() first. A
  // piece larger than the capacity is taken alone.
  bool add(Owner& owner, std::span<const std::byte> piece) {
    const bool fits = bytes_.size() + piece.size() <= bytes_.capacity();
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
