#include "base/lent.h"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <optional>
#include <thread>

namespace haul {
namespace {

struct Count {
  int uses = 0;
};

}  // namespace

TEST_CASE("a thing is used while it is lent: not before, and not after") {
  Lent<Count> lent;
  Count count;
  const auto use = [&] { lent.use([](Count& each) { ++each.uses; }); };

  use();
  {
    const auto loan = lent.lend(count);
    use();
    use();
  }
  use();

  CHECK(count.uses == 2);
}

TEST_CASE("a loan that is moved ends once, with its last owner") {
  Lent<Count> lent;
  Count count;
  Lent<Count>::Loan kept;
  {
    auto loan = lent.lend(count);
    kept = std::move(loan);
  }
  lent.use([](Count& each) { ++each.uses; });
  CHECK(count.uses == 1);

  kept.end();
  kept.end();
  lent.use([](Count& each) { ++each.uses; });
  CHECK(count.uses == 1);
}

TEST_CASE("the end of a loan waits for the thread that uses the thing") {
  for (int i = 0; i < 100; ++i) {
    Lent<Count> lent;
    auto count = std::make_unique<Count>();
    std::optional loan{lent.lend(*count)};
    std::latch in_use{1};
    std::atomic<bool> used = false;
    std::jthread user{[&] {
      lent.use([&](Count& each) {
        in_use.count_down();
        std::this_thread::yield();
        ++each.uses;
        used = true;
      });
    }};
    in_use.wait();

    loan.reset();
    CHECK(used);
    count.reset();
  }
}

}  // namespace haul
