#pragma once
// Something that other threads use for as long as its owner lends it.

#include <utility>

#include "base/ensure.h"
#include "base/mutex.h"

namespace haul {

template <class Thing>
class Lent {
 public:
  // Ends when it is destroyed, and waits while another thread uses the thing. Its owner
  // declares it after the thing, so that it ends first.
  class Loan {
   public:
    Loan() = default;
    Loan(Loan&& other) noexcept : from_{std::exchange(other.from_, nullptr)} {}
    Loan& operator=(Loan&& other) noexcept {
      std::swap(from_, other.from_);
      return *this;
    }
    ~Loan() { end(); }

    void end() {
      if (from_) std::exchange(from_, nullptr)->set(nullptr);
    }

   private:
    friend class Lent;
    explicit Loan(Lent& from) : from_{&from} {}
    Lent* from_ = nullptr;
  };

  // One loan at a time.
  [[nodiscard]] Loan lend(Thing& thing) {
    set(&thing);
    return Loan{*this};
  }

  // From any thread: calls `use` with the thing, or not at all. It must be short and must not lend.
  template <class Use>
  void use(const Use& use) {
    const Lock lock{mutex_};
    if (thing_) use(*thing_);
  }

 private:
  void set(Thing* thing) {
    const Lock lock{mutex_};
    ensure(thing == nullptr || thing_ == nullptr, "one loan ends before the next begins");
    thing_ = thing;
  }

  Mutex mutex_;
  Thing* thing_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace haul
