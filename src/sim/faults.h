#pragma once
// The kinds of faults in a run. Each has its own switch, so that a violation can be shrunk to the
// faults that cause it.

#include <cstdint>
#include <string_view>

namespace haul::sim {

enum class Chaos : std::uint8_t {
  engine_fails,     // Transfers fail, retryably or permanently.
  engine_vanishes,  // The client forgets a transfer, or cannot be reached.
  late_sights,      // Sights arrive late.
  double_sights,    // Sights arrive twice.
  lost_replies,     // An act happens, but its reply is lost.
  worker_crashes,   // A worker dies and another starts.
  worker_pauses,    // A worker sleeps, perhaps past its lease, and then goes on unaware.
  clock_jumps,      // The wall clock is set.
  full_disk,        // Some faults are environment faults.
  users,            // Users add twice, cancel, retry, pause.
};
inline constexpr int kChaosKinds = 10;

std::string_view name(Chaos chaos);

class ChaosSet {
 public:
  constexpr ChaosSet() = default;
  constexpr explicit ChaosSet(std::uint32_t bits) : bits_{bits} {}
  static constexpr ChaosSet all() { return ChaosSet{(1U << kChaosKinds) - 1}; }
  constexpr bool has(Chaos chaos) const {
    return (bits_ >> static_cast<unsigned>(chaos) & 1U) != 0;
  }
  constexpr ChaosSet without(Chaos chaos) const {
    return ChaosSet{bits_ & ~(1U << static_cast<unsigned>(chaos))};
  }
  constexpr std::uint32_t bits() const { return bits_; }

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace haul::sim
