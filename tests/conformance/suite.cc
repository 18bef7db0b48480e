#include "conformance/suite.h"

#include <algorithm>

#include "base/ascii.h"
#include "support/run/skip.h"

namespace haul::conformance {

// Notifies under the lock: a test that has seen its last sight may destroy this at once.
void Sights::push(Sight sight) {
  const Lock lock{mutex_};
  sights_.push_back(std::move(sight));
  is_new_ = true;
  came_.notify_all();
}

std::vector<Sight> Sights::all() const {
  const Lock lock{mutex_};
  return sights_;
}

std::vector<Sight> Sights::take() {
  const Lock lock{mutex_};
  return std::exchange(sights_, {});
}

void Sights::wait(Millis at_most) {
  const Lock lock{mutex_};
  came_.wait_for(mutex_, at_most, [&]() REQUIRES(mutex_) { return is_new_; });
  is_new_ = false;
}

bool turn_until(testing::TurnedClock& clock, Sights& sights, const So& so, Millis within) {
  constexpr Millis kStep{5};
  for (Millis passed{0}; !so(); passed += kStep) {
    if (passed >= within) return false;
    sights.wait(kStep);
    clock.pass(kStep);
  }
  return true;
}

bool follows_rule(const std::string& adapter, std::string_view rule, const std::string& exempt) {
  if (exempt.empty()) return true;
  testing::skip(adapter + " is exempt from " + std::string{rule} + ": " + exempt);
  return false;
}

bool is_end(const What& what) {
  return std::holds_alternative<Finished>(what) || std::holds_alternative<Failed>(what) ||
         std::holds_alternative<Stopped>(what);
}

void check_fault(const Fault& fault) {
  const bool is_word = std::ranges::all_of(
      fault.code, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_'; });
  CHECK_FALSE(fault.code.empty());
  CHECK_MESSAGE(is_word, fault.code);
  CHECK((fault.kind != FaultKind::cancelled));
}

}  // namespace haul::conformance
