#pragma once
// A short list for a row of a constexpr table, where too many entries do not compile.

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

namespace haul {

template <class T, std::size_t Max>
class ShortList {
 public:
  constexpr ShortList() = default;
  constexpr ShortList(std::initializer_list<T> entries) : size_{entries.size()} {
    std::copy(entries.begin(), entries.end(), entries_.begin());
  }

  constexpr const T* begin() const { return entries_.data(); }
  constexpr const T* end() const { return entries_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool contains(const T& entry) const {
    return std::find(begin(), end(), entry) != end();
  }

 private:
  std::array<T, Max> entries_{};
  std::size_t size_ = 0;
};

}  // namespace haul
