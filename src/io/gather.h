#pragma once
// libcurl hands a body on in pieces of 16 KiB, however much it read at once. Here the pieces of one
// call become one: a large write costs a file system much less than many small ones.

#include <cstddef>
#include <span>
#include <vector>

namespace haul {

template <class Owner>
class Gather {
 public:
  explicit Gather(std::size_t capacity) { bytes_.reserve(capacity); }

  // False: this piece does not belong to what is here, or no longer fits. Take that away first.
  bool add(Owner& owner, std::span<const std::byte> piece) {
    const bool fits = bytes_.size() + piece.size() <= bytes_.capacity();
    if (!bytes_.empty() && (owner_ != &owner || !fits)) return false;
    owner_ = &owner;
    bytes_.insert(bytes_.end(), piece.begin(), piece.end());
    return true;
  }

  // Hands over what is here, if anything is.
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

}  // namespace haul
