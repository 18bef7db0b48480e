#pragma once
// The bytes of the fault server's files, for the server and for the tests that check what has
// arrived. Byte i depends only on the seed and i, so a range costs no more than its own length.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace haul::server {

// FNV-1a: the default seed of a file.
constexpr std::uint64_t seed_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

// Eight bytes of a file, lowest byte first: the n-th number of splitmix64.
constexpr std::uint64_t content_block(std::uint64_t seed, std::uint64_t n) {
  std::uint64_t mixed = seed + (n + 1) * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
  return mixed ^ mixed >> 31U;
}

constexpr char content_byte(std::uint64_t seed, std::uint64_t i) {
  return static_cast<char>(content_block(seed, i / 8) >> i % 8 * 8);
}

// content_byte() from byte `first` on, a block at a time.
constexpr void fill_content(std::span<char> to, std::uint64_t seed, std::uint64_t first) {
  for (std::size_t done = 0; done < to.size();) {
    const std::uint64_t at = first + done;
    std::uint64_t block = content_block(seed, at / 8) >> at % 8 * 8;
    for (std::uint64_t left = 8 - at % 8; left > 0 && done < to.size(); --left, block >>= 8U)
      to[done++] = static_cast<char>(block);
  }
}

}  // namespace haul::server
