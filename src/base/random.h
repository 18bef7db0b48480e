#pragma once
// Random numbers, passed in, so that a run can be repeated from its seed.

#include <cstdint>

namespace haul {

class Random {
 public:
  virtual ~Random() = default;
  // From 0 to 1, 1 excluded.
  virtual double chance() = 0;
};

// A small, fast generator (splitmix64): the same seed gives the same numbers everywhere.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_{seed} {}
  double chance() override { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }
  std::uint64_t next();
  // From 0 to `below` - 1.
  std::uint64_t below(std::uint64_t below) { return next() % below; }
  bool one_in(std::uint64_t odds) { return below(odds) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace haul
